import Testing

@testable import LosslessJSON

@Suite("Nearest names")
struct NearestNameTests {
    private func nearest(_ word: String, _ names: [String], limit: Int = 3) -> [String] {
        NearestName(to: word).among(names, limit: limit)
    }

    @Test(
        "A name that differs by one edit, a transposition or in case is suggested",
        arguments: ["timeouts", "timeot", "timeaut", "tiemout", "Timeout", "TIMEOUT"])
    func oneEdit(word: String) {
        #expect(nearest(word, ["port", "timeout", "host"]) == ["timeout"])
    }

    @Test("A name that begins with the word, or is a prefix of it, is suggested")
    func beginnings() {
        #expect(nearest("max", ["maxConnections", "minConnections"]) == ["maxConnections"])
        #expect(nearest("hostname", ["host"]) == ["host"])
        #expect(nearest("m", ["maxConnections"]) == [])
    }

    @Test("Suggestions are ordered by distance, and equally distant names keep their order")
    func order() {
        #expect(nearest("color", ["colony", "colour", "dolor", "color"]) == ["color", "colour", "dolor"])
        #expect(nearest("color", ["colony", "colour", "dolor"], limit: 1) == ["colour"])
        #expect(nearest("color", ["colony", "colour", "dolor"], limit: 5) == ["colour", "dolor", "colony"])
    }

    @Test("No name is suggested if none is similar")
    func nothing() {
        #expect(nearest("port", ["host", "greeting", "x", ""]) == [])
        #expect(nearest("", ["a", "host"]) == ["a"])
        #expect(nearest("port", []) == [])
    }

    @Test("Names of a million letters are compared in reasonable time")
    func longNames() {
        let long = String(repeating: "x", count: 1_000_000)
        #expect(nearest(long, [long, "x"]) == [])
        #expect(nearest("port", [long, "prt"]) == ["prt"])
    }
}
