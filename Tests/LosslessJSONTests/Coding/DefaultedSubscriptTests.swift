import LosslessJSON
import Testing

@Suite("Dictionary elements of a Defaulted type")
struct DefaultedSubscriptTests {
    struct Window: Defaulted, Equatable {
        var width = 640
        var height = 480
    }

    struct Layout: Codable {
        var windows: [String: Window] = [:]
    }

    @Test("Reading a missing element yields the default value and does not insert it")
    func reading() {
        let layout = Layout(windows: ["a": Window(width: 1)])
        #expect(layout.windows[defaulted: "a"] == Window(width: 1))
        #expect(layout.windows[defaulted: "b"].height == 480)
        #expect(layout.windows.count == 1)
    }

    @Test("Writing a property of a missing element inserts one with the other defaults")
    func writing() {
        var layout = Layout()
        layout.windows[defaulted: "a"].width = 5
        layout.windows[defaulted: "a"].height += 1
        layout.windows[defaulted: "b"] = Window()
        #expect(layout.windows == ["a": Window(width: 5, height: 481), "b": Window()])
    }

    @Test("Key paths through an element can be read and written")
    func keyPaths() {
        let path: WritableKeyPath<Layout, Int> = \.windows[defaulted: "main"].width
        var layout = Layout()
        #expect(layout[keyPath: path] == 640)
        layout[keyPath: path] = 800
        #expect(layout.windows == ["main": Window(width: 800)])
        #expect(path == \.windows[defaulted: "main"].width && path != \.windows[defaulted: "other"].width)
    }
}
