/// The system calls that this module makes, each once, in words.
///
/// Tests put their own in its place: to see which are made, to let each fail or be interrupted, and to change a file
/// between two of them.
package protocol FileCalls {
    /// A descriptor, which whoever asked must close. *(open)*
    func open(_ path: String, _ flags: Int32) throws(ErrorNumber) -> Int32

    /// The descriptor is gone whatever happens, so there is nothing to tell. *(close)*
    func close(_ descriptor: Int32)

    /// *(fstat)*
    func status(of descriptor: Int32) throws(ErrorNumber) -> FileStatus

    /// Of what symbolic links lead to. *(stat)*
    func status(at path: String) throws(ErrorNumber) -> FileStatus

    /// How many bytes came; 0 at the end. *(pread)*
    func read(
        _ descriptor: Int32, at offset: Int, into buffer: UnsafeMutableRawBufferPointer
    ) throws(ErrorNumber) -> Int

    /// Keeps the thread for so long, whatever signals come. *(nanosleep)*
    func pause(milliseconds: Int)
}

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
        case special(SpecialFileKind)
    }

    package var kind: Kind
    package var identity: FileIdentity
    package var permissions: UInt32
    /// How many names it has: 0 when another file has taken its place, which a coarse clock may not show.
    package var linkCount: UInt64
}

extension FileStatus {
    /// Refuses what cannot be read to an end.
    func requireRegular(_ path: String) throws(FileError) {
        switch kind {
        case .regular: return
        case .directory: throw FileError(.directory, path, .look)
        case .special(let kind): throw FileError(.notRegular(kind), path, .look)
        }
    }
}
