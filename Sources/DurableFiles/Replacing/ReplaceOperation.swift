internal import Glibc

/// The algorithm of a replacement: the steps, and the reaction to concurrent edits.
///
/// ``attempt(at:)`` is one pass through all steps. An attempt that finds the file changed leaves no trace and is
/// repeated with the current contents.
struct ReplaceOperation<System: FileCalls> {
    typealias NextBytes = (FoundFile) throws -> [UInt8]?

    let path: String
    let limit: Int
    let options: ReplaceOptions
    let calls: System
    let marker: WriteMarker?
    let trust: PathTrust
    private let attributes: LastKnownAttributes?
    let nextBytes: NextBytes

    var result = Replacement()
    /// The bytes of ours that have been visible in the file.
    var written: [UInt8]?
    /// Displaced edits that the next version has to include.
    var displacedFiles: [DisplacedFile] = []
    /// The temporary names that will be in the directory when this is done.
    var temporaryNames: [String] = []
    /// The best strategy that has not failed here.
    var strategy = Strategy.exchange

    /// Whether a file created without a name can be linked.
    var supportsUnnamedFiles = true

    var retryLimit = RetryLimit()

    /// The time limit for all locks of one replacement. It is longer than any holder of the lock waits for others in
    /// turn.
    var lockBackoff = Backoff(limit: 5_000_000, longestPause: 1_000, usesClock: true)

    /// The last known status of the file, for the case that it is missing now.
    var lastStatus: FileStatus?

    /// Whether this operation waits for the quiet period of displaced versions, or the caller replaces again later.
    let waitsForQuietPeriod: Bool
    /// Whether the new bytes are written and only edits of displaced versions remain to be merged.
    var isMergingDisplaced = false

    /// The ways to replace a file, from the one that loses nothing to the one that works nearly everywhere.
    enum Strategy { case exchange, rename, overwrite }

    /// The result of an attempt.
    enum AttemptResult {
        case done
        /// Another process changed the file meanwhile.
        case retry
        /// The path leads to another directory now.
        case pathMoved
    }

    private static var maximumDirectories: Int { 10 }

    init(
        _ path: String, limit: Int, options: ReplaceOptions, calls: System, marker: WriteMarker? = nil,
        attributes: LastKnownAttributes? = nil, waitsForQuietPeriod: Bool = true, nextBytes: @escaping NextBytes
    ) {
        (self.path, self.limit, self.options, self.calls) = (path, limit, options, calls)
        self.waitsForQuietPeriod = waitsForQuietPeriod
        (self.marker, self.attributes, self.nextBytes) = (marker, attributes, nextBytes)
        lastStatus = attributes?.status
        trust = PathTrust(naming: options.trustedOwners, calls: calls)
    }

    mutating func run() throws -> Replacement {
        try resolveAndReplace()
        if waitsForQuietPeriod { try mergeDisplacedAfterQuietPeriod() }
        return result
    }

    /// Replaces the file in the directory that the path leads to, and repeats that if the path leads elsewhere in the
    /// end.
    mutating func resolveAndReplace() throws {
        for _ in 0..<Self.maximumDirectories {
            guard var resolved = try resolve() else { return }
            let lock = acquireLock(on: &resolved.directory)
            if !isMergingDisplaced { result.lock = lock }
            if try replace(at: resolved) { return }
            prepareForNewDirectory()
            if !retryLimit.allowsRetry(at: calls.monotonicMicroseconds) { break }
        }
        throw FileError(.unstable, path, .open)
    }

    /// Resolves the path. Creates missing directories if there is something to write; otherwise returns nil.
    private mutating func resolve() throws -> ResolvedPath<System>? {
        if options.createsDirectories {
            do throws(FileError) {
                return try ResolvedPath.resolve(path, createsDirectories: false, trust: trust, calls: calls)
            } catch {
                if error.code != .missing { throw error }
            }
            if isMergingDisplaced, displacedFiles.isEmpty { return nil }
            marker?.found = nil
            if try nextBytes(foundFile(with: nil)) == nil {
                _ = leaveUnchanged(nil)
                return nil
            }
        }
        return try ResolvedPath.resolve(
            path, createsDirectories: options.createsDirectories,
            directoryPermissions: options.newDirectoryPermissions, trust: trust, calls: calls)
    }

