import LosslessJSON
import SessionMirror

/// Lines for people: `FILE:LINE: PATH: OLD → NEW`, and what is wrong as compilers say it.
struct PlainLines: WatchFormat {
    private let title: String
    private let paths: [JSONPointer]
    private var content = MirrorStatus.Content.good
    private var watching = MirrorStatus.Watching.live

    init(_ request: WatchRequest) { (title, paths) = (request.title, request.paths) }

    func beginning(_ snapshot: Snapshot<JSON>) -> String {
        "\(title): watching" + (paths.isEmpty ? "" : " \(paths.map(\.title).joined(separator: ", "))")
    }

    func changes(_ changes: [LocatedChange], in snapshot: Snapshot<JSON>, at time: UnixTime) -> [String] {
        changes.map { located in
            let place = located.line.map { "\(title):\($0)" } ?? title
            let (old, new) = (located.change.old, located.change.new)
            return "\(place): \(located.change.path.title): \(PlainLines.text(old)) → \(PlainLines.text(new))"
        }
    }

    private static func text(_ value: JSON?) -> String { value?.text(upTo: 200) ?? "(none)" }

    /// That it is good again is said when the status says so: it may be gone as well.
    mutating func report(_ report: MirrorReport) -> String? {
        switch report {
        case .problem(let problem): return problem.report(file: title).visibleLines
        case .recovered: return nil
        case .status(let status):
            defer { (content, watching) = (status.content, status.watching) }
            let news = [news(of: status.content), news(of: status.watching)].compactMap { $0 }
            return news.isEmpty ? nil : news.map { "\(title): \($0)" }.joined(separator: "\n")
        }
    }

    private func news(of newContent: MirrorStatus.Content) -> String? {
        switch (content, newContent) {
        case (.missing, .missing), (.good, .good), (_, .invalid): nil
        case (_, .missing): "there is no such file; waiting for one"
        case (.missing, .good): "the file is there"
        case (.invalid, .good): "good again"
        }
    }

    private func news(of newWatching: MirrorStatus.Watching) -> String? {
        if newWatching == watching { return nil }
        return switch newWatching {
        case .live: "changes are seen at once again"
        case .polling(let reason): "changes are looked for now and then: \(reason.visible)"
        case .frozen: "changes are not seen any more"
        }
    }
}

extension JSONPointer {
    /// What it is called in messages.
    var title: String { isRoot ? "(the whole)" : dotted.shortened(to: 200).visible }
}

extension JSON {
    /// On one line, cut where it becomes longer than a person reads.
    func text(upTo length: Int) -> String {
        JSONPrinter(layout: .compact).string(self).shortened(to: length).visible
    }
}
