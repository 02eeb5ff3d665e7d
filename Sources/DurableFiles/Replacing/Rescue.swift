internal import Glibc

/// A copy of what a file held and of what it is to hold, for as long as it is being written in place.
///
/// It stays until it is removed: whatever ends the process, the next replacement finds it. Until then it is locked, so
/// that it is known whether the process lives, also where the folder of the file cannot be locked.
struct Rescue<Calls: FileCalls>: ~Copyable {
    private let calls: Calls
    private let copy: OpenFile<Calls>
    private let name: String
    private let folder: Int32
    /// For people.
    let path: String
    /// Keeps the folder open, unless somebody else does.
    private let elsewhere: OpenFile<Calls>?

    /// In the folder of the file.
    init(_ blueprint: Blueprint, _ name: String, beside place: borrowing Place<Calls>) throws {
        copy = try Rescue.put(blueprint, name, in: place.folder, named: place.name)
        (calls, self.name, folder) = (place.calls, name, place.folder.descriptor)
        path = place.path(of: name)
        elsewhere = nil
    }

    init(
        _ blueprint: Blueprint, _ name: String, in elsewhere: consuming OpenFile<Calls>, at folderPath: String
    ) throws {
        copy = try Rescue.put(blueprint, name, in: elsewhere, named: "rescue")
        (calls, self.name, folder) = (elsewhere.calls, name, elsewhere.descriptor)
        path = "\(folderPath)/\(name)"
        self.elsewhere = consume elsewhere
    }

    private static func put(
        _ blueprint: Blueprint, _ name: String, in folder: borrowing OpenFile<Calls>, named file: String
    ) throws -> OpenFile<Calls> {
        var lost: Set<Replacement.Attribute> = []
        var copy = try NewVersion.prepare(blueprint, for: file, in: folder, lost: &lost)
        // Where there are no such locks, that of the folder has to do.
        do throws(ErrorNumber) { try copy.file.lock() } catch {}
        try copy.take(name, in: folder, blueprint.path)
        if blueprint.isDurable {
            let (calls, descriptor) = (folder.calls, folder.descriptor)
            try tell(blueprint.path, .synchronise) { () throws(ErrorNumber) in try calls.synchronise(descriptor) }
        }
        copy.name.letGo()
        return copy.file
    }

    /// False when it stays, which does no harm: the next replacement sees that it is not needed.
    @discardableResult
    func remove() -> Bool { removeMark(name, in: folder, calls) }
}

/// Where copies lie of files whose own folder takes none.
struct RescueFolder<Calls: FileCalls> {
    let path: String?
    private let calls: Calls

    private static var flags: Int32 { O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC }

    init(_ path: String?, calls: Calls) { (self.path, self.calls) = (path ?? Self.standardPath, calls) }

    private static var standardPath: String? {
        func variable(_ name: String) -> String? {
            getenv(name).map { String(cString: $0) }.flatMap { $0.hasPrefix("/") ? $0 : nil }
        }
        let system = variable("STATE_DIRECTORY").map { String($0.prefix { $0 != ":" }) }
        let state = system ?? variable("XDG_STATE_HOME") ?? variable("HOME").map { "\($0)/.local/state" }
        return state.map { "\($0)/durable-files" }
    }

    /// What stands for the file in the names of marks there: wherever the working directory is, the same.
    func name(for place: borrowing Place<Calls>) -> String {
        let link = "/proc/self/fd/\(place.folder.descriptor)"
        let folder = try? uninterrupted { () throws(ErrorNumber) in try calls.target(of: link, in: AT_FDCWD) }
        let digest = Digest((folder ?? Array(place.folderPath.utf8)) + [UInt8(ascii: "/")] + Array(place.name.utf8))
        return "rescued-\(String(digest.value, radix: 16))"
    }

    /// Nil where there is none, or none that only this user can write to.
    func open(_ path: String, for place: borrowing Place<Calls>) throws(FileError) -> Place<Calls>? {
        guard let folder = try open(path) else { return nil }
        return Place(
            path: path, folder: folder, name: name(for: place), folderPath: "\(self.path ?? "")/", calls: calls,
            isListable: true)
    }

    /// The same, creating it.
    func create(_ path: String) throws(FileError) -> OpenFile<Calls>? {
        guard let own = self.path else { return nil }
        if let folder = try open(path) { return folder }
        do throws(FileError) {
            _ = try Place.find("\(own)/copy", createsFolders: true, calls: calls)
        } catch {
            return nil
        }
        // What was there already and is not trusted would not be looked into after a crash either.
        return try open(path)
    }

    private func open(_ path: String) throws(FileError) -> OpenFile<Calls>? {
        guard let own = self.path else { return nil }
        let folder: OpenFile<Calls>
        do throws(ErrorNumber) {
            folder = try OpenFile(calls) { (calls) throws(ErrorNumber) in
                try calls.open(own, in: AT_FDCWD, Self.flags, permissions: 0)
            }
        } catch {
            if [ENOENT, EACCES, ENOTDIR, ELOOP].contains(error.rawValue) { return nil }
            throw FileError(error, path, .open)
        }
        let status = try tell(path, .look) { () throws(ErrorNumber) in try folder.status() }
        guard status.user == calls.user, status.permissions & 0o022 == 0 else { return nil }
        return folder
    }
}
