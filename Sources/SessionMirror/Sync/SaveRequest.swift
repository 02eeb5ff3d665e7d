internal import Locking
package import LosslessJSON

/// A caller that waits for a save, of its own change or of the pending changes only.
struct SaveRequest: Sendable {
    /// Creates the next snapshot, with the given version number.
    typealias Change = @Sendable (AnySnapshotStorage, Version) throws -> AnySnapshotStorage

    let change: Change?
    /// The text to write as it is, if the change results in its value.
    var replacement: TextReplacement?
    /// Called once, when the save is durable or has failed.
    let completion: @Sendable ((any Error)?) -> Void
}

/// Another text of the whole file, for a file that still has the text it is derived from: comments and formatting
/// included.
package struct TextReplacement: Sendable {
    /// The text that is replaced; nil for a missing file.
    let base: JSONDocument?
    let text: JSONDocument

    package init(of base: JSONDocument?, by text: JSONDocument) { (self.base, self.text) = (base, text) }

    /// Returns the text, if it replaces `document` and has the value `tree`.
    func text(replacing document: JSONDocument?, for tree: JSON) -> JSONDocument? {
        if let document, base?.hasSameText(as: document) != true { return nil }
        return text.value.isSame(as: tree) ? text : nil
    }
}

/// The queue of requests that wait for a save.
final class SaveRequests: Sendable {
    private let waiting = Lock<[SaveRequest]>([])

    func add(_ request: SaveRequest) { waiting.withLock { $0.append(request) } }

    func takeAll() -> [SaveRequest] {
        waiting.withLock { waiting in
            defer { waiting = [] }
            return waiting
        }
    }

    /// Takes the requests without a change.
    func takeFlushes() -> [SaveRequest] {
        waiting.withLock { waiting in
            let flushes = waiting.filter { $0.change == nil }
            waiting.removeAll { $0.change == nil }
            return flushes
        }
    }

    var hasChanges: Bool { waiting.withLock { $0.contains { $0.change != nil } } }
}
