/// The mounts of /proc/self/mountinfo by mount point. This is a pure value.
///
/// It contains only mounts that a path can lead to: a later mount on the same directory or a parent of it hides a
/// mount.
struct MountTable: Equatable, Sendable {
    struct Mount: Equatable, Sendable {
        fileprivate let number: Int
        fileprivate let parent: Int
        fileprivate let path: [UInt8]
        /// The directory or file of the file system that is mounted.
        fileprivate let root: [UInt8]
        fileprivate let device: [UInt8]
        /// The file system type, as in /proc/filesystems.
        let type: String
        /// The kind of the file system, if it is an external one.
        let externalKind: FileSystemKind?
        /// The layer directories of an overlay, by their paths when it was mounted.
        fileprivate(set) var layers: [[UInt8]] = []
    }

    private var visible: [[UInt8]: Mount] = [:]

    init() {}

    init(parsing text: [UInt8]) {
        let mounts = text.split(separator: UInt8(ascii: "\n")).compactMap { Mount(parsing: $0) }
        var numbers: [Int: Mount] = [:]
        var children: Set<Child> = []
        for mount in mounts {
            numbers[mount.number] = mount
            // The first mount of all has no parent and is listed as its own.
            if mount.parent != mount.number { children.insert(Child(parent: mount.parent, path: mount.path)) }
        }
        for mount in mounts where mount.isVisible(numbers, children) { visible[mount.path] = mount }
    }

    /// Returns the mount at a mount point. The path has no trailing slash, and is empty for the root.
    func mount(at path: ArraySlice<UInt8>) -> Mount? { visible[Array(path)] }

    /// Whether the layers of the overlay that holds a path can be changed past the mount. Those of a container's root
    /// cannot: they do not exist in the container.
    ///
    /// The result is true if that cannot be determined: if all layers have relative paths, whose meaning at mount time
    /// is unknown, or if one is on an external file system, which is not accessed because it may not respond.
    ///
    /// - Parameter exists: Whether a path exists, as far as that can be determined.
    func hasReachableLayers(under path: [UInt8], exists: ([UInt8]) -> Bool) -> Bool {
        // If the table does not contain the overlay it is out of date.
        guard let mount = mount(holding: path), mount.type == "overlay" else { return true }
        let layers = mount.layers.filter { $0.first == UInt8(ascii: "/") }
        return layers.isEmpty || layers.contains { crossesExternalMount($0[...]) || exists($0) }
    }

    /// Returns the mount that contains a path.
    func mount(holding path: [UInt8]) -> Mount? {
        var path = path[...]
        while true {
            if let mount = mount(at: path) { return mount }
            guard let slash = path.lastIndex(of: UInt8(ascii: "/")) else { return nil }
            path = path[..<slash]
        }
    }

    /// Returns the kind of the file system at a mount point, if it is an external one.
    func externalKind(at path: ArraySlice<UInt8>) -> FileSystemKind? {
        mount(at: path)?.externalKind
    }

    /// Whether a path leads to an external file system or into it.
    func crossesExternalMount(_ path: ArraySlice<UInt8>) -> Bool {
        var path = path
        while externalKind(at: path) == nil {
            guard let slash = path.lastIndex(of: UInt8(ascii: "/")) else { return false }
            path = path[..<slash]
        }
        return true
    }

    /// Returns the mount points where the mount differs from the one in `old` or has gone.
    func changes(since old: MountTable) -> [[UInt8]] {
        visible.filter { old.visible[$0.key] != $0.value }.map(\.key) + old.visible.keys.filter { visible[$0] == nil }
    }

    fileprivate struct Child: Hashable {
        let parent: Int
        let path: [UInt8]
    }
}

extension MountTable.Mount {
    /// Parses a line: `36 35 98:0 /root /mount/point rw,noatime master:1 - ext4 /dev/sda rw`, with a varying number of
    /// words before the hyphen.
    fileprivate init?(parsing line: ArraySlice<UInt8>) {
        let words = line.split(separator: UInt8(ascii: " "), omittingEmptySubsequences: false).map { Array($0) }
        guard words.count > 6, let hyphen = words[6...].firstIndex(of: [UInt8(ascii: "-")]), hyphen + 1 < words.count
        else { return nil }
        guard let number = Int(String(decoding: words[0], as: UTF8.self)) else { return nil }
        guard let parent = Int(String(decoding: words[1], as: UTF8.self)) else { return nil }
        let path = Self.unescaped(words[4])
        let type = String(decoding: words[hyphen + 1], as: UTF8.self)
        self.init(
            number: number, parent: parent, path: path == [UInt8(ascii: "/")] ? [] : path,
            root: words[3], device: words[2], type: type, externalKind: FileSystemKind(externalType: type))
        if type == "overlay", let options = words.last { layers = Self.layers(options) }
    }

    /// Returns the layers in the options of an overlay: `lowerdir=/a:/b,upperdir=/c`, or `lowerdir+=/a` for each.
    /// Commas in names are written in octal; colons are escaped by a backslash.
    private static func layers(_ options: [UInt8]) -> [[UInt8]] {
        options.split(separator: UInt8(ascii: ",")).flatMap { option -> [[UInt8]] in
            guard let sign = option.firstIndex(of: UInt8(ascii: "=")) else { return [] }
            let value = unescaped(Array(option[(sign + 1)...]))
            return switch String(decoding: option[..<sign], as: UTF8.self) {
            case "lowerdir", "upperdir": split(value[...])
            case "lowerdir+": [value]
            default: []
            }
        }
    }

    private static func split(_ list: ArraySlice<UInt8>) -> [[UInt8]] {
        var parts: [[UInt8]] = [[]]
        var rest = list
        while let byte = rest.popFirst() {
            switch byte {
            case UInt8(ascii: ":"): parts.append([])
            case UInt8(ascii: "\\"): parts[parts.count - 1] += rest.popFirst().map { [$0] } ?? []
            default: parts[parts.count - 1].append(byte)
            }
        }
        return parts
    }

    /// Replaces octal escapes, which stand for spaces, newlines and backslashes: `\040`.
    private static func unescaped(_ word: [UInt8]) -> [UInt8] {
        guard word.contains(UInt8(ascii: "\\")) else { return word }
        var result: [UInt8] = []
        var rest = word[...]
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "\\"), let code = UInt8(String(decoding: rest.prefix(3), as: UTF8.self), radix: 8) {
                result.append(code)
                rest = rest.dropFirst(3)
            } else {
                result.append(byte)
            }
        }
        return result
    }

    /// Whether a path can lead to the mount: nothing is mounted on its own root, no other mount of its parent hides a
    /// directory above it, and the same is true of its parent.
    fileprivate func isVisible(_ numbers: [Int: Self], _ children: Set<MountTable.Child>) -> Bool {
        if children.contains(MountTable.Child(parent: number, path: path)) { return false }
        var mount = self
        for _ in 0..<64 {
            guard let above = numbers[mount.parent], above.number != mount.number else { return true }
            var directory = mount.path[...]
            while let slash = directory.lastIndex(of: UInt8(ascii: "/")) {
                directory = directory[..<slash]
                if directory.count < above.path.count { break }
                if children.contains(MountTable.Child(parent: above.number, path: Array(directory))) { return false }
            }
            mount = above
        }
        return true
    }
}
