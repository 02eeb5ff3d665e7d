internal import DurableFiles
internal import Glibc
internal import Locking
internal import LosslessJSON

/// Loads the file: reads, parses, decodes and validates it, and reconciles it with memory. Runs on the calling thread,
/// without a lock.
struct FileLoader: Sendable {
    let file: DurableFile
    let trustedOwners: Set<UInt32>
    /// Restored on a file that is deleted and created again.
    let attributes = LastKnownAttributes()
    let parsing: JSONDocument.Options
    let reconciler: Reconciler

    /// The path as the program passed it, for messages.
    var path: String { reconciler.file }

    /// Loads the file and reconciles it with memory.
    func load(reconcilingWith syncBase: SyncBase) -> LoadResult {
        let storage = TextStorage()
        let marker = syncBase.ownWrites.isEmpty ? nil : WriteMarker(WriteIntents.attributeName)
        let isStable: Bool
        do throws(FileError) {
            isStable = try file.read(
                into: storage, limit: parsing.sizeLimit, trustedOwners: trustedOwners, marker: marker,
                lastAttributes: attributes)
        } catch {
            return unreadable(error)
        }
        guard isStable else {
            return .invalid(SessionProblem(.unstable, in: path, "the file changed each time it was read"), .incomplete)
        }
        let text = storage.text
        do throws(JSONSyntaxError) {
            let document = try syncBase.document(of: text, parsing)
            if let known = syncBase.document, document.hasSameStorage(as: known) {
                return syncBase.isReconciled ? .unchanged : reconciled(syncBase, document, WriteIntents())
            }
            if document.isBlank, !syncBase.acceptsBlankText { return .blank(in: path) }
            let intents = WriteIntents(marker?.found, with: text.withStoredBytes { Digest($0) })
            return reconciled(syncBase, document, intents)
        } catch {
            return .invalid(SessionProblem(.syntax, in: path, reconciler.secrets.redacting(error)), .incomplete)
        }
    }

    private func reconciled(_ syncBase: SyncBase, _ document: JSONDocument, _ intents: WriteIntents) -> LoadResult {
        do throws(ReconcileFailure) {
            return .loaded(try reconciler.reconcile(syncBase, document, intents, at: .now))
        } catch {
            switch error {
            case .invalid(let problem): return .invalid(problem, .permanent)
            case .blocked(let problem): return .blocked(problem, of: syncBase.snapshot)
            }
        }
    }

    private func unreadable(_ error: FileError) -> LoadResult {
        func invalid(_ code: SessionProblem.Code, _ permanence: LoadResult.Permanence = .incomplete) -> LoadResult {
            .invalid(SessionProblem(unreadable: error, code, in: path), permanence)
        }
        return switch error.code {
        case .missing: .missing
        case .directory, .notRegular: invalid(.notAFile)
        case .tooLarge: invalid(.tooLarge)
        case .busy, .system: invalid(.unreadable, .transient)
        default: invalid(.unreadable)
        }
    }
}

/// The result of loading the file.
enum LoadResult: Sendable {
    /// The file is valid and was reconciled with memory.
    case loaded(Reconciliation)
    /// The file has the same bytes as before.
    case unchanged
    /// There is no file.
    case missing
    /// The file cannot be used.
    case invalid(SessionProblem, Permanence)
    /// The file is valid, but cannot be reconciled with this value in memory.
    case blocked(SessionProblem, of: AnySnapshotStorage)

    /// How an invalid file may become valid.
    enum Permanence: Sendable {
        /// Only by another edit.
        case permanent
        /// Its writer may not have finished yet.
        case incomplete
        /// The text has no value. Its writer may not have finished yet; otherwise it counts as an empty object.
        case blank
        /// Without a change of the file: the system lacks a resource, or another process holds the file.
        case transient
    }

    static func blank(in file: String) -> LoadResult {
        .invalid(SessionProblem(.syntax, in: file, "the text has no value"), .blank)
    }
}

/// Reads the file to where its document needs it.
private final class TextStorage: FileStorage {
    private(set) lazy var text = JSONText(copying: [])

    func replace(capacity: Int, _ fill: Fill) throws(ErrorNumber) {
        let memory = JSONText.Memory(capacity: capacity)
        text = memory.text(count: try fill(memory.bytes))
    }

    func withStoredBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result { text.withStoredBytes(body) }
}

extension JSONDocument {
    func holds(_ bytes: [UInt8]) -> Bool {
        withBytes { text in
            guard text.count == bytes.count, let start = text.baseAddress else { return text.count == bytes.count }
            return bytes.withUnsafeBytes { memcmp(start, $0.baseAddress!, bytes.count) == 0 }
        }
    }

    /// Whether both have the same bytes.
    package func hasSameText(as other: JSONDocument) -> Bool {
        withBytes { text in
            other.withBytes { others in
                guard text.count == others.count, let start = text.baseAddress, let other = others.baseAddress else {
                    return text.count == others.count
                }
                return memcmp(start, other, text.count) == 0
            }
        }
    }
}
