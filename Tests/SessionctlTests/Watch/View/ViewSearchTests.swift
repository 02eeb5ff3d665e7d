import LosslessJSON
import Testing

@testable import sessionctl

@Suite("Search in the view") struct ViewSearchTests {
    private func view() throws -> ViewFixture {
        var view = try ViewFixture(["a": ["deep": ["Needle": 1]], "b": ["needle", 2]])
        view.press(.down, .left)
        return view
    }

    @Test("A search opens what hides the match; n and N go on") func found() throws {
        var view = try view()
        view.type("/needl")
        #expect(view.text.last == "/needl_")
        view.press(.enter)
        #expect(view.selected == "Needle 1" && view.state.selectedPath.tokens == ["a", "deep", "Needle"])
        view.type("n")
        #expect(view.state.selectedPath.tokens == ["b", "0"])
        view.type("n")
        #expect(view.state.selectedPath.tokens == ["a", "deep", "Needle"])
        view.type("N")
        #expect(view.state.selectedPath.tokens == ["b", "0"])
    }

    @Test("What is not found is said, until the next key") func missing() throws {
        var view = try view()
        let before = view.state.selectedPath
        view.type("/zzz")
        view.press(.enter)
        #expect(view.text.last == " not found: zzz" && view.state.selectedPath == before)
        view.press(.down)
        #expect(view.text.last?.contains("quit") == true)
    }

    @Test("Typing can be corrected and given up; keys of the view are text then") func typing() throws {
        var view = try view()
        view.type("/qp?x")
        view.press(.backspace, .character("é"))
        #expect(view.text.last == "/qp?é_")
        view.press(.character("\u{1B}"), .character("\u{202E}"), .up, .tab)
        #expect(view.text.last == "/qp?é_")
        view.press(.escape)
        #expect(view.state.search.query == "" && !view.state.search.isTyping)
        view.type("/")
        view.press(.backspace)
        #expect(!view.state.search.isTyping)
        view.type("/" + String(repeating: "長", count: 100))
        #expect(view.frame.lines.allSatisfy { $0.columns == 60 })
        #expect(view.text.last?.hasSuffix("長_") == true)
    }

    @Test("Help replaces the tree until a key is pressed; q quits in any case") func help() throws {
        var view = try view()
        view.type("?")
        #expect(view.text.contains { $0.contains("search keys and values") })
        view.type("j")
        #expect(!view.text.contains { $0.contains("search keys and values") })
        view.type("h")
        #expect(view.press(.character("q")) == .quit)
        view.type("x")
        #expect(view.press(.character("q")) == .quit)
    }
}
