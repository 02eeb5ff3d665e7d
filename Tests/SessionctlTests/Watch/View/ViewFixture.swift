import Glibc
import LosslessJSON
import SessionMirror

@testable import sessionctl

/// A view without a terminal, whose clock is moved by hand.
struct ViewFixture {
    var state: ViewState
    private(set) var now = ContinuousClock.now
    private var versions: [Int]

    /// The character widths that tests rely on.
    private static let locale: Void = { setlocale(LC_CTYPE, "C.UTF-8") }()

    init(
        _ values: JSON..., paths: [String] = [], secrets: [String] = [], columns: Int = 60, rows: Int = 20
    ) throws {
        _ = Self.locale
        let titles = values.indices.map { "\(["a", "b", "c"][$0]).json" }
        var arguments = Arguments()
        arguments.operands = titles
        for path in paths { arguments.add(.at, value: path) }
        for secret in secrets { arguments.add(.redact, value: secret) }
        versions = values.map { _ in 1 }
        state = ViewState(
            try WatchRequest(arguments), files: zip(titles, values).map { ($0, Snapshot($1)) },
            size: ViewLayout.Size(columns: columns, rows: rows))
    }

    /// Shows the next version of a file; the number of changes.
    @discardableResult
    mutating func show(_ value: JSON, of file: Int = 0) -> Int {
        versions[file] += 1
        let snapshot = Snapshot(value, version: Version(versions[file]), origin: .external)
        return state.show(snapshot, of: file, at: UnixTime(nanoseconds: 0), now: now)
    }

    mutating func report(_ content: MirrorStatus.Content, of file: Int = 0) {
        state.show(.status(MirrorStatus(watching: .live, content: content)), of: file)
    }

    @discardableResult
    mutating func press(_ keys: ViewKey...) -> ViewState.Reaction {
        keys.map { state.press($0, now: now) }.last ?? .none
    }

    /// Presses the keys of characters.
    mutating func type(_ text: String) { for scalar in text.unicodeScalars { press(.character(scalar)) } }

    mutating func wait(_ duration: Duration) { now += duration }

    var frame: Frame { state.frame(now: now) }
    var text: [String] { frame.text }

    /// The tree, without the other parts of the screen: key and value of each row.
    var tree: [String] {
        let range = (state.layout.hasHeader ? 1 : 0)..<(state.layout.hasHeader ? 1 : 0) + state.visibleRows.count
        return text[range].map { line in
            line.split(separator: " ", omittingEmptySubsequences: true).joined(separator: " ")
        }
    }

    /// The selected row, as shown.
    var selected: String { tree[state.treePosition.selected - state.treePosition.top] }

    /// The style of the first span that contains a text.
    func style(of text: String) -> Style? {
        frame.lines.flatMap(\.spans).first { $0.text.contains(text) }?.style
    }
}
