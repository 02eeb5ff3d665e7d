import LosslessJSON
import SessionMirror
import VisibleText

/// The state of `watch --view`: what is known of the files, and what part of it is selected and visible.
///
/// A value without effects. It receives versions, reports, keys and the size of the screen, and computes a ``Frame``
/// for a point in time.
struct ViewState {
    typealias Instant = ContinuousClock.Instant

    /// What is known of a file.
    struct File {
        let title: String
        fileprivate(set) var value: JSON
        fileprivate(set) var version: Version
        fileprivate(set) var status: MirrorStatus?
        fileprivate(set) var highlights = Highlights()
    }

    /// A search that is typed, or the last one.
    struct Search {
        var query = ""
        var isTyping = false
        var isUnsuccessful = false
    }

    let request: WatchRequest
    private(set) var files: [File]
    private(set) var rows: TreeRows
    private(set) var history = ChangeHistory()
    /// The newest versions while the view is paused.
    private var pending: [Int: (snapshot: Snapshot<JSON>, time: UnixTime)] = [:]
    private(set) var isPaused = false

    private(set) var size: ViewLayout.Size
    var focus = ViewLayout.Focus.tree
    var treePosition = ListPosition()
    var changePosition = ListPosition()
    /// The selected row, which stays selected while rows come and go.
    var selectedPath = RowPath(branch: 0, tokens: [])
    var search = Search()
    var showsHelp = false

    /// - Parameter files: Their names, and their values at the start.
    init(_ request: WatchRequest, files: [(title: String, snapshot: Snapshot<JSON>)], size: ViewLayout.Size) {
        (self.request, self.size) = (request, size)
        (self.files, rows) = ([], TreeRows())
        for file in files { add(file.title, file.snapshot) }
    }

    /// Adds a file that has appeared in a directory.
    mutating func add(_ title: String, _ snapshot: Snapshot<JSON>) {
        files.append(File(title: title, value: snapshot.value, version: snapshot.version))
        rows.addFile(paths: request.paths)
        rows.show(snapshot.value, of: files.count - 1)
        clamp()
    }

    var layout: ViewLayout { ViewLayout(size, problemLines: problemLines.count, focus: focus) }

    /// The visible rows of the tree.
    var visibleRows: [TreeRow] { rows[treePosition.range(count: rows.count, height: layout.treeHeight)] }
}

extension ViewState {
    /// Shows a version, unless the view is paused. Returns the number of changes.
    mutating func show(_ snapshot: Snapshot<JSON>, of index: Int, at time: UnixTime, now: Instant) -> Int {
        guard !isPaused else {
            pending[index] = (snapshot, time)
            return 0
        }
        guard snapshot.version > files[index].version else { return 0 }
        let changes = snapshot.value.difference(from: files[index].value).filter { request.includes($0.path) }
        (files[index].value, files[index].version) = (snapshot.value, snapshot.version)
        for change in changes { files[index].highlights.add(change, at: now) }
        history.add(changes, of: index, snapshot.origin, at: time, hiding: request.secrets)
        // A selected change stays where it is, while newer ones come before it.
        if focus == .changes, changePosition.selected > 0 {
            changePosition.follow(changePosition.selected + min(changes.count, ChangeHistory.limit))
        }
        rows.show(snapshot.value, of: index)
        selectAgain()
        return changes.count
    }

    mutating func show(_ report: MirrorReport, of index: Int) {
        if case .status(let status) = report { files[index].status = status }
        clamp()
    }

    /// Changes the size of the screen.
    mutating func resize(to size: ViewLayout.Size) {
        self.size = size
        clamp()
    }

    /// Stops showing newer versions, or shows them again. Returns the number of changes.
    mutating func setPaused(_ paused: Bool, now: Instant) -> Int {
        isPaused = paused
        if paused { return 0 }
        defer { pending = [:] }
        return pending.sorted { $0.key < $1.key }.reduce(0) { count, version in
            count + show(version.value.snapshot, of: version.key, at: version.value.time, now: now)
        }
    }

    /// Whether newer versions are known than those shown.
    var isBehind: Bool { !pending.isEmpty }
}

extension ViewState {
    mutating func setOpen(_ isOpen: Bool, at path: RowPath) {
        rows.setOpen(isOpen, at: path)
        selectAgain()
    }

    /// Selects a value, and opens the containers around it.
    mutating func reveal(_ path: RowPath) {
        rows.reveal(path)
        guard let index = rows.index(of: path) else { return }
        treePosition.select(index)
        clamp()
    }

    /// Finds the selected row again after rows came or went; the row in its place if it is gone.
    private mutating func selectAgain() {
        if let index = rows.index(of: selectedPath) { treePosition.follow(index) }
        clamp()
    }

    /// Corrects positions after rows, keys or the size have changed them.
    mutating func clamp() {
        let layout = layout
        treePosition.clamp(count: rows.count, height: layout.treeHeight)
        changePosition.clamp(count: history.count, height: layout.changesHeight)
        let selected = treePosition.selected
        if let row = rows[selected..<selected + 1].first { selectedPath = row.path }
    }
}
