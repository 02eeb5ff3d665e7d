import DurableFiles
import Glibc
import TestSupport
import Testing

@Suite("Write markers")
struct WriteMarkerTests {
    private let fixture: ReplaceFixture
    private let name = "user.test"

    init() throws { fixture = try ReplaceFixture() }

    /// Replaces the file with a marker, and returns the marker that was found.
    @discardableResult
    private func replace(_ text: String, payload: String?, _ options: ReplaceOptions = .durable) throws -> String? {
        let marker = WriteMarker(name)
        try fixture.file.replace(limit: 1_000, options: options, marker: marker) { _ in
            marker.next = payload.map { Array($0.utf8) }
            return Array(text.utf8)
        }
        return marker.found.map { String(decoding: $0, as: UTF8.self) }
    }

    private func read() throws -> String? {
        let marker = WriteMarker(name)
        _ = try fixture.file.read(limit: 1_000, through: Kernel.shared, marker: marker)
        return marker.found.map { String(decoding: $0, as: UTF8.self) }
    }

    @Test("A write marker is found by the next replacement and by a read") func found() throws {
        #expect(try replace("one", payload: "first") == nil)
        #expect(try read() == "first")
        #expect(try replace("two", payload: "second") == "first")
        #expect(try read() == "second")
        #expect(try fixture.names() == ["a.json"])
    }

    @Test("A write marker is stored with a created file and with one written in place") func others() throws {
        try fixture.folder.remove("a.json")
        #expect(try replace("one", payload: "first") == nil)
        #expect(try read() == "first")
        #expect(link(fixture.folder.path(of: "a.json"), fixture.folder.path(of: "b.json")) == 0)
        var options = ReplaceOptions.durable
        options.hardLinks = .keep
        #expect(try replace("two", payload: "second", options) == "first")
        #expect(try read() == "second")
    }

    @Test("A write marker disappears when another file is renamed over") func gone() throws {
        try replace("one", payload: "first")
        try fixture.renameOver("theirs")
        #expect(try read() == nil)
        #expect(try replace("two", payload: nil) == nil)
        #expect(try read() == nil)
    }

    @Test("A write marker that the file system rejects is no error") func refused() throws {
        try replace("one", payload: String(repeating: "x", count: 100_000))
        #expect(try fixture.text() == "one" && read() == nil)
    }
}
