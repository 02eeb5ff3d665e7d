import Testing

@testable import sessionctl

@Suite("The nearest names")
struct NearestTests {
    private func nearest(_ word: String, _ names: [String], limit: Int = 3) -> [String] {
        Nearest(to: word).among(names, limit: limit)
    }

    @Test(
        "differ by a letter added, left out, replaced, or by two that are swapped",
        arguments: ["timeouts", "timeot", "timeaut", "tiemout", "Timeout", "TIMEOUT"])
    func oneEdit(word: String) {
        #expect(nearest(word, ["port", "timeout", "host"]) == ["timeout"])
    }

    @Test("begin with the word, or are its beginning")
    func beginnings() {
        #expect(nearest("max", ["maxConnections", "minConnections"]) == ["maxConnections"])
        #expect(nearest("hostname", ["host"]) == ["host"])
        #expect(nearest("m", ["maxConnections"]) == [])
    }

    @Test("come in the order of their distance, equal ones in the order in which they stand")
    func order() {
        #expect(nearest("color", ["colony", "colour", "dolor", "color"]) == ["color", "colour", "dolor"])
        #expect(nearest("color", ["colony", "colour", "dolor"], limit: 1) == ["colour"])
        #expect(nearest("color", ["colony", "colour", "dolor"], limit: 5) == ["colour", "dolor", "colony"])
    }

    @Test("are none when nothing is near")
    func nothing() {
        #expect(nearest("port", ["host", "greeting", "x", ""]) == [])
        #expect(nearest("", ["a", "host"]) == ["a"])
        #expect(nearest("port", []) == [])
    }

    @Test("are found among names of any length in reasonable time")
    func longNames() {
        let long = String(repeating: "x", count: 1_000_000)
        #expect(nearest(long, [long, "x"]) == [])
        #expect(nearest("port", [long, "prt"]) == ["prt"])
    }
}
