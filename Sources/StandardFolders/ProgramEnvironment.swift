internal import CLinux
internal import Glibc

/// The environment that determines the standard directories.
package struct ProgramEnvironment: Sendable {
    /// The variables, which a privileged process ignores.
    let variables: @Sendable (String) -> String?
    /// The home directory of the user, from the password database.
    let databaseHome: @Sendable () -> String?
    /// The ID of the user.
    let user: UInt32
    /// Whether the process has privileges that the user who started it, and who set its environment, does not have.
    let isPrivileged: Bool

    /// The environment of this process.
    package static var current: ProgramEnvironment {
        ProgramEnvironment(
            variables: { getenv($0).map { String(cString: $0) } }, databaseHome: { homeInDatabase }, user: geteuid(),
            isPrivileged: clinux_is_privileged())
    }

    /// A made-up environment, for tests.
    package static func made(
        _ variables: [String: String], home: String?, user: UInt32 = 1000, isPrivileged: Bool = false
    ) -> ProgramEnvironment {
        ProgramEnvironment(
            variables: { variables[$0] }, databaseHome: { home }, user: user, isPrivileged: isPrivileged)
    }

    /// The value of a variable; nil if it is unset or empty.
    package func variable(_ name: String) -> String? {
        if isPrivileged { return nil }
        return variables(name).flatMap { $0.isEmpty ? nil : $0 }
    }

    /// A variable with an absolute path; others are ignored, as the specification of the XDG base directories demands.
    func directory(_ name: String) -> String? { variable(name).flatMap(Self.directory) }

    /// The first of the absolute paths in a variable of systemd.
    func firstDirectory(_ name: String) -> String? {
        variable(name)?.split(separator: ":").lazy.compactMap { Self.directory(String($0)) }.first
    }

    /// An absolute path without slashes at its end.
    private static func directory(_ path: String) -> String? {
        guard path.utf8.first == slash else { return nil }
        let length = path.utf8.reversed().drop { $0 == slash }.count
        return length == 0 ? "/" : String(path.utf8.prefix(length))
    }

    private static let slash = UInt8(ascii: "/")

    /// The home directory of the user.
    var homeDirectory: String? { directory("HOME") ?? databaseHome() }
}

extension ProgramEnvironment {
    /// The name that the program was started by. A privileged process uses the name of its executable, because its
    /// caller chose the other one.
    static let startedProgram: String = {
        let name = clinux_is_privileged() ? nil : CommandLine.arguments.first.map(lastComponent)
        if let name, FolderName.isValid(name) { return name }
        var buffer = [UInt8](repeating: 0, count: Int(PATH_MAX))
        let count = readlink("/proc/self/exe", &buffer, buffer.count)
        return count > 0 ? executableName(String(decoding: buffer.prefix(count), as: UTF8.self)) : "program"
    }()

    /// The name in the path of an executable as /proc has it, which says when the file was replaced or removed.
    static func executableName(_ path: String) -> String {
        let mark = " (deleted)"
        return lastComponent(of: path.hasSuffix(mark) ? String(path.dropLast(mark.count)) : path)
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
        return directory(String(cString: home))
    }
}
