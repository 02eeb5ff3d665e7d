extension DurableFile {
    /// Replaces what the file holds by what `next` makes of it, so that nobody's edit is lost.
    ///
    /// ```swift
    /// try file.replace(limit: 1 << 20) { found in
    ///     var lines = found.contents?.bytes ?? []
    ///     for edit in found.displaced { lines = merge(base: edit.base, lines, edit.bytes) }
    ///     if found.confirmed == nil { lines += Array("once\n".utf8) }
    ///     return lines
    /// }
    /// ```
    ///
    /// `next` is asked for the bytes while other programs that use this library wait, and while writers who do not are
    /// held back or noticed. It is asked again when somebody has changed the file meanwhile, with what is there then;
    /// see ``FoundFile`` for what it is told. When it returns nil, the file is left as it is; when it throws, nothing more is
    /// written. Edits that had been displaced then lie beside the file for the next replacement. It should be quick,
    /// since writers wait for it, and must not open the file to write.
    ///
    /// On return the file holds the bytes, under its path, and unless the options say ``ReplaceOptions/Durability/fast``
    /// the disk has them. Readers see the old version or the new one, never a part. Symbolic links stay, and the owner,
    /// the rights and the extended attributes are kept where the system lets them be. What could not be promised stands
    /// in the result.
    ///
    /// A file of more than `limit` bytes is refused. The thread is kept for as long as the disk takes, up to two seconds by
    /// writers who do not close the file, and up to five by who keeps the folder locked.
    ///
    /// - Parameters:
    ///   - limit: How many bytes a file that is found can have.
    ///   - options: Whether to wait for the disk, and what becomes of hard links, new files and folders.
    ///   - next: Gives the bytes to write, or nil for none.
    /// - Returns: What was done and promised.
    /// - Throws: ``FileError``, or what `next` throws.
    @discardableResult
    public func replace(
        limit: Int, options: ReplaceOptions = .durable, with next: (FoundFile) throws -> [UInt8]?
    ) throws -> Replacement {
        try replace(limit: limit, options: options, through: Kernel.shared, with: next)
    }

    /// Replaces a known version by another one, and merges when something else is there.
    ///
    /// `merge` is asked for the bytes that hold two edits: `ours` and `theirs`, which were both made of `base`. A `base`
    /// of nil means that it is not known, or that there was no file.
    ///
    /// - Parameters:
    ///   - known: What the file is taken to hold; nil when it is taken to be missing. A file that is missing though it was
    ///     not is created again.
    ///   - bytes: What it is to hold.
    ///   - limit: How many bytes a file that is found can have.
    ///   - options: Whether to wait for the disk, and what becomes of hard links, new files and folders.
    ///   - merge: Makes one of two edits.
    /// - Returns: What was done and promised.
    /// - Throws: ``FileError``, or what `merge` throws.
    @discardableResult
    public func replace(
        expecting known: [UInt8]?, with bytes: [UInt8], limit: Int, options: ReplaceOptions = .durable,
        merging merge: (_ base: [UInt8]?, _ ours: [UInt8], _ theirs: [UInt8]) throws -> [UInt8]
    ) throws -> Replacement {
        try replace(limit: limit, options: options) { found in
            let base = found.confirmed ?? known
            let there = found.contents?.bytes
            var next = found.confirmed ?? bytes
            if let there, there != base, there != next { next = try merge(base, next, there) }
            for edit in found.displaced { next = try merge(edit.base, next, edit.bytes) }
            return next
        }
    }

    /// Clears away what replacements have left that were killed, or that a power failure ended; also a file that was
    /// half written in place is mended. For the start of a program: every replacement does the same first.
    ///
    /// - Parameters:
    ///   - limit: How many bytes a file that is found can have.
    ///   - options: As for a replacement.
    ///   - merge: As in ``replace(expecting:with:limit:options:merging:)``, for edits that a crash displaced.
    /// - Returns: What was done and promised.
    /// - Throws: ``FileError``, or what `merge` throws.
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
    /// With a note that lies with each version: while `next` runs, the note has what lay with the version that was found,
    /// and is given what is to lie with the next.
    @discardableResult
    package func replace(
        limit: Int, options: ReplaceOptions, noting note: SideNote, with next: (FoundFile) throws -> [UInt8]?
    ) throws -> Replacement {
        try replace(limit: limit, options: options, through: Kernel.shared, noting: note, with: next)
    }

    @discardableResult
    package func replace(
        limit: Int, options: ReplaceOptions, through calls: some FileCalls, noting note: SideNote? = nil,
        with next: (FoundFile) throws -> [UInt8]?
    ) throws -> Replacement {
        try requirePossiblePath(for: .open)
        return try withoutActuallyEscaping(next) { next in
            var replacing = Replacing(path, limit: limit, options: options, calls: calls, note: note, caller: next)
            return try replacing.run()
        }
    }
}
