internal import CLinux
internal import Glibc

extension Kernel: DirectoryCalls {
    package func open(
        _ name: String, in directory: Int32, _ flags: Int32, permissions: UInt32
    ) throws(ErrorNumber) -> Int32 {
        try name.withCString { errnoResult(openat(directory, $0, flags, permissions)) }.get()
    }

    package func openWithoutLinks(_ path: String, in directory: Int32, _ flags: Int32) throws(ErrorNumber) -> Int32 {
        try path.withCString { errnoResult(clinux_open_without_links(directory, $0, flags)) }.get()
    }

    package func openUnnamed(in directory: Int32) throws(ErrorNumber) -> Int32 {
        try errnoResult(clinux_open_unnamed(directory, 0o600)).get()
    }

    package func name(_ descriptor: Int32, _ name: String, in directory: Int32) throws(ErrorNumber) {
        _ = try name.withCString { errnoResult(clinux_link_unnamed(descriptor, directory, $0)) }.get()
    }

    package func status(
        of name: UnsafePointer<CChar>, in directory: Int32
    ) throws(ErrorNumber) -> FileStatus {
        var result = stat()
        _ = try errnoResult(fstatat(directory, name, &result, AT_SYMLINK_NOFOLLOW)).get()
        return FileStatus(result)
    }

    package func target(of name: String, in directory: Int32) throws(ErrorNumber) -> [UInt8] {
        try withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(PATH_MAX)) { buffer in
            name.withCString { errnoResult(readlinkat(directory, $0, buffer.baseAddress!, buffer.count)) }
                .map { buffer[..<$0].map { UInt8(bitPattern: $0) } }
        }.get()
    }

    package func requireWritable(_ name: String, in directory: Int32) throws(ErrorNumber) {
        _ = try name.withCString { errnoResult(clinux_may_write(directory, $0)) }.get()
    }

    package func createDirectory(_ name: String, in directory: Int32, permissions: UInt32) throws(ErrorNumber) {
        _ = try name.withCString { errnoResult(mkdirat(directory, $0, permissions)) }.get()
    }

    package func names(in directory: Int32, beginningWith prefix: String) throws(ErrorNumber) -> [String] {
        let descriptor = try errnoResult(openat(directory, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)).get()
        guard let stream = fdopendir(descriptor) else {
            defer { _ = Glibc.close(descriptor) }
            throw ErrorNumber(errno)
        }
        defer { closedir(stream) }
        var names: [String] = []
        errno = 0
        while let entry = readdir(stream) {
            let name = String(cString: clinux_entry_name(entry))
            if name.hasPrefix(prefix) { names.append(name) }
            errno = 0
        }
        guard errno == 0 else { throw ErrorNumber(errno) }
        return names
    }

    package func exchange(_ name: String, _ other: String, in directory: Int32) throws(ErrorNumber) {
        _ = try name.withCString { name in other.withCString { errnoResult(clinux_exchange(directory, name, $0)) } }
            .get()
    }

    package func rename(_ name: String, to newName: String, in directory: Int32) throws(ErrorNumber) {
        _ = try name.withCString { name in newName.withCString { errnoResult(renameat(directory, name, directory, $0)) }
        }.get()
    }

    package func rename(_ name: String, toUnused newName: String, in directory: Int32) throws(ErrorNumber) {
        _ = try name.withCString { name in
            newName.withCString { errnoResult(clinux_rename_to_unused(directory, name, $0)) }
        }.get()
    }

    package func link(_ name: String, to newName: String, in directory: Int32) throws(ErrorNumber) {
        _ = try name.withCString { name in
            newName.withCString { errnoResult(linkat(directory, name, directory, $0, 0)) }
        }.get()
    }

    package func remove(_ name: String, in directory: Int32) throws(ErrorNumber) {
        _ = try name.withCString { errnoResult(unlinkat(directory, $0, 0)) }.get()
    }

    package func remove(
        _ name: String, in directory: Int32, ifUnchangedSince moment: FileTime
    ) throws(ErrorNumber) -> RemovalResult {
        let time = timespec(tv_sec: Int(moment.seconds), tv_nsec: Int(moment.nanoseconds))
        let answer = try name.withCString { errnoResult(clinux_remove_if_unchanged(directory, $0, time)) }.get()
        return answer == 2 ? .changed : answer == 1 ? .stillOpen : .removed
    }

    package func hasExactTimes(_ directory: Int32) -> Bool { clinux_has_exact_times(directory) == 1 }

    package func isAppendOnly(_ directory: Int32) -> Bool { clinux_is_append_only(directory) == 1 }

    package func synchronize(_ directory: Int32) throws(ErrorNumber) { _ = try errnoResult(fsync(directory)).get() }

    package func lock(_ directory: Int32) throws(ErrorNumber) {
        _ = try errnoResult(clinux_lock(directory, LOCK_EX | LOCK_NB)).get()
    }

    package func unlock(_ directory: Int32) { _ = clinux_lock(directory, LOCK_UN) }
}
