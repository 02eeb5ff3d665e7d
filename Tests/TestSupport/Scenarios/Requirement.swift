import Glibc
import Testing

/// A precondition of a scenario.
package enum Requirement: Sendable, Equatable {
    case program(Programs)
    case otherFileSystem
    /// A private mount namespace.
    case namespace

    /// A directory on another file system than the scenario's.
    static let otherFileSystemPath = "/dev/shm"

    init(_ word: String) throws {
        switch word {
        case "tmpfs": self = .otherFileSystem
        case "namespace": self = .namespace
        default:
            guard let program = Programs(rawValue: word) else {
                throw TestSupportError("TestSupport.Programs does not know \(word)")
            }
            self = .program(program)
        }
    }

    /// Why it is not met; nil if it is.
    var missingReason: String? {
        switch self {
        case .program(let program): program.path == nil ? program.advice : nil
        case .otherFileSystem:
            Self.hasOtherFileSystem ? nil : "\(Self.otherFileSystemPath) is not a writable, different file system"
        case .namespace: Self.namespaceProblem
        }
    }

    private static var hasOtherFileSystem: Bool {
        var (here, there) = (stat(), stat())
        return stat(ScenarioEnvironment.parent, &here) == 0 && stat(otherFileSystemPath, &there) == 0
            && here.st_dev != there.st_dev && access(otherFileSystemPath, W_OK) == 0
    }

    /// Determined once, by mounting.
    private static let namespaceProblem: String? = {
        let missing = [Programs.unshare, .nsenter, .mount].filter { $0.path == nil }
        if !missing.isEmpty { return missing.map(\.advice).joined(separator: "; ") }
        let mount = ["--user", "--map-root-user", "--mount", "mount", "-t", "tmpfs", "none", "/mnt"]
        let result = try? Programs.unshare.program.run(mount, in: TemporaryFolder())
        if result?.code == 0 { return nil }
        return "users cannot create mount namespaces here: \(result?.messages ?? "unshare does not start")"
    }()
}

extension [Requirement] {
    /// Why they are not met; nil if they are.
    package var missingReason: String? {
        let reasons = compactMap(\.missingReason)
        return reasons.isEmpty ? nil : reasons.joined(separator: "; ")
    }

    /// Skips the test case if one of them is not met.
    package func require(for name: String) throws {
        if let missingReason { try Requirement.skip(name, missingReason) }
    }
}

extension Requirement {
    /// Skips the current test case and prints its name, which nothing else does. Throws if skips count as failures.
    package static func skip(_ name: String, _ reason: String) throws -> Never {
        if Programs.skipsAreFailures { throw TestSupportError(reason) }
        print("skipped: \(name): \(reason)")
        try Test.cancel("\(reason)")
    }
}
