internal import Glibc

/// Copies the metadata of the old version to the new one: owner, group, extended attributes (which include access
/// control lists) and permissions.
///
/// The order matters: changing the owner clears permission bits, and an ACL includes permission bits.
struct AttributeCopier<System: FileCalls> {
    private let calls: System
    private let descriptor: Int32
    private let path: String
    private var lost: Set<Replacement.Attribute> = []

    /// The attribute of the access ACL. A default ACL of the directory may have put one on the new file, with
    /// permissions that the old file did not grant.
    private static var aclName: String { "system.posix_acl_access" }

    init(_ file: borrowing OpenFile<System>, _ path: String) {
        (calls, descriptor, self.path) = (file.calls, file.descriptor, path)
    }

    /// Copies all metadata except the extended attribute `changed`, and returns what could not be copied. The system
    /// denies some of it to most users, which is not an error; an I/O error is.
    func copy(
        from old: NewVersionSpecification.AttributeSource, except changed: String? = nil
    ) throws(FileError) -> Set<Replacement.Attribute> {
        var copying = self
        let permissions = try copying.copyOwner(old.status)
        let hadACL = try copying.copyExtended(from: old.descriptor, except: changed)
        try copying.setPermissions(hadACL ? copying.withoutUnsafeGroupBits(permissions) : permissions)
        return copying.lost
    }

    /// Returns whether the file has the current metadata of the old version.
    func matches(_ old: NewVersionSpecification.AttributeSource, except changed: String? = nil) throws(FileError)
        -> Bool
    {
        let new = try withFileError(path, .status) { () throws(ErrorNumber) in try calls.status(of: descriptor) }
        return new.hasSamePermissions(as: old.status)
            && extended(of: descriptor, except: changed) == extended(of: old.descriptor, except: changed)
    }

    /// Does the same as ``copy(from:except:)`` for a file that already has metadata of its own.
    func replace(
        by old: NewVersionSpecification.AttributeSource, except changed: String? = nil
    ) throws(FileError) -> Set<Replacement.Attribute> {
        let kept = extended(of: old.descriptor, except: changed)
        for name in extended(of: descriptor, except: changed).keys where kept[name] == nil {
            _ = try succeeds { () throws(ErrorNumber) in try calls.removeAttribute(name, of: descriptor) }
        }
        return try copy(from: old, except: changed)
    }

    private func extended(of descriptor: Int32, except changed: String?) -> [String: [UInt8]] {
        var result: [String: [UInt8]] = [:]
        let names = try? uninterrupted { () throws(ErrorNumber) in try calls.attributeNames(of: descriptor) }
        for name in names ?? [] where name != changed {
            result[name] = try? uninterrupted { () throws(ErrorNumber) in
                try calls.attribute(name, of: descriptor)
            }
        }
        return result
    }

    /// Restores owner and permissions of a file that was deleted and is created again, and returns what could not be
    /// restored. ACLs and extended attributes are gone.
    func restore(_ lastStatus: FileStatus) throws(FileError) -> Set<Replacement.Attribute> {
        var copying = self
        let permissions = try copying.copyOwner(lastStatus)
        try copying.setPermissions(permissions & (S_IRWXU | S_IRWXG | S_IRWXO))
        return copying.lost
    }

    /// Returns the permissions with the group bits cleared if the ACL was lost. With an ACL, the group bits are the
    /// mask, the maximum for every entry of the ACL; the group itself may have fewer permissions. If the group was
    /// lost, the ACL counts as lost, too.
    private mutating func withoutUnsafeGroupBits(_ permissions: UInt32) -> UInt32 {
        if lost.contains(.group) { lost.insert(.extended(Self.aclName)) }
        return lost.contains(.extended(Self.aclName)) ? permissions & ~S_IRWXG : permissions
    }

    /// Copies owner and group, and returns the remaining permissions: those of a user or a group that the new version
    /// does not belong to are cleared.
    private mutating func copyOwner(_ old: FileStatus) throws(FileError) -> UInt32 {
        let new = try withFileError(path, .status) { () throws(ErrorNumber) in try calls.status(of: descriptor) }
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

    /// Copies the extended attributes; returns whether there was an ACL.
    private mutating func copyExtended(from old: Int32, except changed: String?) throws(FileError) -> Bool {
        _ = try succeeds { () throws(ErrorNumber) in
            try calls.removeAttribute(Self.aclName, of: descriptor)
        }
        var names: [String] = []
        _ = try succeeds { () throws(ErrorNumber) in names = try calls.attributeNames(of: old) }
        for name in names where name != changed {
            let isKept = try succeeds { () throws(ErrorNumber) in
                try calls.setAttribute(name, of: descriptor, to: try calls.attribute(name, of: old))
            }
            if !isKept { lost.insert(.extended(name)) }
        }
        return names.contains(Self.aclName)
    }

    private mutating func setPermissions(_ permissions: UInt32) throws(FileError) {
        let isKept = try succeeds { () throws(ErrorNumber) in
            try calls.setPermissions(of: descriptor, to: permissions)
        }
        if !isKept { lost.insert(.permissions) }
    }

    /// Makes a call; returns false if the system denies or does not support it.
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

/// The metadata that a new version has received from the old one.
struct CopiedAttributes {
    /// The status of the old version at the time of the copy.
    var source: FileStatus
    /// The status of the new version after the last refresh; nil before.
    var result: FileStatus?
    /// The attributes that could not be copied.
    var lost: Set<Replacement.Attribute> = []
}

extension ReplaceOperation {
    /// Copies owner, permissions and extended attributes again if they changed since the last copy.
    ///
    /// After the exchange the path leads to the new version; if another process has changed that version's metadata, it
    /// stays as it is.
    func refreshAttributes(
        _ copied: inout CopiedAttributes, of new: borrowing NewVersion<System>,
        from found: borrowing FoundVersion<System>
    ) throws {
        if copied.source == found.status { return }
        let now = try withFileError(path, .status) { () throws(ErrorNumber) in try new.file.status() }
        let given = copied.result ?? new.status
        copied.source = found.status
        guard now.hasSamePermissions(as: given) else { return }
        let old = NewVersionSpecification.AttributeSource(descriptor: found.file.descriptor, status: found.status)
        let attributes = AttributeCopier(new.file, path)
        if try attributes.matches(old, except: marker?.name) { return }
        copied.lost = try attributes.replace(by: old, except: marker?.name)
        copied.result = try withFileError(path, .status) { () throws(ErrorNumber) in try new.file.status() }
        guard options.durability == .durable else { return }
        let descriptor = new.file.descriptor
        try withFileError(path, .synchronize) { () throws(ErrorNumber) in try calls.synchronize(descriptor) }
    }
}
