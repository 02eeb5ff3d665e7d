/// The name of a temporary file next to the file to be replaced. It tells how to recover the file if the process dies.
///
/// The names for `a.json` are `.a.json.sm-new-…` and the like. All numbers are hexadecimal.
struct TemporaryName: Hashable {
    enum Kind: Hashable {
        /// A new version, incomplete or never put in place (`new`).
        case new
        /// The new version before it is exchanged with the expected one, and the old version after that (`swap`).
        case swap(new: VersionID, expected: VersionID)
        /// A displaced version that a process may still have open for writing (`displaced`).
        case displaced(VersionID)
        /// Two versions one after the other; the file itself holds the first, the second, or a mixture (`backup`).
        case backup(old: VersionID, new: VersionID)
    }

    /// Identifies a file and its contents.
    struct VersionID: Hashable {
        /// The inode number; for ``Kind/backup(old:new:)``, where both versions are in one file, the number of bytes.
        let inode: UInt64
        let digest: Digest

        static func inode(of status: FileStatus, _ digest: Digest) -> VersionID {
            VersionID(inode: status.identity.inode, digest: digest)
        }
    }

    let kind: Kind
    /// A random number that makes the name unique and unpredictable.
    let salt: UInt32

    init(_ kind: Kind) { (self.kind, salt) = (kind, .random(in: .min ... .max)) }
}

extension TemporaryName {
    /// The prefix of all temporary names of a file.
    static func prefix(for name: String) -> String { ".\(shortened(name))\(infix)" }

    /// A part of all temporary names.
    static let infix = ".sm-"

    /// Returns whether this is a temporary name of any file.
    static func isTemporaryName(_ name: String) -> Bool {
        let (name, infix) = (Array(name.utf8), Array(infix.utf8))
        guard name.count > infix.count, name[0] == UInt8(ascii: ".") else { return false }
        return (1...(name.count - infix.count)).contains { name[$0..<($0 + infix.count)].elementsEqual(infix) }
    }

    func name(for name: String) -> String { TemporaryName.prefix(for: name) + text }

    /// Shortens a long file name: names have at most 255 bytes, of which the suffix needs up to 83.
    private static func shortened(_ name: String) -> String {
        if name.utf8.count <= 160 { return name }
        var start = name[...]
        while start.utf8.count > 120 { start.removeLast() }
        return "\(start)~\(hexadecimal(Digest(Array(name.utf8)).value))"
    }

    private var text: String {
        let salt = TemporaryName.hexadecimal(UInt64(salt))
        return switch kind {
        case .new: "new-\(salt)"
        case .swap(let new, let expected): "swap-\(new.text)-\(expected.text)-\(salt)"
        case .displaced(let version): "displaced-\(version.text)-\(salt)"
        case .backup(let old, let new): "backup-\(old.text)-\(new.text)-\(salt)"
        }
    }

    fileprivate static func hexadecimal(_ number: UInt64) -> String { String(number, radix: 16) }
}

extension TemporaryName {
    /// Parses a temporary name of the file `name`; returns nil for any other name.
    init?(_ fileName: String, for name: String) {
        // Compared by bytes, because names that are canonically equivalent can be different files.
        let prefix = TemporaryName.prefix(for: name).utf8
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

extension TemporaryName.Kind {
    fileprivate init?(_ word: Substring, _ numbers: [UInt64]) {
        let versions = stride(from: 0, to: numbers.count - 1, by: 2).map { index in
            TemporaryName.VersionID(inode: numbers[index], digest: Digest(value: numbers[index + 1]))
        }
        switch (word, numbers.count) {
        case ("new", 0): self = .new
        case ("swap", 4): self = .swap(new: versions[0], expected: versions[1])
        case ("displaced", 2): self = .displaced(versions[0])
        case ("backup", 4): self = .backup(old: versions[0], new: versions[1])
        default: return nil
        }
    }
}

extension TemporaryName.Kind {
    var isDisplaced: Bool { if case .displaced = self { true } else { false } }

    var isBackup: Bool { if case .backup = self { true } else { false } }

    /// Whether recovery waits for processes that have the file open for writing.
    var waitsForWriters: Bool { !isDisplaced }

    /// Returns the size limit for the temporary file: a backup copy holds two versions.
    func sizeLimit(fileLimit limit: Int) -> Int { isBackup && limit < .max / 2 ? 2 * limit : limit }
}

extension TemporaryName.VersionID {
    fileprivate var text: String { "\(TemporaryName.hexadecimal(inode))-\(TemporaryName.hexadecimal(digest.value))" }
}
