import LosslessJSON
import SessionMirror
import TestSupport
import Testing

@Suite("The form of a duration in the file") struct DurationFormTests {
    private let folder: TemporaryFolder

    private struct Timeouts: Codable, Sendable {
        var connect = Duration.seconds(1)
        var idle = Duration.seconds(90)
        var name = "5s"
        var retries = [Duration.seconds(1), .seconds(2)]
        var later: Duration?
    }

    /// Reads numbers as milliseconds and writes text.
    private struct Pause: Codable, Sendable, Equatable {
        var milliseconds: Int

        init(milliseconds: Int) { self.milliseconds = milliseconds }

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            if let number = try? container.decode(Int.self) {
                milliseconds = number
            } else {
                milliseconds = Int(try container.decode(String.self).dropLast(2)) ?? -1
            }
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            try container.encode("\(milliseconds)ms")
        }
    }

    init() throws { folder = try TemporaryFolder() }

    /// The text of the file after an update.
    private func saved<Root: Codable & Sendable>(
        _ text: String, _ defaults: Root, _ change: @Sendable (inout Root) -> Void
    ) throws -> String {
        try folder.write("a.json", text)
        let session = try Session(defaults, at: folder.path(of: "a.json"))
        try session.update { change(&$0) }
        try session.closeBlocking()
        return try folder.read("a.json")
    }

    @Test("A changed duration is written as a number where the file has a number, and as text where it has text")
    func bothForms() throws {
        let text = """
            {
              "connect": 2.50, // seconds
              "idle": "90s", // text
              "name": "5s",
              "retries": [1, "2s", 3e0],
              "later": 0
            }

            """
        let result = try saved(text, Timeouts()) { root in
            root.connect = .milliseconds(250)
            root.idle = .seconds(7_200)
            root.name = "6s"
            root.retries[0] = .seconds(-5)
            root.retries[1] = .seconds(61)
            root.later = .seconds(3_600)
        }
        let expected = """
            {
              "connect": 0.25, // seconds
              "idle": "2h", // text
              "name": "6s",
              "retries": [-5, "1m1s", 3e0],
              "later": 3600
            }

            """
        #expect(result == expected)
    }

    @Test("An unchanged duration keeps its bytes, in a list that changes its length too") func unchanged() throws {
        let text = #"{"connect": 2.50, "idle": "90s", "retries": [1.0, "60s"]} // µ"#
        #expect(try saved(text, Timeouts()) { $0.idle = .seconds(90) } == text)
        let longer = try saved(text, Timeouts()) { $0.retries.append(.seconds(3)) }
        #expect(longer == text.replacing(#""60s""#, with: #""60s", "3s""#))
    }

    @Test("A duration that the file leaves out is written as text") func missing() throws {
        #expect(try JSON(parsing: saved("{}", Timeouts()) { $0.idle = .seconds(5) }) == ["idle": "5s"])
    }

    @Test("A type that reads numbers as another unit gets text") func otherUnits() throws {
        for (found, written) in [("0", "7ms"), ("5", "7ms")] {
            let pause = try saved("{\"pause\": \(found)}", ["pause": Pause(milliseconds: 1)]) {
                $0["pause"]?.milliseconds = 7
            }
            #expect(try JSON(parsing: pause) == ["pause": JSON(written)])
        }
    }

    @Test("A session of any JSON writes texts and numbers as they are") func anyJSON() throws {
        let json = try saved(#"{"a": 5, "b": "5s"}"#, JSON.object([:])) { root in
            root["a"] = "6s"
            root["b"] = 6
        }
        #expect(try JSON(parsing: json) == ["a": "6s", "b": 6])
    }
}
