/// The name of a file that a replacement puts beside the one it replaces, for as long as it takes: it says what the file
/// is good for should the process die.
///
/// For `a.json` it is `.a.json.sm-new-…` or the like. All numbers are hexadecimal.
struct Mark: Hashable {
    enum Kind: Hashable {
        /// Not complete, or never in place.
        case new
        /// The new version, named before it changes places with the expected one, and the old version after.
        case swap(new: Version, expected: Version)
        /// What was replaced while somebody had it open for writing, and still had when the patience ended.
        case late(Version)
        /// Two versions one after the other, of which the file itself is the first, the second, or a mixture.
        case rescue(old: Version, new: Version)
    }

    /// A file, and the bytes it had.
    struct Version: Hashable {
        /// For the bytes of a ``Kind/rescue(old:new:)``, which are all in one file, how many there are.
        let inode: UInt64
        let digest: Digest

        static func inode(of status: FileStatus, _ digest: Digest) -> Version {
            Version(inode: status.identity.inode, digest: digest)
        }
    }

    let kind: Kind
    /// Tells apart what would have the same name, and cannot be guessed.
    let salt: UInt32

    init(_ kind: Kind) { (self.kind, salt) = (kind, .random(in: .min ... .max)) }
}

extension Mark {
    /// How the names of all marks of the file with that name begin.
    static func prefix(for name: String) -> String { ".\(shortened(name))\(sign)" }

    /// Stands in all of them.
    static let sign = ".sm-"

    /// Whether it is the name of a mark of some file.
    static func isMark(_ name: String) -> Bool {
        let (name, sign) = (Array(name.utf8), Array(sign.utf8))
        guard name.count > sign.count, name[0] == UInt8(ascii: ".") else { return false }
        return (1...(name.count - sign.count)).contains { name[$0..<($0 + sign.count)].elementsEqual(sign) }
    }

    func name(for name: String) -> String { Mark.prefix(for: name) + text }

    /// Names have 255 bytes at most, of which a mark needs up to 83.
    private static func shortened(_ name: String) -> String {
        if name.utf8.count <= 160 { return name }
        var start = name[...]
        while start.utf8.count > 120 { start.removeLast() }
        return "\(start)~\(hexadecimal(Digest(Array(name.utf8)).value))"
    }

    private var text: String {
        let salt = Mark.hexadecimal(UInt64(salt))
        return switch kind {
        case .new: "new-\(salt)"
        case .swap(let new, let expected): "swap-\(new.text)-\(expected.text)-\(salt)"
        case .late(let version): "late-\(version.text)-\(salt)"
        case .rescue(let old, let new): "rescue-\(old.text)-\(new.text)-\(salt)"
        }
    }

    fileprivate static func hexadecimal(_ number: UInt64) -> String { String(number, radix: 16) }
}

extension Mark {
    /// Nil for a name that is none of ours.
    init?(_ fileName: String, for name: String) {
        // By bytes: names that look alike can be different ones.
        let prefix = Mark.prefix(for: name).utf8
        guard fileName.utf8.starts(with: prefix) else { return nil }
        let parts = Substring(fileName.utf8.dropFirst(prefix.count)).split(
            separator: "-", omittingEmptySubsequences: false)
        let numbers = parts.dropFirst().map { UInt64($0, radix: 16) }
        guard let word = parts.first, !numbers.contains(nil), let salt = numbers.last.flatMap({ $0 }),
            let kind = Kind(word, numbers.dropLast().map { $0! })
        else { return nil }
        self.kind = kind
        self.salt = UInt32(truncatingIfNeeded: salt)
    }
}

extension Mark.Kind {
    fileprivate init?(_ word: Substring, _ numbers: [UInt64]) {
        let versions = stride(from: 0, to: numbers.count - 1, by: 2).map { index in
            Mark.Version(inode: numbers[index], digest: Digest(value: numbers[index + 1]))
        }
        switch (word, numbers.count) {
        case ("new", 0): self = .new
        case ("swap", 4): self = .swap(new: versions[0], expected: versions[1])
        case ("late", 2): self = .late(versions[0])
        case ("rescue", 4): self = .rescue(old: versions[0], new: versions[1])
        default: return nil
        }
    }
}

extension Mark.Kind {
    var isRescue: Bool { if case .rescue = self { true } else { false } }

    /// Whether somebody who has it open to write may be about to close it.
    var isWaitedFor: Bool { if case .late = self { false } else { true } }

    /// How many bytes it can have when the file has `limit` at most: a copy has two versions.
    func limit(_ limit: Int) -> Int { isRescue && limit < .max / 2 ? 2 * limit : limit }
}

extension Mark.Version {
    fileprivate var text: String { "\(Mark.hexadecimal(inode))-\(Mark.hexadecimal(digest.value))" }
}
