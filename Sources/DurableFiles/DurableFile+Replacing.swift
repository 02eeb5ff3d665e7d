extension DurableFile {
    /// Replaces the contents of the file with the bytes that `next` returns, and passes concurrent edits to `next`.
    ///
    /// ```swift
    /// try file.replace(limit: 1 << 20) { found in
    ///     var lines = found.contents?.bytes ?? []
    ///     for edit in found.displaced { lines = merge(base: edit.base, lines, edit.bytes) }
    ///     if found.written == nil { lines += Array("once\n".utf8) }
    ///     return lines
    /// }
    /// ```
    ///
    /// `next` runs while other programs that use this library wait for the directory lock, and while other writers are
    /// blocked by a lease or detected. It is called again, with the current contents, if the file changes meanwhile;
    /// see ``FoundFile`` for its argument. If it returns nil, the file stays as it is; if it throws, nothing more is
    /// written. Edits displaced until then stay next to the file for the next replacement. `next` should be fast,
    /// because writers wait for it, and must not open the file for writing.
    ///
    /// On return the path leads to a file with the new bytes, and the bytes are on disk unless the options say
    /// ``ReplaceOptions/Durability/fast``. Readers see the old version or the new one, never a part. Symbolic links
    /// stay, and the owner, permissions and extended attributes are kept as far as the system allows. The result
    /// reports every guarantee that could not be given.
    ///
    /// A file of more than `limit` bytes is an error. The call blocks the thread during disk I/O, for up to 2 s for
    /// writers that do not close the file, and for up to 5 s in all for locks on the directory or on backup copies in
    /// it. If the kernel grants no lease on the file, for example because it belongs to another user, the call waits 2
    /// s more before it returns, without the lock, and merges what is written to the replaced version in that time. If
    /// other programs keep changing the contents, no attempt begins later than 10 s after the first one they disturbed,
    /// and the call throws ``FileError/Code-swift.enum/busy``.
    ///
    /// - Parameters:
    ///   - limit: The maximum size in bytes of an existing file.
    ///   - options: Durability, and the treatment of hard links, new files and directories.
    ///   - next: Returns the bytes to write, or nil to write nothing.
    /// - Returns: What was done, and which guarantees hold.
    /// - Throws: ``FileError``, or the error that `next` throws.
    @discardableResult
    public func replace(
        limit: Int, options: ReplaceOptions = .durable, with next: (FoundFile) throws -> [UInt8]?
    ) throws -> Replacement {
        try replace(limit: limit, options: options, through: Kernel.shared, with: next)
    }

    /// Replaces a known version with another one, and merges if the file holds something else.
    ///
    /// `merge` combines two edits, `ours` and `theirs`, of the same `base`. A nil `base` means that the base is
    /// unknown, or that there was no file.
    ///
    /// - Parameters:
    ///   - known: The expected contents of the file; nil if it is expected to be missing. A file that is missing
    ///     unexpectedly is created again.
    ///   - bytes: The new contents.
    ///   - limit: The maximum size in bytes of an existing file.
    ///   - options: Durability, and the treatment of hard links, new files and directories.
    ///   - merge: Combines two edits.
    /// - Returns: What was done, and which guarantees hold.
    /// - Throws: ``FileError``, or the error that `merge` throws.
    @discardableResult
    public func replace(
        expecting known: [UInt8]?, with bytes: [UInt8], limit: Int, options: ReplaceOptions = .durable,
        merging merge: (_ base: [UInt8]?, _ ours: [UInt8], _ theirs: [UInt8]) throws -> [UInt8]
    ) throws -> Replacement {
        try replace(limit: limit, options: options) { found in
            let base = found.written ?? known
            let current = found.contents?.bytes
            var next = found.written ?? bytes
            if let current, current != base, current != next { next = try merge(base, next, current) }
            for edit in found.displaced { next = try merge(edit.base, next, edit.bytes) }
            return next
        }
    }

    /// Removes or merges the files left by replacements that a kill or a power failure ended, and repairs a file that
    /// was partly overwritten in place. Intended for the start of a program; every replacement does the same first.
    ///
    /// - Parameters:
    ///   - limit: The maximum size in bytes of an existing file.
    ///   - options: As for a replacement.
    ///   - merge: As in ``replace(expecting:with:limit:options:merging:)``, for edits that a crash displaced.
    /// - Returns: What was done, and which guarantees hold.
    /// - Throws: ``FileError``, or the error that `merge` throws.
    @discardableResult
    public func recover(
        limit: Int, options: ReplaceOptions = .durable,
        merging merge: (_ base: [UInt8]?, _ ours: [UInt8], _ theirs: [UInt8]) throws -> [UInt8]
    ) throws -> Replacement {
        try replace(limit: limit, options: options) { found in
            if found.displaced.isEmpty { return nil }
            return try found.displaced.reduce(found.contents?.bytes ?? []) { try merge($1.base, $0, $1.bytes) }
        }
    }
}

extension DurableFile {
    /// Replaces the file together with a marker stored with each version. While `next` runs, `marker.found` is the
    /// marker of the version that was found, and `marker.next` is stored with the new one. A file that is created again
    /// gets its last known attributes.
    ///
    /// The call does not wait for displaced versions that may be open: the caller replaces again after
    /// ``Replacement/recheckDelay``.
    @discardableResult
    package func replace(
        limit: Int, options: ReplaceOptions, marker: WriteMarker, lastAttributes: LastKnownAttributes? = nil,
        with next: (FoundFile) throws -> [UInt8]?
    ) throws -> Replacement {
        try replace(
            limit: limit, options: options, through: Kernel.shared, marker: marker, lastAttributes: lastAttributes,
            waitsForQuietPeriod: false, with: next)
    }

    @discardableResult
    package func replace(
        limit: Int, options: ReplaceOptions, through calls: some FileCalls, marker: WriteMarker? = nil,
        lastAttributes: LastKnownAttributes? = nil, waitsForQuietPeriod: Bool = true,
        with next: (FoundFile) throws -> [UInt8]?
    ) throws -> Replacement {
        try requirePossiblePath(for: .open)
        return try withoutActuallyEscaping(next) { next in
            var replacing = ReplaceOperation(
                path, limit: limit, options: options, calls: calls, marker: marker, attributes: lastAttributes,
                waitsForQuietPeriod: waitsForQuietPeriod, nextBytes: next)
            return try replacing.run()
        }
    }
}
