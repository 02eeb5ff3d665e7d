internal import DurableFiles
internal import Locking
internal import LosslessJSON

// Input: the file, memory, displaced edits and requests.
extension SaveTransaction {
    func reconcile(
        _ document: JSONDocument, _ intents: WriteIntents, fileExists: Bool, at moment: Instant
    ) throws -> SaveResult {
        let memoryTree = try tree(of: syncBase.snapshot)
        let last = confirmed?.snapshot === syncBase.snapshot ? confirmed : nil
        var result = SaveResult(
            inputSnapshot: last?.inputSnapshot ?? syncBase.snapshot, inputTree: last?.inputTree ?? memoryTree,
            snapshot: syncBase.snapshot, document: document, found: fileExists ? document : nil, intents: intents,
            records: [], conflicts: [],
            completedRequests: [], changesFile: false, isMerge: false, isMissing: !fileExists)
        // A missing file contributes its last text, if that is not in memory yet, and nothing else.
        if !fileExists, syncBase.isReconciled { return result }
        let reconciliation = try mappingFailures { () throws(ReconcileFailure) in
            try settings.reconciler.reconcile(syncBase, document, intents, at: moment)
        }
        result.advance(to: reconciliation.snapshot)
        (result.records, result.conflicts) = (reconciliation.records, reconciliation.conflicts)
        result.unknownKeys = reconciliation.unknownKeys
        result.isMerge = reconciliation.snapshot !== syncBase.snapshot
        return result
    }

    /// Merges a version that another program wrote and that was displaced by a save. If its base is unknown, because that
    /// save was interrupted by a crash, adds only the values that the file does not have.
    func merge(_ edit: DisplacedEdit, into result: inout SaveResult, at moment: Instant) throws {
        let file = settings.reconciler.file
        guard let theirDocument = try? JSONDocument(parsing: edit.bytes, options: settings.parsing) else {
            throw SaveFailure.failed(SessionProblem(unmergeable: edit, in: file))
        }
        if theirDocument.isBlank { return }
        let theirs = theirDocument.value
        let baseDocument = edit.base.flatMap { try? JSONDocument(parsing: $0, options: settings.parsing) }
        let base = baseDocument?.value
        let ours = try tree(of: result.snapshot)
        let detector = staleWrites(in: theirs, basedOn: baseDocument, ours, result.snapshot, at: moment)
        result.records += detector.records
        result.conflicts += detector.conflicts
        // Without a base, additions cannot be told apart from what both sides have.
        let arrays = base == nil ? [:] : settings.reconciler.arrays
        let merge = JSON.merge(
            base: base ?? .object([:]), ours: detector.ours, theirs: detector.theirs, arrays: arrays
        ) { conflict in
            base == nil ? conflict.ours : settings.reconciler.resolve(conflict)
        }
        result.conflicts += settings.reconciler.problems(of: merge)
        if merge.value.isSame(as: ours) { return }
        do throws(SessionProblem) {
            result.advance(
                toMerged: try settings.reconciler.decoder.snapshot(
                    of: merge.value, in: file, version: result.snapshot.version.next, origin: .external))
            result.isMerge = true
        } catch {
            let whole = JSONConflict(path: JSONPointer(), base: base, ours: ours, theirs: theirs)
            let secrets = settings.reconciler.secrets
            result.conflicts.append(SessionProblem(conflict: whole, in: file, because: error, hiding: secrets))
        }
    }

    /// A displaced edit can be a stale write, too.
    private func staleWrites(
        in theirs: JSON, basedOn base: JSONDocument?, _ ours: JSON, _ snapshot: AnySnapshotStorage, at moment: Instant
    ) -> StaleWriteDetector {
        var syncBase = syncBase
        (syncBase.document, syncBase.snapshot) = (base, snapshot)
        syncBase.baseTree = base?.value ?? .object([:])
        var detector = StaleWriteDetector(syncBase, ours, theirs, WriteIntents(), in: settings.reconciler, at: moment)
        detector.detect()
        return detector
    }

    /// Applies the changes of the requests one after the other. A change that fails has no effect.
    func applyChanges(of requests: [SaveRequest], to result: inout SaveResult) throws {
        for request in requests {
            do {
                if let change = request.change {
                    let next = try change(result.snapshot, result.snapshot.version.next)
                    _ = try tree(of: next)
                    result.advance(to: next)
                }
                result.completedRequests.append((request, nil))
            } catch SaveFailure.blocked(let problem, _) {
                result.completedRequests.append((request, problem))
            } catch {
                result.completedRequests.append((request, error))
            }
        }
    }

    private func tree(of snapshot: AnySnapshotStorage) throws -> JSON {
        try mappingFailures { () throws(ReconcileFailure) in try settings.reconciler.tree(of: snapshot) }
    }

    private func mappingFailures<Result>(_ body: () throws(ReconcileFailure) -> Result) throws -> Result {
        do throws(ReconcileFailure) {
            return try body()
        } catch {
            switch error {
            case .invalid(let problem): throw SaveFailure.unusableFile(.invalid(problem, .permanent))
            case .blocked(let problem): throw SaveFailure.blocked(problem, of: syncBase.snapshot)
            }
        }
    }
}

// Output: the text.
extension SaveTransaction {
    /// Edits the text of the file where memory differs from it.
    func edit(_ result: inout SaveResult, fileExists: Bool, at moment: Instant) throws {
        let tree = try tree(of: result.snapshot)
        let before = result.document
        result.changesFile = !tree.isSame(as: before.value)
        if result.changesFile || result.hasCommits { result.isMissing = false }
        do {
            if let text = result.replacement?.text(replacing: fileExists ? before : nil, for: tree) {
                result.changesFile = !fileExists || !before.hasSameText(as: text)
                result.document = text
            } else if fileExists || syncBase.document != nil {
                result.document = try before.applying(tree.difference(from: before.value))
            } else if !result.isMissing {
                result.document = try newDocument(for: result.snapshot, tree)
            }
        } catch let error as JSONCodingError {
            let (file, secrets) = (settings.reconciler.file, settings.reconciler.secrets)
            throw SaveFailure.blocked(
                SessionProblem(unencodable: error, in: file, hiding: secrets), of: syncBase.snapshot)
        } catch {
            let (file, message) = (settings.reconciler.file, "the value cannot be written: \(error)")
            throw SaveFailure.blocked(SessionProblem(.unwritable, in: file, message), of: syncBase.snapshot)
        }
        let changes = ValueChange.list(from: before.value, to: result.document.value)
        result.intents.add(changes)
        if let record = syncBase.ownWrites.record(changes, at: moment) { result.records.append(record) }
    }

    private func newDocument(for snapshot: AnySnapshotStorage, _ tree: JSON) throws -> JSONDocument {
        let values =
            settings.newFile == .allKeys ? try settings.reconciler.decoder.treeWithDefaults(of: snapshot) : tree
        let text = JSONPrinter().bytes(values, stoppingAfter: settings.parsing.sizeLimit)
        return try JSONDocument(parsing: text, options: settings.parsing)
    }
}
