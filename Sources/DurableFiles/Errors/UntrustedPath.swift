internal import VisibleText

/// The part of a path that is not trusted, because another user may have chosen where it leads.
///
/// See <doc:ReplacingFiles> for what is trusted, and ``ReplaceOptions/trustedOwners`` to trust more users.
public struct UntrustedPath: Sendable, Hashable {
    /// The kind of an untrusted part.
    public enum Kind: Sendable, Hashable {
        /// A symbolic link owned by another user.
        case symbolicLink
        /// A directory owned by another user, with an entry of a different owner in it.
        case directory
        /// A directory writable by its group or by everyone.
        case sharedDirectory
        /// A file with several hard links, in a directory that others may write to.
        case hardLink
    }

    /// The kind of the part.
    public let kind: Kind

    /// The path of the link, the directory or the file.
    public let path: String

    /// The ID of the user who owns it.
    public let owner: UInt32

    init(_ kind: Kind, _ path: String, owner: UInt32) { (self.kind, self.path, self.owner) = (kind, path, owner) }
}

extension UntrustedPath {
    var reason: String {
        switch kind {
        case .symbolicLink: "Not trusted: \(path.visible(upTo: 1_000)) is a symbolic link of user \(owner)"
        case .directory:
            "Not trusted: the directory \(path.visible(upTo: 1_000)) belongs to user \(owner) and holds an entry of another user"
        case .sharedDirectory:
            "Not trusted: the directory \(path.visible(upTo: 1_000)) of user \(owner) is writable by its group or by everyone"
        case .hardLink:
            "Not trusted: \(path.visible(upTo: 1_000)) of user \(owner) has several hard links, in a directory that others can write to"
        }
    }

    var advice: String {
        switch kind {
        case .symbolicLink: "use the path of its target, or trust user \(owner) (trustedOwners)"
        case .directory: "move the file, chown the directory, or trust user \(owner) (trustedOwners)"
        case .sharedDirectory:
            "move the file, remove the permission with chmod go-w, or trust user \(owner) (trustedOwners)"
        case .hardLink: "replace the file with a copy of it"
        }
    }
}
