/// What is mounted where, as /proc/self/mountinfo tells it: a pure value.
///
/// Only what a path can lead to is kept: a mount may be hidden by a later one, on the same folder or above it.
struct MountTable: Equatable, Sendable {
    struct Mount: Equatable, Sendable {
        fileprivate let number: Int
        fileprivate let parent: Int
        fileprivate let path: [UInt8]
        /// The folder or file of the file system that is seen there.
        fileprivate let root: [UInt8]
        fileprivate let device: [UInt8]
        /// As it is called in /proc/filesystems.
        let type: String
        /// Of an overlay: the folders that it is made of, as they were called when it was mounted.
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
            // Nothing is above the first mount of all, which is called its own parent.
            if mount.parent != mount.number { children.insert(Child(parent: mount.parent, path: mount.path)) }
        }
        for mount in mounts where mount.isVisible(numbers, children) { visible[mount.path] = mount }
    }

    /// What is mounted at a path, which is written without a slash at its end; nothing for the root.
    func mount(at path: ArraySlice<UInt8>) -> Mount? { visible[Array(path)] }

    /// Whether somebody can change, past the mount, a folder that the overlay holding a path is made of. A container's root is
    /// made of folders that are not to be found there.
    ///
    /// Where it cannot be told so it is: where layers have relative names, of which nobody knows where they led when they were
    /// mounted, or lie with others, who are not asked because they may not answer.
    ///
    /// - Parameter exists: Whether there is something by a path, as far as that can be told.
    func hasLayersInSight(under path: [UInt8], exists: ([UInt8]) -> Bool) -> Bool {
        // The table is out of date when it does not know of the overlay.
        guard let mount = mount(holding: path), mount.type == "overlay" else { return true }
        let layers = mount.layers.filter { $0.first == UInt8(ascii: "/") }
        return layers.isEmpty || layers.contains { leadsThroughForeign($0[...]) || exists($0) }
    }

    /// The mount that a path leads to.
    func mount(holding path: [UInt8]) -> Mount? {
        var path = path[...]
        while true {
            if let mount = mount(at: path) { return mount }
            guard let slash = path.lastIndex(of: UInt8(ascii: "/")) else { return nil }
            path = path[..<slash]
        }
    }

    /// The kind of file system mounted at a path, if its changes are made by others who do not tell this kernel.
    func foreignKind(at path: ArraySlice<UInt8>) -> FileSystemKind? {
        mount(at: path).flatMap { FileSystemKind(foreign: $0.type) }
    }

    /// Whether the path leads into what others change, or to it.
    func leadsThroughForeign(_ path: ArraySlice<UInt8>) -> Bool {
        var path = path
        while foreignKind(at: path) == nil {
            guard let slash = path.lastIndex(of: UInt8(ascii: "/")) else { return false }
            path = path[..<slash]
        }
        return true
    }

    /// The paths at which another thing is mounted than before, or nothing any more.
    func changes(since old: MountTable) -> [[UInt8]] {
        visible.filter { old.visible[$0.key] != $0.value }.map(\.key) + old.visible.keys.filter { visible[$0] == nil }
    }

    fileprivate struct Child: Hashable {
        let parent: Int
        let path: [UInt8]
    }
}

extension MountTable.Mount {
    /// Takes a line apart: `36 35 98:0 /root /mount/point rw,noatime master:1 - ext4 /dev/sda rw`, with a varying number
    /// of words before the hyphen.
    fileprivate init?(parsing line: ArraySlice<UInt8>) {
        let words = line.split(separator: UInt8(ascii: " "), omittingEmptySubsequences: false).map { Array($0) }
        guard words.count > 6, let hyphen = words[6...].firstIndex(of: [UInt8(ascii: "-")]), hyphen + 1 < words.count
        else { return nil }
        guard let number = Int(String(decoding: words[0], as: UTF8.self)) else { return nil }
        guard let parent = Int(String(decoding: words[1], as: UTF8.self)) else { return nil }
        let path = Self.unescaped(words[4])
        self.init(
            number: number, parent: parent, path: path == [UInt8(ascii: "/")] ? [] : path,
            root: words[3], device: words[2], type: String(decoding: words[hyphen + 1], as: UTF8.self))
        if type == "overlay", let options = words.last { layers = Self.layers(options) }
    }

    /// The folders that an overlay is made of, as its options tell: `lowerdir=/a:/b,upperdir=/c`, or `lowerdir+=/a` for each.
    /// A comma in a name is written in octal, and a backslash stands before a colon.
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

    /// Spaces, line ends and backslashes are written in octal: `\040`.
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

    /// Whether a path can lead to it: nothing is mounted on its own root, nothing that its parent holds hides a folder
    /// above it, and the same is true of its parent.
    fileprivate func isVisible(_ numbers: [Int: Self], _ children: Set<MountTable.Child>) -> Bool {
        if children.contains(MountTable.Child(parent: number, path: path)) { return false }
        var mount = self
        for _ in 0..<64 {
            guard let above = numbers[mount.parent], above.number != mount.number else { return true }
            var folder = mount.path[...]
            while let slash = folder.lastIndex(of: UInt8(ascii: "/")) {
                folder = folder[..<slash]
                if folder.count < above.path.count { break }
                if children.contains(MountTable.Child(parent: above.number, path: Array(folder))) { return false }
            }
            mount = above
        }
        return true
    }
}