    /// Replaces the file under the directory lock; returns false if the path leads elsewhere now.
    private mutating func replace(at resolved: borrowing ResolvedPath<System>) throws -> Bool {
        strategy = calls.isAppendOnly(resolved.directory.descriptor) ? .overwrite : .exchange
        var hasRecovered = false
        repeat {
            do {
                if !hasRecovered { try recoverLeftovers(at: resolved) }
                hasRecovered = true
                switch try attempt(at: resolved) {
                case .retry: continue
                case .pathMoved: return false
                case .done:
                    cacheScan(of: resolved)
                    return true
                }
            } catch is ReplacedBySymbolicLink {
                return false
            } catch is UnnamedFileNotLinkable {
                supportsUnnamedFiles = false
            }
        } while retryLimit.allowsRetry(at: calls.monotonicMicroseconds)
        throw FileError(ErrorNumber(EAGAIN), path, .exchange)
    }

    private mutating func attempt(at resolved: borrowing ResolvedPath<System>) throws -> AttemptResult {
        if isMergingDisplaced, displacedFiles.isEmpty { return .done }
        guard var found = try FoundVersion.open(resolved.name, at: resolved, limit: limit) else {
            return try create(at: resolved)
        }
        recordLease(found.lease)
        lastStatus = found.status
        attributes?.remember(found.status)
        if let marker, trust.trustsMarker(of: found.status) { marker.read(from: found.file) }
        guard let bytes = try requestBytes(for: foundFile(with: found.contents)) else {
            return leaveUnchanged(found.contents)
        }
        if bytes.isSame(as: found.bytes) { return try keepCurrent(found, at: resolved) }
        try requireWritable(at: resolved)
        if strategy != .overwrite, !mustKeepLinks(found.status) {
            do {
                return try replaceByNewFile(&found, with: bytes, at: resolved)
            } catch is DirectoryNotModifiable {
                // Nothing has changed, so the bytes from the caller are still valid.
                strategy = .overwrite
            }
        }
        return try overwriteInPlace(found, with: bytes, at: resolved)
    }

    /// Records the lease of the last attempt, unless a writer did not close the file before. Merging edits of displaced
    /// versions does not upgrade the result.
    mutating func recordLease(_ lease: Replacement.Lease) {
        if result.lease == .writerDidNotClose || isMergingDisplaced && lease == .held { return }
        result.lease = lease
    }

    /// Replaces the found version with a new file.
    private mutating func replaceByNewFile(
        _ found: inout FoundVersion<System>, with bytes: [UInt8], at resolved: borrowing ResolvedPath<System>
    ) throws -> AttemptResult {
        var copied = CopiedAttributes(source: found.status)
        var new = try prepare(bytes, like: found, &copied.lost, at: resolved)
        guard try isStillCurrent(&found, at: resolved) else { return .retry }
        try refreshAttributes(&copied, of: new, from: found)
        guard try pathLeads(to: found.status, at: resolved) else { return .pathMoved }
        let temporaryName = try linkTemporaryName(&new, replacing: found, at: resolved)
        tryWriteLease(on: &new)
        var displacedName: String?
        guard try moveIntoPlace(&new, named: temporaryName, of: &found, &copied, &displacedName, at: resolved) else {
            return .retry
        }

        new.file.releaseLease()
        let problem = synchronizeDirectory(at: resolved)
        recordWritten(bytes, isDurable: problem == nil, at: resolved)
        result.lostAttributes.formUnion(copied.lost)
        try finishDisplacedVersion(&found, named: displacedName, at: resolved)
        if let problem { throw problem }
        try recordResult(of: new, replacing: found.status)
        if !displacedFiles.isEmpty { return .retry }
        return (try? pathLeads(to: new.status, at: resolved)) == false ? .pathMoved : .done
    }
}
