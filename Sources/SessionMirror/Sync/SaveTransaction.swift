internal import DurableFiles
internal import Locking
internal import LosslessJSON

/// Computes the bytes that a save writes: the current file merged with memory, displaced edits and the requested
/// changes.
///
/// A value that is asked again each time the replacement finds the file changed. It reads no file and takes no lock.
struct SaveTransaction {
    /// The settings of the session, which never change.
    struct Settings: Sendable {
        let reconciler: Reconciler
        let parsing: JSONDocument.Options
        let newFile: SessionOptions.NewFile
    }

    let settings: Settings
    /// Whether the file may have content that is not durable yet.
    let isDurabilityUnknown: Bool
    private(set) var syncBase: SyncBase
    /// The requests whose changes are not in the file if the save ends here.
    private(set) var pendingRequests: [SaveRequest] = []
    /// What the file has, if the last bytes reached it.
    private(set) var proposed: SaveResult?
    /// What the file has for certain.
    private(set) var confirmed: SaveResult?

    init(_ syncBase: SyncBase, _ settings: Settings, isDurabilityUnknown: Bool = false) {
        (self.syncBase, self.settings, self.isDurabilityUnknown) = (syncBase, settings, isDurabilityUnknown)
    }

    /// What the file has once the replacement has succeeded.
    var result: SaveResult? { proposed.map { confirmed?.combined(with: $0) ?? $0 } ?? confirmed }

    /// Accepts the last bytes as being in the file although the replacement failed. Its requests fail with `problem`.
    mutating func acceptProposed(failingRequestsWith problem: SessionProblem) {
        guard var proposed else { return }
        proposed.completedRequests = proposed.completedRequests.map { ($0.0, $0.1 ?? problem) }
        self.proposed = proposed
        acceptProposed()
    }

    /// Returns the bytes to write, or nil if nothing needs to be written.
    ///
    /// - Parameters:
    ///   - found: What the file has now.
    ///   - intents: What other processes that use this library wrote intentionally.
    ///   - newest: What memory has now.
    ///   - isPublished: Whether updates were built on the last result, so that memory has it.
    ///   - requests: Requests that arrived since the last call.
    ///   - moment: Now.
    mutating func bytes(
        for found: FoundFile, _ intents: WriteIntents = WriteIntents(), newest: AnySnapshotStorage,
        isPublished: Bool = false, requests: [SaveRequest], at moment: Instant
    ) throws -> [UInt8]? {
        // The confirmed bytes are the last ones, or still those before.
        if let bytes = found.written, proposed?.document.holds(bytes) == true { acceptProposed() }
        if isPublished { adoptChanges() }
        pendingRequests += requests
        advanceBase(to: newest)
        proposed = nil
        // The file was deleted after it was written: the requests that arrived since keep waiting.
        if confirmed != nil, found.contents == nil { throw SaveFailure.unusableFile(.missing) }
        let fileExists = found.contents != nil
        var result = try reconcile(try startingDocument(found.contents), intents, fileExists: fileExists, at: moment)
        for edit in found.displaced { try merge(edit, into: &result, at: moment) }
        try applyChanges(of: pendingRequests, to: &result)
        try edit(&result, fileExists: fileExists, at: moment)
        // Callers wait for the content to be durable, whoever wrote it.
        let hasWaiters = fileExists ? !pendingRequests.isEmpty : result.hasCommits
        let isRequired = hasWaiters || isDurabilityUnknown && fileExists || !found.displaced.isEmpty
        let isWritten = result.changesFile || isRequired
        if isWritten { result.isMissing = false }
        proposed = result
        return isWritten ? result.document.bytes : nil
    }

    /// Memory has the changes of the last bytes, and of what they were merged with, because updates were built on them
    /// while the bytes were written. So the changes must not be applied again: their requests wait for memory to be in
    /// the file.
    mutating func adoptChanges() {
        let found = proposed?.found
        confirmed = confirmed.map { $0.includedInMemory(fileHas: found ?? $0.document) }
        guard let proposed else { return }
        if let found { (syncBase.document, syncBase.baseTree) = (found, found.value) }
        let failed = proposed.completedRequests.map { $0.1 != nil }
        pendingRequests = zip(pendingRequests, failed).map { request, hasFailed in
            hasFailed ? request : SaveRequest(change: nil, completion: request.completion)
        }
    }

    /// Accepts the last bytes as being in the file. What follows is based on them.
    mutating func acceptProposed() {
        guard let proposed else { return }
        confirmed = confirmed?.combined(with: proposed) ?? proposed
        syncBase.document = proposed.document
        syncBase.ownWrites.append(proposed.records)
        (pendingRequests, self.proposed) = ([], nil)
    }

    /// Advances the base to what memory has now. The changes of a confirmed result are not in memory yet, but those
    /// that the program made meanwhile are.
    private mutating func advanceBase(to newest: AnySnapshotStorage) {
        guard let confirmed, confirmed.inputSnapshot === newest else {
            syncBase.baseTree = confirmed?.inputTree ?? syncBase.baseTree
            syncBase.snapshot = newest
            return
        }
        syncBase.baseTree = confirmed.document.value
        syncBase.snapshot = confirmed.snapshot
    }

    /// Parses the file. A file that was deleted is created again from its last text.
    private func startingDocument(_ contents: FileContents?) throws -> JSONDocument {
        guard let contents else {
            if !syncBase.isMissing { throw SaveFailure.unusableFile(.missing) }
            return try syncBase.document ?? JSONDocument(parsing: "{}", options: settings.parsing)
        }
        let document = try document(of: contents.bytes)
        if document.isBlank, !syncBase.acceptsBlankText {
            throw SaveFailure.unusableFile(.blank(in: settings.reconciler.file))
        }
        return document
    }

    private func document(of bytes: [UInt8]) throws -> JSONDocument {
        if let last = syncBase.document, last.holds(bytes) { return last }
        do throws(JSONSyntaxError) {
            return try syncBase.document(of: JSONText(copying: bytes), settings.parsing)
        } catch {
            let (file, secrets) = (settings.reconciler.file, settings.reconciler.secrets)
            let problem = SessionProblem(.syntax, in: file, secrets.redacting(error))
            throw SaveFailure.unusableFile(.invalid(problem, .incomplete))
        }
    }
}
