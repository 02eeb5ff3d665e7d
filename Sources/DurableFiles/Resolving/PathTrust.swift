internal import Glibc

/// The users whom a process trusts with the way to a file: root, itself, the owner of the root directory, and named
/// users.
struct PathTrust: Sendable {
    /// Whether the process has privileges that other users lack, so that it must not follow their links.
    let isPrivileged: Bool
    private let user: UInt32
    private let named: Set<UInt32>
    /// The owner of the root directory. In a user namespace without a mapping for root, all system files belong to it.
    private var systemOwner: UInt32 = 0

    init(naming named: Set<UInt32>, calls: some FileCalls) {
        (user, self.named) = (calls.user, named)
        isPrivileged = calls.overridesPermissions(user)
    }

    func trusts(_ owner: UInt32) -> Bool {
        owner == 0 || owner == user || owner == systemOwner || named.contains(owner)
    }

    mutating func trustOwner(ofRootDirectory status: FileStatus) { systemOwner = status.user }

    /// Returns whether only trusted users can change the entries of `directory`. A named owner vouches for the group
    /// that may write to the directory.
    func protects(_ directory: FileStatus) -> Bool {
        guard trusts(directory.user) else { return false }
        let others = named.contains(directory.user) ? S_IWOTH : S_IWGRP | S_IWOTH
        return directory.permissions & others == 0
    }

    /// Returns whether only trusted users can rename or replace `entry` of `directory`. The sticky bit leaves that to the
    /// owners of both.
    func protects(_ entry: FileStatus, in directory: FileStatus) -> Bool {
        if protects(directory) { return true }
        let isSticky = directory.permissions & S_ISVTX != 0
        return isSticky && trusts(directory.user) && trusts(entry.user)
    }

    /// Returns whether only a trusted user can have set the extended attributes of the file.
    func trustsMarker(of file: FileStatus) -> Bool {
        !isPrivileged || trusts(file.user) && file.permissions & (S_IWGRP | S_IWOTH) == 0
    }

    /// The status of an entry that this process would create now.
    func newEntry(_ kind: FileStatus.Kind) -> FileStatus {
        let time = FileTime(seconds: 0, nanoseconds: 0)
        let identity = FileIdentity(device: 0, inode: 0, size: 0, modified: time, changed: time)
        return FileStatus(kind: kind, identity: identity, permissions: 0, user: user, group: 0, linkCount: 1)
    }
}
