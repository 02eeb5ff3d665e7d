package import DurableFiles

extension ScriptedCalls {
    package func open(
        _ name: String, in folder: Int32, _ flags: Int32, permissions: UInt32
    ) throws(ErrorNumber) -> Int32 {
        try opening(.openIn) { (kernel) throws(ErrorNumber) in
            try kernel.open(name, in: folder, flags, permissions: permissions)
        }
    }

    package func openWithoutLinks(_ path: String, in folder: Int32, _ flags: Int32) throws(ErrorNumber) -> Int32 {
        try opening(.openWithoutLinks) { (kernel) throws(ErrorNumber) in
            try kernel.openWithoutLinks(path, in: folder, flags)
        }
    }

    package func openUnnamed(in folder: Int32) throws(ErrorNumber) -> Int32 {
        try opening(.openUnnamed) { (kernel) throws(ErrorNumber) in try kernel.openUnnamed(in: folder) }
    }

    package func name(_ descriptor: Int32, _ name: String, in folder: Int32) throws(ErrorNumber) {
        try run(.name) { (kernel) throws(ErrorNumber) in try kernel.name(descriptor, name, in: folder) }
    }

    package func status(of name: UnsafePointer<CChar>, in folder: Int32) throws(ErrorNumber) -> FileStatus {
        try run(.statusOfName) { (kernel) throws(ErrorNumber) in try kernel.status(of: name, in: folder) }
    }

    package func target(of name: String, in folder: Int32) throws(ErrorNumber) -> [UInt8] {
        try run(.target) { (kernel) throws(ErrorNumber) in try kernel.target(of: name, in: folder) }
    }

    package func requireWritable(_ name: String, in folder: Int32) throws(ErrorNumber) {
        try run(.requireWritable) { (kernel) throws(ErrorNumber) in try kernel.requireWritable(name, in: folder) }
    }

    package func createDirectory(_ name: String, in folder: Int32, permissions: UInt32) throws(ErrorNumber) {
        try run(.createDirectory) { (kernel) throws(ErrorNumber) in
            try kernel.createDirectory(name, in: folder, permissions: permissions)
        }
    }

    package func names(in folder: Int32, beginningWith prefix: String) throws(ErrorNumber) -> [String] {
        try run(.list) { (kernel) throws(ErrorNumber) in try kernel.names(in: folder, beginningWith: prefix) }
    }

    package func exchange(_ name: String, _ other: String, in folder: Int32) throws(ErrorNumber) {
        try run(.exchange) { (kernel) throws(ErrorNumber) in try kernel.exchange(name, other, in: folder) }
    }

    package func rename(_ name: String, to newName: String, in folder: Int32) throws(ErrorNumber) {
        try run(.rename) { (kernel) throws(ErrorNumber) in try kernel.rename(name, to: newName, in: folder) }
    }

    package func rename(_ name: String, toUnused newName: String, in folder: Int32) throws(ErrorNumber) {
        try run(.renameToUnused) { (kernel) throws(ErrorNumber) in
            try kernel.rename(name, toUnused: newName, in: folder)
        }
    }

    package func link(_ name: String, to newName: String, in folder: Int32) throws(ErrorNumber) {
        try run(.link) { (kernel) throws(ErrorNumber) in try kernel.link(name, to: newName, in: folder) }
    }

    package func remove(_ name: String, in folder: Int32) throws(ErrorNumber) {
        try run(.remove) { (kernel) throws(ErrorNumber) in try kernel.remove(name, in: folder) }
    }

    package func remove(
        _ name: String, in folder: Int32, ifUnchangedSince moment: FileTime
    ) throws(ErrorNumber) -> RemovalResult {
        try run(.remove) { (kernel) throws(ErrorNumber) in
            try kernel.remove(name, in: folder, ifUnchangedSince: moment)
        }
    }

    package func hasExactTimes(_ folder: Int32) -> Bool { kernel.hasExactTimes(folder) }

    package func isAppendOnly(_ folder: Int32) -> Bool { kernel.isAppendOnly(folder) }

    package func synchronize(_ folder: Int32) throws(ErrorNumber) {
        try run(.synchronize) { (kernel) throws(ErrorNumber) in try kernel.synchronize(folder) }
    }

    package func lock(_ folder: Int32) throws(ErrorNumber) {
        try run(.lock) { (kernel) throws(ErrorNumber) in try kernel.lock(folder) }
    }

    package func unlock(_ folder: Int32) { try? run(.unlock) { $0.unlock(folder) } }
}
