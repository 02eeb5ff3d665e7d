import Locking
import LosslessJSON

@testable import DurableFiles
@testable import SessionMirror

/// What a file holds, in a world without files.
struct PretendedFile {
    enum Content {
        case missing
        case good(JSONDocument)
        /// Cut off in the middle.
        case unfinished([UInt8])
        /// Whole, but nothing that the program takes.
        case mistaken(JSONDocument)
    }

    private(set) var content: Content
    /// Another one with each writing.
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
        case .unfinished, .mistaken: true
        case .missing, .good: false
        }
    }

    var bytes: [UInt8]? {
        switch content {
        case .missing: nil
        case .good(let document), .mistaken(let document): document.bytes
        case .unfinished(let bytes): bytes
        }
    }

    /// What a replacement would find.
    var found: FileContents? {
        bytes.map { FileContents(bytes: $0, identity: Self.identity, mode: 0o644, isStable: true) }
    }

    private static let identity = FileIdentity(
        device: 1, inode: 1, size: 0, modified: FileTime(seconds: 0, nanoseconds: 0),
        changed: FileTime(seconds: 0, nanoseconds: 0))

    /// What a look sees, as a ``FileLook`` does.
    func sight(from standing: Standing, by meeting: Meeting, at moment: Moment) -> Sight {
        guard let bytes else { return .missing }
        let document: JSONDocument
        do throws(JSONSyntaxError) {
            if let known = standing.document, known.holds(bytes) {
                if standing.isJudged { return .same }
                document = known
            } else {
                document = try standing.document(of: bytes, JSONDocument.Options())
            }
        } catch {
            return .refused(Problem(.syntax, meeting.file, error), .unfinished)
        }
        do throws(Meeting.Refusal) {
            return .good(try meeting.outcome(standing, document, at: moment))
        } catch {
            switch error {
            case .refused(let problem): return .refused(problem, .final)
            case .held(let problem): return .held(problem)
            }
        }
    }
}
