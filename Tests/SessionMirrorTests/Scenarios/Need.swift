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
    /// Ends the test case, skipped by name, where one of them is missing; fails it where nothing may be skipped.
    func require() throws {
        let complaints = compactMap(\.complaint)
        if complaints.isEmpty { return }
        let words = complaints.joined(separator: "; ")
        if Programs.nothingMayBeSkipped { throw SystemRefusal(words) }
        try Test.cancel("\(words)")
    }
}
