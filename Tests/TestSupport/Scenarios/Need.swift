import Glibc
import Testing

/// What a scenario cannot do without.
package enum Need: Sendable, Equatable {
    case program(Programs)
    case otherFileSystem
    /// Mounts of its own, which nobody else sees.
    case namespace

    /// A file system that is not on a disk.
    static let elsewhere = "/dev/shm"

    init(_ word: String) throws {
        switch word {
        case "tmpfs": self = .otherFileSystem
        case "namespace": self = .namespace
        default:
            guard let program = Programs(rawValue: word) else {
                throw SystemRefusal("TestSupport.Programs does not know \(word)")
            }
            self = .program(program)
        }
    }

    /// What to say where it is missing; nil where it is there.
    var complaint: String? {
        switch self {
        case .program(let program): program.path == nil ? program.advice : nil
        case .otherFileSystem: Self.isElsewhere ? nil : "\(Self.elsewhere) is no other file system that can be written"
        case .namespace: Self.namespaceComplaint
        }
    }

    private static var isElsewhere: Bool {
        var (here, there) = (stat(), stat())
        return stat(ScenarioPlace.parent, &here) == 0 && stat(elsewhere, &there) == 0 && here.st_dev != there.st_dev
            && access(elsewhere, W_OK) == 0
    }

    /// Found out once, by trying.
    private static let namespaceComplaint: String? = {
        let missing = [Programs.unshare, .nsenter, .mount].filter { $0.path == nil }
        if !missing.isEmpty { return missing.map(\.advice).joined(separator: "; ") }
        let mount = ["--user", "--map-root-user", "--mount", "mount", "-t", "tmpfs", "none", "/mnt"]
        let result = try? Programs.unshare.program.run(mount, in: TemporaryFolder())
        if result?.code == 0 { return nil }
        return "users may not have mounts of their own here: \(result?.messages ?? "unshare does not start")"
    }()
}

extension [Need] {
    /// Why they cannot be met; nil where they can.
    package var complaint: String? {
        let complaints = compactMap(\.complaint)
        return complaints.isEmpty ? nil : complaints.joined(separator: "; ")
    }

    /// Ends the test case where one of them is missing.
    package func require(for name: String) throws {
        if let complaint { try Need.skip(name, complaint) }
    }
}

extension Need {
    /// Ends a test case that cannot be tried, and says so, since nothing else names it; fails it where nothing may be
    /// skipped.
    package static func skip(_ name: String, _ reason: String) throws -> Never {
        if Programs.nothingMayBeSkipped { throw SystemRefusal(reason) }
        print("skipped: \(name): \(reason)")
        try Test.cancel("\(reason)")
    }
}
