import Glibc
import TestSupport
import Testing

/// What a scenario cannot do without.
enum Need: Sendable {
    case program(Programs)
    case otherFileSystem

    /// A file system that is not on a disk.
    static let elsewhere = "/dev/shm"

    init(_ word: String) throws {
        if word == "tmpfs" {
            self = .otherFileSystem
        } else if let program = Programs(rawValue: word) {
            self = .program(program)
        } else {
            throw SystemRefusal("TestSupport.Programs does not know \(word)")
        }
    }

    /// What to say where it is missing; nil where it is there.
    var complaint: String? {
        switch self {
        case .program(let program): program.path == nil ? program.advice : nil
        case .otherFileSystem: Self.isElsewhere ? nil : "\(Self.elsewhere) is no other file system that can be written"
        }
    }

    private static var isElsewhere: Bool {
        var (here, there) = (stat(), stat())
        return stat(ScenarioPlace.parent, &here) == 0 && stat(elsewhere, &there) == 0 && here.st_dev != there.st_dev
            && access(elsewhere, W_OK) == 0
    }
}

extension [Need] {
    /// Ends the test case where one of them is missing.
    func require(for name: String) throws {
        let complaints = compactMap(\.complaint)
        if !complaints.isEmpty { try Need.skip(name, complaints.joined(separator: "; ")) }
    }
}

extension Need {
    /// Ends a test case that cannot be tried, and says so, since nothing else names it; fails it where nothing may be
    /// skipped.
    static func skip(_ name: String, _ reason: String) throws -> Never {
        if Programs.nothingMayBeSkipped { throw SystemRefusal(reason) }
        print("skipped: \(name): \(reason)")
        try Test.cancel("\(reason)")
    }
}
