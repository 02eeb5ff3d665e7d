internal import CLinux
internal import Glibc

extension Kernel: FolderCalls {
    package func open(
        _ name: String, in folder: Int32, _ flags: Int32, permissions: UInt32
    ) throws(ErrorNumber) -> Int32 {
        try name.withCString { outcome(openat(folder, $0, flags, permissions)) }.get()
    }

    package func openWithoutLinks(_ path: String, in folder: Int32, _ flags: Int32) throws(ErrorNumber) -> Int32 {
        try path.withCString { outcome(clinux_open_without_links(folder, $0, flags)) }.get()
    }

    package func openUnnamed(in folder: Int32) throws(ErrorNumber) -> Int32 {
        try outcome(clinux_open_unnamed(folder, 0o600)).get()
    }

    package func name(_ descriptor: Int32, _ name: String, in folder: Int32) throws(ErrorNumber) {
        _ = try name.withCString { outcome(clinux_name(descriptor, folder, $0)) }.get()
    }

    package func status(of name: String, in folder: Int32) throws(ErrorNumber) -> FileStatus {
        var result = stat()
        _ = try name.withCString { outcome(fstatat(folder, $0, &result, AT_SYMLINK_NOFOLLOW)) }.get()
        return FileStatus(result)
    }

    package func target(of name: String, in folder: Int32) throws(ErrorNumber) -> [UInt8] {
        try withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(PATH_MAX)) { buffer in
            name.withCString { outcome(readlinkat(folder, $0, buffer.baseAddress!, buffer.count)) }
                .map { buffer[..<$0].map { UInt8(bitPattern: $0) } }
        }.get()
    }

    package func requireWritable(_ name: String, in folder: Int32) throws(ErrorNumber) {
        _ = try name.withCString { outcome(clinux_may_write(folder, $0)) }.get()
    }

    package func createFolder(_ name: String, in folder: Int32, permissions: UInt32) throws(ErrorNumber) {
        _ = try name.withCString { outcome(mkdirat(folder, $0, permissions)) }.get()
    }

    package func names(in folder: Int32, beginningWith prefix: String) throws(ErrorNumber) -> [String] {
        let descriptor = try outcome(openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)).get()
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

    package func exchange(_ name: String, _ other: String, in folder: Int32) throws(ErrorNumber) {
        _ = try name.withCString { name in other.withCString { outcome(clinux_exchange(folder, name, $0)) } }.get()
    }

    package func rename(_ name: String, to newName: String, in folder: Int32) throws(ErrorNumber) {
        _ = try name.withCString { name in newName.withCString { outcome(renameat(folder, name, folder, $0)) } }.get()
    }

    package func rename(_ name: String, toFree newName: String, in folder: Int32) throws(ErrorNumber) {
        _ = try name.withCString { name in
            newName.withCString { outcome(clinux_rename_to_free_name(folder, name, $0)) }
        }.get()
    }

    package func link(_ name: String, to newName: String, in folder: Int32) throws(ErrorNumber) {
        _ = try name.withCString { name in
            newName.withCString { outcome(linkat(folder, name, folder, $0, 0)) }
        }.get()
    }

    package func remove(_ name: String, in folder: Int32) throws(ErrorNumber) {
        _ = try name.withCString { outcome(unlinkat(folder, $0, 0)) }.get()
    }

    package func hasExactTimes(_ folder: Int32) -> Bool { clinux_has_exact_times(folder) == 1 }

    package func onlyGrows(_ folder: Int32) -> Bool { clinux_only_grows(folder) == 1 }

    package func synchronise(_ folder: Int32) throws(ErrorNumber) { _ = try outcome(fsync(folder)).get() }

    package func lock(_ folder: Int32) throws(ErrorNumber) {
        _ = try outcome(clinux_lock(folder, LOCK_EX | LOCK_NB)).get()
    }

    package func unlock(_ folder: Int32) { _ = clinux_lock(folder, LOCK_UN) }
}
