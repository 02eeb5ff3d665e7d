import Locking
import LosslessJSON

@testable import DurableFiles
@testable import SessionMirror

/// A simulated file.
struct SimulatedFile {
    enum Content {
        case missing
        case good(JSONDocument)
        /// Truncated.
        case incomplete([UInt8])
        /// Complete, but rejected by the check.
        case invalid(JSONDocument)
    }

    private(set) var content: Content
    /// Changes with each write.
    private(set) var stamp = 0

    init(_ content: Content) { self.content = content }

    mutating func write(_ content: Content) {
        self.content = content
        stamp += 1
    }

    var document: JSONDocument? { if case .good(let document) = content { document } else { nil } }

    var isMissing: Bool { if case .missing = content { true } else { false } }

    var isInvalid: Bool {
        switch content {
        case .incomplete, .invalid: true
        case .missing, .good: false
        }
    }

    var bytes: [UInt8]? {
        switch content {
        case .missing: nil
        case .good(let document), .invalid(let document): document.bytes
        case .incomplete(let bytes): bytes
        }
    }

    /// The contents that a save finds.
    var found: FileContents? {
        bytes.map { FileContents(bytes: $0, identity: Self.identity, mode: 0o644, isStable: true) }
    }

    private static let identity = FileIdentity(
        device: 1, inode: 1, size: 0, modified: FileTime(seconds: 0, nanoseconds: 0),
        changed: FileTime(seconds: 0, nanoseconds: 0))

    /// The result of a load, like that of ``FileLoader``.
    func loadResult(from syncBase: SyncBase, by reconciler: Reconciler, at moment: Instant) -> LoadResult {
        guard let bytes else { return .missing }
        let document: JSONDocument
        do throws(JSONSyntaxError) {
            if let known = syncBase.document, known.holds(bytes) {
                if syncBase.isReconciled { return .unchanged }
                document = known
            } else {
                document = try syncBase.document(of: JSONText(copying: bytes), JSONDocument.Options())
            }
        } catch {
            return .invalid(SessionProblem(.syntax, in: reconciler.file, error), .incomplete)
        }
        do throws(ReconcileFailure) {
            return .loaded(try reconciler.reconcile(syncBase, document, at: moment))
        } catch {
            switch error {
            case .invalid(let problem): return .invalid(problem, .permanent)
            case .blocked(let problem): return .blocked(problem, of: syncBase.snapshot)
            }
        }
    }
}
