internal import Glibc

/// Displaced versions of files without a lease, such as files of other users.
///
/// Without a lease, nothing tells whether another process has such a version open. It stays next to the file under a
/// temporary name until it has not changed for 2 s; then its changes are merged, and it is removed. Only at that point
/// does the kernel tell whether it was still open, because an open file outlives its name.
extension ReplaceOperation {
    /// How long a displaced version must stay unchanged, in microseconds.
    static var quietPeriod: Int { 2_000_000 }

    /// Waits for the quiet period without holding the lock, and merges what was written to displaced versions. For
    /// callers that do not replace again after `recheckDelay`.
    mutating func mergeDisplacedAfterQuietPeriod() throws {
        isMergingDisplaced = true
        while let pause = result.recheckDelay, retryLimit.allowsRetry(at: calls.monotonicMicroseconds) {
            calls.pause(microseconds: pause)
            result.recheckDelay = nil
            do {
                try resolveAndReplace()
            } catch is FileError {
                // The replacement itself is done; the next one finds the displaced version.
                return
            }
        }
    }

    /// Keeps a displaced version for the quiet period. In a directory that cannot be listed, no later
    /// replacement could find it, so it is removed at once.
    mutating func keepForQuietPeriod(
        _ name: String, holding bytes: [UInt8], at resolved: borrowing ResolvedPath<System>
    ) {
        if !resolved.isListable, let status = try? status(of: name, at: resolved) {
            _ = removeIfUnchanged(name, status, at: resolved)
            return
        }
        DisplacedVersionCache.forget(
            beginningWith: resolved.path(of: TemporaryName.prefix(for: resolved.name)),
            except: temporaryNames.map { resolved.path(of: $0) })
        DisplacedVersionCache.remember(bytes, as: resolved.path(of: name))
        result.recheckDelay = max(result.recheckDelay ?? 0, Self.quietPeriod)
    }

    /// Returns how long the quiet period still lasts; nil if it is over. Also nil if the clock was set back.
    func remainingQuietPeriod(_ status: FileStatus) -> Int? {
        let age = calls.now.microseconds(since: status.identity.changed)
        return (0..<Self.quietPeriod).contains(age) ? Self.quietPeriod - age : nil
    }

    /// Removes a displaced version unless it changed since its status was read; returns false then.
    mutating func removeIfUnchanged(_ name: String, _ status: FileStatus, at resolved: borrowing ResolvedPath<System>)
        -> Bool
    {
        // Another hard link keeps the file, including what is written to it.
        if status.linkCount > 1 {
            remove(name, at: resolved)
            return true
        }
        let (directory, moment) = (resolved.directory.descriptor, status.identity.changed)
        do throws(ErrorNumber) {
            let removal = try uninterrupted { () throws(ErrorNumber) in
                try calls.remove(name, in: directory, ifUnchangedSince: moment)
            }
            if removal == .changed {
                result.recheckDelay = max(result.recheckDelay ?? 0, Self.quietPeriod)
                return false
            }
            if removal == .stillOpen { result.versionsStillOpen += 1 }
        } catch {
            if error.rawValue != ENOENT { result.leftovers.append(resolved.path(of: name)) }
        }
        temporaryNames.removeAll { $0 == name }
        DisplacedVersionCache.forget(resolved.path(of: name))
        return true
    }
}
