internal import Glibc

/// Where nothing is put in the place of a file, and what is done when all is written.
extension Replacing {
    /// Two who create a file at once do not overwrite each other: one of them finds that the name is taken.
    mutating func create(at place: borrowing Place<Calls>) throws -> Outcome {
        note?.found = nil
        guard let bytes = try ask(describe(nil)) else { return leave(nil) }
        var lost: Set<Replacement.Attribute> = []
        var new: NewVersion<Calls>
        do {
            new = try NewVersion.prepare(
                blueprint(bytes, permissions: options.newFilePermissions), for: place.name, in: place.folder,
                lost: &lost)
        } catch let error as NamesAreFixed {
            throw FileError(error.reason, path, error.operation)
        }
        guard try new.settle(as: place.name, in: place.folder, path) else { return .again }
        let problem = synchroniseName(at: place)
        written(bytes, isSafe: problem == nil, at: place)
        if let problem { throw problem }
        result.lease = .noFile
        try report(new, over: nil)
        return try leads(to: new.status, at: place) ? .done : .elsewhere
    }

    /// The caller wants nothing written.
    mutating func leave(_ contents: FileContents?) -> Outcome {
        result.contents = contents
        leaveCarried()
        return .done
    }

    /// The bytes are there already. That they are durable is promised all the same, and who put them there may not have
    /// waited.
    mutating func keep(_ found: borrowing FoundVersion<Calls>, at place: borrowing Place<Calls>) throws -> Outcome {
        try synchronise(found.file)
        if let problem = synchroniseName(at: place) { throw problem }
        result.contents = found.contents
        dropMerged(at: place)
        return try leads(to: found.status, at: place) ? .done : .elsewhere
    }

    /// The file has held `bytes` for all to see, and with them what had been displaced.
    mutating func written(_ bytes: [UInt8], isSafe: Bool, at place: borrowing Place<Calls>) {
        confirmed = bytes
        if isSafe { dropMerged(at: place) }
    }
}

// What several steps need.
extension Replacing {
    /// Going on without it is better than not saving: the exchange still notices others.
    func lockWaiting(_ folder: inout OpenFile<Calls>) -> Replacement.Lock {
        // Longer than anybody holds it who waits for others in turn.
        var patience = Patience(limit: 5_000_000, longestPause: 1_000)
        while true {
            do throws(ErrorNumber) {
                try folder.lock()
                return .held
            } catch {
                guard error.rawValue == EAGAIN else { return .unavailable(error.rawValue) }
                guard let pause = patience.nextPause() else { return .timedOut }
                calls.pause(microseconds: pause)
            }
        }
    }

    /// Nil when nothing has that name.
    func status(of name: String, at place: borrowing Place<Calls>) throws(FileError) -> FileStatus? {
        let folder = place.folder.descriptor
        return try existing { () throws(ErrorNumber) in try calls.status(of: name, in: folder) }
    }

    /// Of what the path leads to; nil when that is nothing.
    func status(at path: String) throws(FileError) -> FileStatus? {
        try existing { () throws(ErrorNumber) in try calls.status(at: path) }
    }

    private func existing(
        _ look: () throws(ErrorNumber) -> FileStatus
    ) throws(FileError) -> FileStatus? {
        do throws(ErrorNumber) {
            return try uninterrupted(look)
        } catch {
            if [ENOENT, ENOTDIR, ELOOP].contains(error.rawValue) { return nil }
            throw FileError(error, path, .look)
        }
    }

    /// What cannot be removed is told, and found again by the next replacement.
    mutating func remove(_ name: String, at place: borrowing Place<Calls>) {
        if !removeMark(name, in: place.folder.descriptor, calls) { result.leftOvers.append(place.path(of: name)) }
    }

    /// A file that its owner has protected against writing is not replaced, though the folder would allow it.
    func requireWritable(at place: borrowing Place<Calls>) throws(FileError) {
        let folder = place.folder.descriptor
        do throws(ErrorNumber) {
            try uninterrupted { () throws(ErrorNumber) in try calls.requireWritable(place.name, in: folder) }
        } catch {
            // Gone meanwhile, or a container from before 2020 does not allow the question: the next step finds out.
            if ![ENOENT, EPERM, ENOSYS].contains(error.rawValue) { throw FileError(error, path, .write) }
        }
    }

    /// Waits until the bytes are on the disk; on one that cannot be written to, they are.
    func synchronise(_ file: borrowing OpenFile<Calls>) throws(FileError) {
        guard options.durability == .durable else { return }
        do throws(ErrorNumber) {
            try file.synchroniseData()
        } catch {
            if ![EINVAL, EROFS].contains(error.rawValue) { throw FileError(error, path, .synchronise) }
        }
    }

    func keepsLinks(_ status: FileStatus) -> Bool { options.hardLinks == .keep && status.linkCount > 1 }
}
