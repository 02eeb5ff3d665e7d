/// A directory that a path leads through, by the name without links that the kernel would find it at.
struct Directory: Sendable, Hashable {
    /// Without a slash at the end, so that a name can always follow behind one: nothing for the root.
    let path: [UInt8]
    let inode: Inode

    /// The path of what is called `name` in it, ended for C.
    func path(of name: FileName) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(path.count + name.bytes.count + 2)
        result += path
        result.append(UInt8(ascii: "/"))
        result += name.bytes
        result.append(0)
        return result
    }

    func subdirectory(_ name: FileName, _ inode: Inode) -> Directory {
        Directory(path: Array(path(of: name).dropLast()), inode: inode)
    }
}

extension Directory: CustomStringConvertible {
    var description: String { path.isEmpty ? "/" : String(decoding: path, as: UTF8.self) }
}
