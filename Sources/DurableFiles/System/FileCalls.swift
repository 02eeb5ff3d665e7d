/// The system calls of this module, one method each.
///
/// Tests substitute their own implementation to record the calls, to make each of them fail or be interrupted, and to
/// change a file between two of them.
package protocol FileCalls: ReadingCalls, WritingCalls, DirectoryCalls, AttributeCalls, LeaseCalls {}

/// The calls for reading a file.
package protocol ReadingCalls {
    /// Closes a descriptor. Reports no error, because the descriptor is closed in any case. *(close)*
    func close(_ descriptor: Int32)

    /// Returns the status of an open file. *(fstat)*
    func status(of descriptor: Int32) throws(ErrorNumber) -> FileStatus

    /// Returns the status of a file, following symbolic links. *(stat)*
    func status(at path: String) throws(ErrorNumber) -> FileStatus

    /// Returns the number of bytes read; 0 at the end of the file. *(pread)*
    func read(
        _ descriptor: Int32, at offset: Int, into buffer: UnsafeMutableRawBufferPointer
    ) throws(ErrorNumber) -> Int

    /// The time of a clock that never goes back. *(clock_gettime)*
    var monotonicMicroseconds: Int { get }

    /// The time of the clock that sets file timestamps. *(clock_gettime)*
    var now: FileTime { get }

    /// Blocks the thread for the given time; signals do not shorten it. *(nanosleep)*
    func pause(microseconds: Int)
}

/// The calls for writing to an open file.
package protocol WritingCalls {
    /// Returns the number of bytes written. *(pwrite)*
    func write(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32, at offset: Int) throws(ErrorNumber) -> Int

    /// Truncates or extends a file. *(ftruncate)*
    func setSize(of descriptor: Int32, to size: Int) throws(ErrorNumber)

    /// Waits until the contents, and the metadata needed to find them, are on disk. *(fdatasync)*
    func synchronizeData(of descriptor: Int32) throws(ErrorNumber)

    /// The file size limit of the process; the kernel kills it for writing beyond. *(getrlimit)*
    var largestFile: Int { get }
}

/// The calls that work on names in an open directory.
package protocol DirectoryCalls {
    /// Opens a file in the directory; the caller closes the descriptor. *(openat)*
    func open(_ name: String, in directory: Int32, _ flags: Int32, permissions: UInt32) throws(ErrorNumber) -> Int32

    /// Opens a path relative to the directory; fails with ELOOP if any component is a symbolic link. *(openat2)*
    func openWithoutLinks(_ path: String, in directory: Int32, _ flags: Int32) throws(ErrorNumber) -> Int32

    /// Creates an unnamed file for reading and writing. *(openat, O_TMPFILE)*
    func openUnnamed(in directory: Int32) throws(ErrorNumber) -> Int32

    /// Links an unnamed file under `name`; fails if the name is in use. *(linkat)*
    func name(_ descriptor: Int32, _ name: String, in directory: Int32) throws(ErrorNumber)

    /// Returns the status of a name, without following a symbolic link. *(fstatat)*
    func status(of name: UnsafePointer<CChar>, in directory: Int32) throws(ErrorNumber) -> FileStatus

    /// Returns the target of a symbolic link. *(readlinkat)*
    func target(of name: String, in directory: Int32) throws(ErrorNumber) -> [UInt8]

    /// Throws if this process may not write to the file. *(faccessat)*
    func requireWritable(_ name: String, in directory: Int32) throws(ErrorNumber)

    /// Creates a directory. *(mkdirat)*
    func createDirectory(_ name: String, in directory: Int32, permissions: UInt32) throws(ErrorNumber)

    /// Returns the names that begin with `prefix`. *(openat, getdents)*
    func names(in directory: Int32, beginningWith prefix: String) throws(ErrorNumber) -> [String]

    /// Exchanges two names. *(renameat2, RENAME_EXCHANGE)*
    func exchange(_ name: String, _ other: String, in directory: Int32) throws(ErrorNumber)

    /// Renames a file, replacing the file that has the new name. *(renameat)*
    func rename(_ name: String, to newName: String, in directory: Int32) throws(ErrorNumber)

    /// Renames a file; fails if the new name is in use. *(renameat2, RENAME_NOREPLACE)*
    func rename(_ name: String, toUnused newName: String, in directory: Int32) throws(ErrorNumber)

    /// Adds a hard link; fails if the new name is in use. *(linkat)*
    func link(_ name: String, to newName: String, in directory: Int32) throws(ErrorNumber)

    /// Removes a name. *(unlinkat)*
    func remove(_ name: String, in directory: Int32) throws(ErrorNumber)

    /// Removes the name of a file unless the file changed after `moment`, and reports whether a process has the file
    /// open. *(inotify_add_watch, fstatat, unlinkat)*
    func remove(
        _ name: String, in directory: Int32, ifUnchangedSince moment: FileTime
    ) throws(ErrorNumber) -> RemovalResult

    /// Returns whether any two observable changes of the directory have different times. *(uname, fstatfs)*
    func hasExactTimes(_ directory: Int32) -> Bool

    /// Returns whether names can be added, but neither changed nor removed (`chattr +a`). *(statx)*
    func isAppendOnly(_ directory: Int32) -> Bool

    /// Waits until the names in a directory are on disk. *(fsync)*
    func synchronize(_ directory: Int32) throws(ErrorNumber)

    /// Takes the exclusive lock; fails with EAGAIN while another process holds it. *(flock)*
    func lock(_ directory: Int32) throws(ErrorNumber)

    /// Releases the lock. *(flock)*
    func unlock(_ directory: Int32)
}

