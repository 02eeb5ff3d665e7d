import FleetSession
import LosslessJSON

/// The arguments of a task, `name=value` each, as sessionctl writes them.
struct TaskArguments {
    private var values: [String: [String]] = [:]

    /// - Throws: For an unknown name, which another version of sessionctl may have.
    init(_ words: [String]) throws(Failure) {
        for word in words {
            guard let equals = word.firstIndex(of: "=") else { throw .wrongCall }
            let name = String(word[..<equals])
            guard Self.names.contains(name) else { throw .wrongCall }
            values[name, default: []].append(String(word[word.index(after: equals)...]))
        }
    }

    private static let names: Set = [
        "file", "etcd", "key", "credentials", "ca", "cert", "cert-key", "local", "machine", "conflicts", "deleted-key",
        "state", "json",
        "redact",
    ]

    func has(_ name: String) -> Bool { values[name] != nil }

    /// The last value; nil if there is none.
    func value(of name: String) -> String? { values[name]?.last }

    func required(_ name: String) throws(Failure) -> String {
        guard let value = value(of: name) else { throw .wrongCall }
        return value
    }

    var etcd: EtcdOptions {
        var options = EtcdOptions(endpoints: values["etcd"] ?? [])
        options.credentialsFile = value(of: "credentials")
        options.certificateAuthorityFile = value(of: "ca")
        (options.clientCertificateFile, options.clientKeyFile) = (value(of: "cert"), value(of: "cert-key"))
        return options
    }

    var fleet: FleetOptions {
        get throws(Failure) {
            var options = FleetOptions()
            for text in values["local"] ?? [] {
                guard let path = try? JSONPointer(parsing: text) else { throw .wrongCall }
                options.localPaths.append(path)
            }
            if let name = value(of: "machine") { options.machine = name }
            if value(of: "deleted-key") == "recreate" { options.deletedKey = .recreateKey }
            options.stateDirectory = value(of: "state")
            return options
        }
    }

    var secrets: JSONSecrets {
        get throws(Failure) {
            var patterns: [JSONPathPattern] = []
            for text in values["redact"] ?? [] {
                guard let pattern = try? JSONPathPattern(parsing: text) else { throw .wrongCall }
                patterns.append(pattern)
            }
            return JSONSecrets(patterns)
        }
    }

    /// The other machines have the role of the file.
    var conflicts: ConflictPolicy { value(of: "conflicts") == "machine" ? .memoryWins : .fileWins }
}

extension Failure {
    init(_ error: EtcdError) { self.init(error.code == .invalidOptions ? .usageError : .systemError, error.message) }
}
