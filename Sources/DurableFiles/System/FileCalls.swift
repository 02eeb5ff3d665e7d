/// The system calls that this module makes, each once, in words.
///
/// Tests put their own in its place: to see which are made, to let each fail or be interrupted, and to change a file
/// between two of them.
package protocol FileCalls: ReadingCalls, WritingCalls, FolderCalls, AttributeCalls, LeaseCalls {}

/// What reading a file takes.
package protocol ReadingCalls {
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
    func pause(microseconds: Int)
}

/// What writing to a file that is open takes.
package protocol WritingCalls {
    /// How many bytes went. *(pwrite)*
    func write(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32, at offset: Int) throws(ErrorNumber) -> Int

    /// *(ftruncate)*
    func setSize(of descriptor: Int32, to size: Int) throws(ErrorNumber)

    /// Waits until the bytes, and what is needed to find them, are on the disk. *(fdatasync)*
    func synchroniseData(of descriptor: Int32) throws(ErrorNumber)

    /// Beyond it the kernel would kill the process. *(getrlimit)*
    var largestFile: Int { get }
}

/// What is done to names, all of them in a folder that is open.
package protocol FolderCalls {
    /// A descriptor, which whoever asked must close. *(openat)*
    func open(_ name: String, in folder: Int32, _ flags: Int32, permissions: UInt32) throws(ErrorNumber) -> Int32

    /// The same of a path in `folder`, with an error where a symbolic link is on the way or at its end. *(openat2)*
    func openWithoutLinks(_ path: String, in folder: Int32, _ flags: Int32) throws(ErrorNumber) -> Int32

    /// A file without a name, to be read and written. *(openat, O_TMPFILE)*
    func openUnnamed(in folder: Int32) throws(ErrorNumber) -> Int32

    /// Gives what was opened without a name one; where it is taken, that is an error. *(linkat)*
    func name(_ descriptor: Int32, _ name: String, in folder: Int32) throws(ErrorNumber)

    /// Of the name itself, also where it is a symbolic link. *(fstatat)*
    func status(of name: String, in folder: Int32) throws(ErrorNumber) -> FileStatus

    /// What a symbolic link says. *(readlinkat)*
    func target(of name: String, in folder: Int32) throws(ErrorNumber) -> [UInt8]

    /// Whether this process may write to it. *(faccessat)*
    func requireWritable(_ name: String, in folder: Int32) throws(ErrorNumber)

    /// *(mkdirat)*
    func createFolder(_ name: String, in folder: Int32, permissions: UInt32) throws(ErrorNumber)

    /// The names that begin so. *(openat, getdents)*
    func names(in folder: Int32, beginningWith prefix: String) throws(ErrorNumber) -> [String]

    /// Lets two names change places. *(renameat2, RENAME_EXCHANGE)*
    func exchange(_ name: String, _ other: String, in folder: Int32) throws(ErrorNumber)

    /// Over what has that name. *(renameat)*
    func rename(_ name: String, to newName: String, in folder: Int32) throws(ErrorNumber)

    /// Unless the new name is taken. *(renameat2, RENAME_NOREPLACE)*
    func rename(_ name: String, toFree newName: String, in folder: Int32) throws(ErrorNumber)

    /// Gives a file a second name, unless it is taken. *(linkat)*
    func link(_ name: String, to newName: String, in folder: Int32) throws(ErrorNumber)

    /// *(unlinkat)*
    func remove(_ name: String, in folder: Int32) throws(ErrorNumber)

    /// Whether every change of the folder that could have been asked about has a time of its own. *(uname, fstatfs)*
    func hasExactTimes(_ folder: Int32) -> Bool

    /// Whether names can be added, but neither changed nor removed. *(statx)*
    func onlyGrows(_ folder: Int32) -> Bool

    /// Waits until names are on the disk. *(fsync)*
    func synchronise(_ folder: Int32) throws(ErrorNumber)

    /// Only one of those who ask has it; EAGAIN while another does. *(flock)*
    func lock(_ folder: Int32) throws(ErrorNumber)

    /// *(flock)*
    func unlock(_ folder: Int32)
}

/// What belongs to a file beside its bytes.
package protocol AttributeCalls {
    /// Nil leaves the user as it is. *(fchown)*
    func setOwner(of descriptor: Int32, user: UInt32?, group: UInt32) throws(ErrorNumber)

    /// *(fchmod)*
    func setPermissions(of descriptor: Int32, to permissions: UInt32) throws(ErrorNumber)

    /// *(flistxattr)*
    func attributeNames(of descriptor: Int32) throws(ErrorNumber) -> [String]

    /// *(fgetxattr)*
    func attribute(_ name: String, of descriptor: Int32) throws(ErrorNumber) -> [UInt8]

    /// *(fsetxattr)*
    func setAttribute(_ name: String, of descriptor: Int32, to value: [UInt8]) throws(ErrorNumber)

    /// *(fremovexattr)*
    func removeAttribute(_ name: String, of descriptor: Int32) throws(ErrorNumber)

    /// Whose files this process creates, and what it may do. *(geteuid)*
    var user: UInt32 { get }
}

/// Holding others back from a file.
package protocol LeaseCalls {
    /// *(fcntl, F_SETLEASE)*
    func setLease(of descriptor: Int32, to kind: LeaseKind) throws(ErrorNumber)

    /// What is left of the lease: less than was taken when somebody waits. *(fcntl, F_GETLEASE)*
    func lease(of descriptor: Int32) throws(ErrorNumber) -> LeaseKind

    /// Keeps the signal of leases from the calling thread. *(pthread_sigmask)*
    func holdSignal() -> SignalMask

    /// Takes away what `descriptor` sent, and lets signals come as before. *(sigtimedwait, pthread_sigmask)*
    func releaseSignal(_ mask: SignalMask, of descriptor: Int32)

    /// *(fcntl, F_SETSIG)*
    func chooseSignal(of descriptor: Int32) throws(ErrorNumber)

    /// To the calling thread, or to nobody. *(fcntl, F_SETOWN_EX and F_SETOWN)*
    func sendSignals(of descriptor: Int32, to receiver: SignalReceiver) throws(ErrorNumber)

    /// Sees to it that a child of this process that runs no other program does not keep the descriptor.
    func keepFromChildren(_ descriptor: Int32)

    /// It is about to be closed.
    func keepFromChildrenNoMore(_ descriptor: Int32)
}
