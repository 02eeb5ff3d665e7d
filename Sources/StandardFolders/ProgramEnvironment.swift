internal import CLinux
internal import Glibc

/// What the standard location of a file depends on.
struct ProgramEnvironment: Sendable {
    /// The name of the program.
    var program: String
    var variables: [String: String]
    /// The home directory of the user, from the password database.
    var home: String?
    /// Whether the process has privileges that the user who started it does not have: the environment is that user's.
    var isPrivileged = false

    /// The environment of this process.
    static var current: ProgramEnvironment {
        let isPrivileged = clinux_is_privileged()
        return ProgramEnvironment(
            program: programName(isPrivileged: isPrivileged), variables: allVariables, home: homeInDatabase,
            isPrivileged: isPrivileged)
    }

    /// A variable that is set, and not to the empty text.
    func variable(_ name: String) -> String? {
        if isPrivileged { return nil }
        return variables[name].flatMap { $0.isEmpty ? nil : $0 }
    }

    /// A variable with an absolute path; others are ignored, as the specification of the XDG base directories demands.
    func directory(_ name: String) -> String? { variable(name).flatMap { $0.utf8.first == Self.slash ? $0 : nil } }

    /// The first of the absolute paths in a variable of systemd.
    func firstDirectory(_ name: String) -> String? {
        variable(name)?.split(separator: ":").map(String.init).first { $0.utf8.first == Self.slash }
    }

    private static let slash = UInt8(ascii: "/")

    /// The directory for data that programs keep between runs: `$XDG_STATE_HOME`, `~/.local/state`.
    var userStateDirectory: String? {
        if let directory = directory("XDG_STATE_HOME") { return directory }
        return (directory("HOME") ?? home).map { "\($0)/.local/state" }
    }
}

extension ProgramEnvironment {
    private static var allVariables: [String: String] {
        var variables: [String: String] = [:]
        var next: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = environ
        while let entry = next?.pointee {
            next = next?.advanced(by: 1)
            let text = String(cString: entry)
            guard let end = text.firstIndex(of: "=") else { continue }
            // As for getenv, the first one counts.
            let name = String(text[..<end])
            if variables[name] == nil { variables[name] = String(text[text.index(after: end)...]) }
        }
        return variables
    }

    /// The name that the program was started by; for a privileged process, whose caller chose it, that of its executable.
    private static func programName(isPrivileged: Bool) -> String {
        let name = isPrivileged ? nil : CommandLine.arguments.first.map(lastComponent)
        if let name, !["", ".", ".."].contains(name) { return name }
        var buffer = [UInt8](repeating: 0, count: Int(PATH_MAX))
        let count = readlink("/proc/self/exe", &buffer, buffer.count)
        return count > 0 ? lastComponent(of: String(decoding: buffer.prefix(count), as: UTF8.self)) : "program"
    }

    private static func lastComponent(of path: String) -> String {
        String(path[(path.lastIndex(of: "/").map(path.index(after:)) ?? path.startIndex)...])
    }

    private static var homeInDatabase: String? {
        var entry = passwd()
        var found: UnsafeMutablePointer<passwd>?
        var buffer = [CChar](repeating: 0, count: 16_384)
        guard getpwuid_r(geteuid(), &entry, &buffer, buffer.count, &found) == 0, found != nil, let home = entry.pw_dir
        else { return nil }
        let text = String(cString: home)
        return text.utf8.first == slash ? text : nil
    }
}
