import LosslessJSON
import TestSupport
import Testing

/// A file with comments, written by processes of SaveProbe and `sed`.
struct SharedFile {
    let folder: TemporaryFolder
    private let program = Program.built("SaveProbe")

    static let name = "shared.json"

    private static let comments = [
        "// Kept by several processes at once.", "/* everybody counts here */", "// and never back",
        "// what people add stands before it",
    ]

    private static let text = """
        \(comments[0])
        {
          \(comments[1])
          "count": 0, \(comments[2])
          "end": true \(comments[3])
        }

        """

    init() throws {
        folder = try TemporaryFolder()
        try folder.write(Self.name, Self.text)
    }

    /// Starts a process with the probe named by the first argument.
    func start(_ mode: String, _ arguments: String...) throws -> RunningProgram {
        try program.start([mode, Self.name] + arguments, in: folder, input: .lines)
    }
}

extension SharedFile {
    /// The values of the file. Throws if it is incomplete.
    func values() throws -> JSON { try JSONDocument(parsing: folder.readBytes(Self.name)).value }

    /// Checks that all comments and keys of others are kept, and that no other file is left in the directory.
    func expectWhole(withKeysOf sed: Int) throws {
        let (text, values) = (try folder.read(Self.name), try values())
        for comment in Self.comments { #expect(text.contains(comment)) }
        #expect(values["end"] == true)
        let lost = (0..<sed).map { $0 + 1 }.filter { number in values["k\(number)"]?.int != number }
        #expect(lost == [], "keys of sed are lost")
        #expect(try folder.leftovers() == [])
    }
}