/// The calls for the owner, the permissions and the extended attributes of a file.
package protocol AttributeCalls {
    /// Sets the owner; a nil user stays unchanged. *(fchown)*
    func setOwner(of descriptor: Int32, user: UInt32?, group: UInt32) throws(ErrorNumber)

    /// Sets the permission bits. *(fchmod)*
    func setPermissions(of descriptor: Int32, to permissions: UInt32) throws(ErrorNumber)

    /// Returns the names of the extended attributes. *(flistxattr)*
    func attributeNames(of descriptor: Int32) throws(ErrorNumber) -> [String]

    /// Returns the value of an extended attribute. *(fgetxattr)*
    func attribute(_ name: String, of descriptor: Int32) throws(ErrorNumber) -> [UInt8]

    /// Sets an extended attribute. *(fsetxattr)*
    func setAttribute(_ name: String, of descriptor: Int32, to value: [UInt8]) throws(ErrorNumber)

    /// Removes an extended attribute. *(fremovexattr)*
    func removeAttribute(_ name: String, of descriptor: Int32) throws(ErrorNumber)

    /// The effective user ID of this process. *(geteuid)*
    var user: UInt32 { get }

    /// Returns whether this process, run by that user, can override file permissions. *(capget)*
    func overridesPermissions(_ user: UInt32) -> Bool
}

/// The calls for file leases.
package protocol LeaseCalls {
    /// Takes or releases a lease. *(fcntl, F_SETLEASE)*
    func setLease(of descriptor: Int32, to kind: LeaseKind) throws(ErrorNumber)

    /// Returns the current lease, which is weaker than the one taken once another process waits. *(fcntl, F_GETLEASE)*
    func lease(of descriptor: Int32) throws(ErrorNumber) -> LeaseKind

    /// Blocks the lease signal in the calling thread. *(pthread_sigmask)*
    func blockLeaseSignal() -> SignalMask

    /// Discards the pending lease signal of `descriptor` and restores the signal mask. *(sigtimedwait,
    /// pthread_sigmask)*
    func unblockLeaseSignal(_ mask: SignalMask, of descriptor: Int32)

    /// Selects the signal that reports a lease break. *(fcntl, F_SETSIG)*
    func setLeaseSignal(of descriptor: Int32) throws(ErrorNumber)

    /// Selects the receiver of the signal: the calling thread, or none. *(fcntl, F_SETOWN_EX and F_SETOWN)*
    func setSignalReceiver(of descriptor: Int32, to receiver: SignalReceiver) throws(ErrorNumber)

    /// Closes the descriptor in every child that this process forks from now on and that runs no other program.
    func closeInForkedChildren(_ descriptor: Int32)

    /// Ends `closeInForkedChildren`, before the descriptor is closed.
    func stopClosingInForkedChildren(_ descriptor: Int32)
}

extension DirectoryCalls {
    func status(of name: String, in directory: Int32) throws(ErrorNumber) -> FileStatus {
        try name.withCString { name in
            Result { () throws(ErrorNumber) in try status(of: name, in: directory) }
        }.get()
    }
}

/// The result of removing the name of a file.
package enum RemovalResult: Sendable, Hashable {
    /// The name was removed, and no process has the file open.
    case removed
    /// The name was removed, and a process has the file open, or that is unknown.
    case stillOpen
    /// The file has changed meanwhile, and the name was not removed.
    case changed
}
