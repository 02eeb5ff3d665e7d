import LosslessJSON
import SessionMirror
import Testing

@testable import sessionctl

@Suite("State of the view") struct ViewStateTests {
    @Test("The tree shows keys and values of all open containers") func tree() throws {
        let view = try ViewFixture(["http": ["port": 8080, "hosts": ["a", "b"]], "empty": [:]])
        #expect(
            view.tree == [
                "▾ a.json 2 members", "▾ http 2 members", "port 8080", "▾ hosts 2 elements", #"0 "a""#, #"1 "b""#,
                "empty {}",
            ])
    }

    @Test("Containers are closed and opened by keys; a closed one shows its beginning") func folding() throws {
        var view = try ViewFixture(["http": ["port": 8080], "x": 1])
        view.press(.down, .left)
        #expect(view.tree == ["▾ a.json 2 members", #"▸ http {"port":8080}"#, "x 1"])
        view.press(.right)
        #expect(view.tree.count == 4)
        view.press(.right)
        #expect(view.selected == "port 8080")
        view.press(.left)
        #expect(view.selected == "▾ http 1 member")
        view.press(.character(" "))
        #expect(view.tree.count == 3)
        view.press(.enter, .left)
        #expect(view.tree.count == 3 && view.selected == #"▸ http {"port":8080}"#)
        view.press(.left)
        #expect(view.selected == "▾ a.json 2 members")
    }

    @Test("Keys move the selection and scroll") func moving() throws {
        var view = try ViewFixture(.array(JSONArray((0..<100).map { JSON($0) })), rows: 8)
        #expect(view.state.layout.treeHeight == 6)
        view.press(.down, .character("j"), .up, .character("k"), .down)
        #expect(view.selected == "0 0")
        view.press(.pageDown)
        #expect(view.selected == "5 5" && view.tree.last == "5 5")
        view.press(.end)
        #expect(view.selected == "99 99" && view.tree.first == "94 94")
        view.press(.pageUp)
        #expect(view.selected == "94 94")
        view.press(.character("g"))
        #expect(view.selected == "▾ a.json 100 elements")
        view.press(.character("G"), .home, .up)
        #expect(view.selected == "▾ a.json 100 elements")
    }

    @Test("The selected value stays selected, at its place of the screen, while rows come and go") func selection()
        throws
    {
        var view = try ViewFixture(.array(JSONArray((0..<100).map { JSON($0) })), rows: 8)
        view.press(.end)
        view.press(.up, .up)
        #expect(view.selected == "97 97")
        view = try ViewFixture(["b": 1, "c": 2, "d": 3], rows: 8)
        view.press(.down, .down)
        #expect(view.selected == "c 2")
        view.show(.object(["a": 1, "b": 1, "c": 2, "d": 3]))
        #expect(view.selected.hasSuffix("c 2"))
        view.show(["b": 1, "d": 3])
        #expect(view.selected == "d 3")
        view.show([:])
        #expect(view.state.selectedPath.tokens == [])
    }

    @Test("Changes are marked and colored as by diff for three seconds") func highlights() throws {
        var view = try ViewFixture(["a": 1, "b": 2, "c": ["d": 1]], columns: 70, rows: 11)
        view.show(["a": 5, "c": ["d": 1], "e": 3])
        #expect(view.tree == ["▾ a.json 3 members - b", "~ a 5", "▾ c 1 member", "d 1", "+ e 3"])
        #expect(view.style(of: "  a ") == Style(color: .yellow, isBold: true))
        #expect(view.style(of: "  e ") == Style(color: .green, isBold: true))
        #expect(view.style(of: "- b")?.color == .red)
        #expect(view.frame.expiry == view.now + Highlights.duration)
        view.wait(Highlights.duration)
        #expect(view.tree == ["▾ a.json 3 members", "a 5", "▾ c 1 member", "d 1", "e 3"])
        #expect(view.frame.expiry == nil)
    }

    @Test("A closed container is marked when something in it changes") func highlightOfClosed() throws {
        var view = try ViewFixture(["c": ["d": 1]])
        view.press(.down, .left)
        view.show(["c": ["d": 2]])
        #expect(view.tree.last == #"~▸ c {"d":2}"# || view.tree.last == #"~ ▸ c {"d":2}"#)
    }

    @Test("The last changes are listed with time, origin, path and both values, the newest first") func history() throws
    {
        var view = try ViewFixture(["a": 1, "b": 2], columns: 80)
        view.show(["a": 2, "b": 2])
        view.show(["b": 2, "c": "x"])
        let list = view.text.drop { !$0.hasPrefix("──") }
        #expect(list.first?.hasPrefix("── 3 changes, the last first ──") == true)
        let clock = UnixTime(nanoseconds: 0).clock
        let words = list.dropFirst().prefix(3).map { $0.split(separator: " ").joined(separator: " ") }
        #expect(
            words == [
                #"+ \#(clock) external c (none) → "x""#, "- \(clock) external a 2 → (none)",
                "~ \(clock) external a 1 → 2",
            ])
    }

    @Test("The history is limited") func longHistory() throws {
        var view = try ViewFixture(0)
        for number in 1...2_000 { view.show(JSON(number)) }
        #expect(view.state.history.total == 2_000)
        #expect(view.state.history.count <= 2 * ChangeHistory.limit)
        #expect(view.state.history[0].new == "2000" && view.state.history[499].new == "1501")
    }

    @Test("A selected change stays selected while newer ones arrive; Enter goes to its value") func changes() throws {
        var view = try ViewFixture(["a": ["b": 1], "c": 0], columns: 80)
        view.press(.down, .left)
        view.show(["a": ["b": 2], "c": 0])
        view.show(["a": ["b": 2], "c": 1])
        view.press(.tab, .down)
        for number in 2...5 { view.show(["a": ["b": 2], "c": JSON(number)]) }
        #expect(view.state.history[view.state.changePosition.selected].path == "a.b")
        view.press(.enter)
        #expect(view.state.focus == .tree && view.selected.contains("b 2"))
        view.show(["c": 5])
        view.press(.tab, .home, .enter)
        #expect(view.selected.hasPrefix("▾ a.json"))
    }

    @Test("A pause keeps the values; its end shows the newest") func pause() throws {
        var view = try ViewFixture(["a": 1])
        view.press(.character("p"))
        #expect(view.text[0].contains("paused"))
        view.show(["a": 2])
        #expect(view.show(["a": 3]) == 0)
        #expect(view.tree.last == "a 1" && view.text[0].contains("not up to date"))
        #expect(view.press(.character("p")) == .showedChanges(1))
        #expect(view.tree.last == "~ a 3" && !view.text[0].contains("paused"))
        #expect(view.state.history.total == 1 && view.state.history[0].old == "1")
    }

    @Test("Older versions are ignored") func order() throws {
        var view = try ViewFixture(["a": 1])
        let later = Snapshot<JSON>(["a": 3], version: Version(3), origin: .external)
        let earlier = Snapshot<JSON>(["a": 2], version: Version(2), origin: .external)
        #expect(view.state.show(later, of: 0, at: .now, now: view.now) == 1)
        #expect(view.state.show(earlier, of: 0, at: .now, now: view.now) == 0)
        #expect(view.tree.last == "~ a 3")
    }

    @Test("Paths limit the tree and the changes") func paths() throws {
        var view = try ViewFixture(["a": ["b": 1], "c": 1], paths: ["a", "d"])
        #expect(view.tree == ["a.json", "▾ a 1 member", "b 1", "d (none)"])
        #expect(view.show(["a": ["b": 1], "c": 2]) == 0)
        #expect(view.show(["a": ["b": 2], "c": 2, "d": [1]]) == 2)
        #expect(view.tree == ["a.json", "▾ a 1 member", "~ b 2", "+ ▾ d 1 element", "+ 0 1"])
    }

    @Test("Each of several files has a tree, and its status beside its name") func files() throws {
        var view = try ViewFixture(["x": 1], ["y": 2], columns: 90)
        view.report(.good)
        view.report(.missing, of: 1)
        #expect(view.text[0].contains("2 files, 1 missing"))
        #expect(
            view.tree == [
                "▾ a.json version 1 · live · 1 member", "x 1",
                "▾ b.json version 1 · missing · live · 1 member", "y 2",
            ])
        view.show(["y": 3], of: 1)
        #expect(view.text.contains { $0.contains("b.json: y") && $0.hasSuffix("2 → 3") })
    }

    @Test("Secrets are not shown, nor their containers opened") func secrets() throws {
        var view = try ViewFixture(["a": ["token": "hush", "x": 1], "b": ["c": "hush"]], secrets: ["a.token", "b"])
        view.press(.down)
        view.show(["a": ["token": "hush2", "x": 1], "b": ["c": "hush2"]])
        view.press(.left)
        view.press(.end, .right)
        #expect(!view.text.joined().contains("hush"))
        #expect(view.text.joined().contains("<redacted>"))
    }
}
