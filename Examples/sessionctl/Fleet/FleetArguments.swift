import Glibc
import LosslessJSON
import VisibleText

extension Option {
    static let etcd = Option(name: "etcd", value: "URL", help: "a member of etcd; may be repeated")
    static let key = Option(name: "key", value: "KEY", help: "the key that has the value")
    static let credentials = Option(name: "credentials", value: "FILE", help: "FILE has USER:PASSWORD, and mode 0600")
    static let authority = Option(name: "ca", value: "FILE", help: "FILE has the certificate authorities, as PEM")
    static let certificate = Option(
        name: "cert", value: "FILE", help: "FILE has the certificate of this client, as PEM")
    static let certificateKey = Option(
        name: "cert-key", value: "FILE", help: "FILE has its private key; default: that of --cert")
}

extension FleetProgram {
    /// Adds how to reach the value in etcd.
    mutating func addStore(_ arguments: Arguments) throws(Failure) {
        for endpoint in try Self.endpoints(arguments) { add("etcd", endpoint) }
        add("key", try arguments.required(.key))
        for option in [Option.credentials, .authority, .certificate, .certificateKey] {
            guard let file = try arguments.value(ofNonempty: option) else { continue }
            if access(file, R_OK) != 0 { throw .systemError(file, errorNumber: errno) }
            add(option.name, file)
        }
    }

    private static func endpoints(_ arguments: Arguments) throws(Failure) -> [String] {
        let variable = EnvironmentVariable.etcd.name
        if arguments.has(.etcd) {
            let given = arguments.values(of: .etcd)
            for url in given { try check(url, of: "--\(Option.etcd.name)") }
            return given
        }
        let known = getenv(variable).flatMap { String(validatingCString: $0) }?.split(separator: ",").map(String.init)
        guard let known, !known.isEmpty else {
            throw .usageError("--\(Option.etcd.name) is missing; \(variable) is not set either")
        }
        for url in known { try check(url, of: variable) }
        return known
    }

    /// Rejects what is no URL of HTTP at all; the program checks the rest.
    private static func check(_ url: String, of source: String) throws(Failure) {
        let scheme = url.firstRange(of: "://").map { url[..<$0.lowerBound].lowercased() } ?? "http"
        if !url.isEmpty, ["http", "https"].contains(scheme) { return }
        throw .usageError("\(source): \"\(url.visible(upTo: 60))\" is not a URL like http://etcd:2379")
    }
}

extension Arguments {
    /// The value of an option that must be given, and not be empty.
    func required(_ option: Option) throws(Failure) -> String {
        guard let value = try value(ofNonempty: option) else { throw .usageError("--\(option.name) is missing") }
        return value
    }

    /// The value of an option that must not be empty; nil if the option is absent.
    func value(ofNonempty option: Option) throws(Failure) -> String? {
        guard let value = value(of: option) else { return nil }
        if value.isEmpty { throw .usageError("--\(option.name) needs a value: \(option.spelling)") }
        return value
    }

    /// The value of an option whose placeholder lists the words that it can have; nil if the option is absent.
    func choice(of option: Option) throws(Failure) -> String? {
        guard let value = value(of: option) else { return nil }
        let words = (option.value ?? "").split(separator: "|").map(String.init)
        if words.contains(value) { return value }
        throw .usageError("--\(option.name): \"\(value.visible(upTo: 60))\" is not \(words.joined(separator: " or "))")
    }
}
