internal import Glibc

/// Giving a new version what belonged to the old one beside its bytes: owner, group, extended attributes (lists of
/// access rights are among them), permissions.
///
/// In this order: a change of the owner takes away bits of the permissions, and those take part in the lists.
struct Attributes<Calls: FileCalls> {
    private let calls: Calls
    private let descriptor: Int32
    private let path: String
    private var lost: Set<Replacement.Attribute> = []

    /// A folder may have given it to the new file, with rights that the old one did not have.
    private static var list: String { "system.posix_acl_access" }

    init(_ file: borrowing OpenFile<Calls>, _ path: String) {
        (calls, descriptor, self.path) = (file.calls, file.descriptor, path)
    }

    /// What could not be kept. The system refuses some of it to most users, which is no error; a disk that fails is.
    /// The one that is to be another is left out.
    func copy(
        from old: Blueprint.OldVersion, except changed: String? = nil
    ) throws(FileError) -> Set<Replacement.Attribute> {
        var copying = self
        let permissions = try copying.copyOwner(old.status)
        let hadList = try copying.copyExtended(from: old.descriptor, except: changed)
        try copying.setPermissions(hadList ? copying.limited(permissions) : permissions)
        return copying.lost
    }

    /// Where there is a list, the bits of the group are the most that anybody in it may do. The group itself may have
    /// been allowed less, so that it gets nothing when the list is lost; and when the group is, nobody else gets it.
    private mutating func limited(_ permissions: UInt32) -> UInt32 {
        if lost.contains(.group) { lost.insert(.extended(Self.list)) }
        return lost.contains(.extended(Self.list)) ? permissions & ~S_IRWXG : permissions
    }

    /// The permissions that are left: others must not get those of a group or a user that the new version is not of.
    private mutating func copyOwner(_ old: FileStatus) throws(FileError) -> UInt32 {
        let new = try tell(path, .look) { () throws(ErrorNumber) in try calls.status(of: descriptor) }
        if new.user == old.user && new.group == old.group { return old.permissions }
        if try succeeds({ () throws(ErrorNumber) in
            try calls.setOwner(of: descriptor, user: old.user, group: old.group)
        }) {
            return old.permissions
        }
        if new.user != old.user { lost.insert(.user) }
        let keepsGroup = try succeeds { () throws(ErrorNumber) in
            try calls.setOwner(of: descriptor, user: nil, group: old.group)
        }
        var permissions = old.permissions & ~S_ISUID
        if !keepsGroup {
            lost.insert(.group)
            permissions &= ~(S_IRWXG | S_ISGID)
        }
        return permissions
    }

    /// Whether there was a list of access rights.
    private mutating func copyExtended(from old: Int32, except changed: String?) throws(FileError) -> Bool {
        _ = try succeeds { () throws(ErrorNumber) in
            try calls.removeAttribute(Self.list, of: descriptor)
        }
        var names: [String] = []
        _ = try succeeds { () throws(ErrorNumber) in names = try calls.attributeNames(of: old) }
        for name in names where name != changed {
            let isKept = try succeeds { () throws(ErrorNumber) in
                try calls.setAttribute(name, of: descriptor, to: try calls.attribute(name, of: old))
            }
            if !isKept { lost.insert(.extended(name)) }
        }
        return names.contains(Self.list)
    }

    private mutating func setPermissions(_ permissions: UInt32) throws(FileError) {
        let isKept = try succeeds { () throws(ErrorNumber) in
            try calls.setPermissions(of: descriptor, to: permissions)
        }
        if !isKept { lost.insert(.permissions) }
    }

    /// False where the system does not allow it or has no such thing.
    private func succeeds(_ call: () throws(ErrorNumber) -> Void) throws(FileError) -> Bool {
        do throws(ErrorNumber) {
            try uninterrupted(call)
            return true
        } catch {
            if [EIO, ENOSPC, EDQUOT, ENOMEM].contains(error.rawValue) {
                throw FileError(error, path, .copyAttributes)
            }
            return false
        }
    }
}
