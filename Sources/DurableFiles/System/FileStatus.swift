/// The number that a system call left in `errno`.
package struct ErrorNumber: Error, Hashable {
    package let rawValue: Int32

    package init(_ rawValue: Int32) { self.rawValue = rawValue }
}

/// What the kernel knows of a file.
package struct FileStatus: Sendable, Hashable {
    package enum Kind: Sendable, Hashable {
        case regular
        case directory
        case link
        case special(SpecialFileKind)
    }

    package var kind: Kind
    package var identity: FileIdentity
    package var permissions: UInt32
    package var user: UInt32
    package var group: UInt32
    /// How many names it has: 0 when another file has taken its place, which a coarse clock may not show.
    package var linkCount: UInt64
}

extension FileStatus {
    /// Refuses what cannot be read to an end.
    func requireRegular(_ path: String) throws(FileError) {
        switch kind {
        case .regular: return
        case .directory: throw FileError(.directory, path, .look)
        case .link: throw FileError(.loop, path, .look)
        case .special(let kind): throw FileError(.notRegular(kind), path, .look)
        }
    }

    func isSameFile(as other: FileStatus) -> Bool { identity.isSameFile(as: other.identity) }
}
