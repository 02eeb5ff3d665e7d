import Glibc
import VisibleText

/// The program `sessionctl-fleet`, which does what needs an HTTP client, and its arguments.
///
/// It replaces this process, and so has its standard streams, its signals and its exit status. It is a program of its
/// own so that sessionctl starts fast and needs no libcurl. Each of its arguments after the task has the form
/// `name=value`.
struct FleetProgram {
    static let name = "sessionctl-fleet"
    private var arguments: [String]

    /// - Parameter task: `bridge` or `status`.
    init(task: String) { arguments = [Self.name, task] }

    mutating func add(_ name: String, _ value: String) { arguments.append("\(name)=\(value)") }

    /// Adds an argument if there is a value.
    mutating func add(_ name: String, _ value: String?) { if let value { add(name, value) } }

    /// Replaces this process by the program. Returns only if that fails.
    func run(for command: String) -> Failure {
        let vector = arguments.map { strdup($0) } + [nil]
        defer { for argument in vector { free(argument) } }
        for path in Self.paths {
            execv(path, vector)
            if errno != ENOENT && errno != ENOTDIR { return .systemError(path, errorNumber: errno) }
        }
        return .systemError(
            "\(command) needs the program \(Self.name), which is not installed: install the package \(Self.name), or"
                + " run \"make install\"")
    }

    /// Where the program may be: beside this one, where a build puts it, and where it is installed.
    private static var paths: [String] {
        var path = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = readlink("/proc/self/exe", &path, path.count)
        guard count > 0, count < path.count else { return [] }
        let program = String(decoding: path.prefix(count).map(UInt8.init(bitPattern:)), as: UTF8.self)
        let directory = program[...(program.lastIndex(of: "/") ?? program.startIndex)]
        return ["\(directory)\(name)", "\(directory)../libexec/\(Sessionctl.name)/\(name)"]
    }
}
