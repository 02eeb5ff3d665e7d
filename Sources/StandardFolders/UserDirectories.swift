internal import DurableFiles

/// The directories that a user has chosen with xdg-user-dirs.
enum UserDirectories {
    /// Returns a directory of `user-dirs.dirs`; nil if the file does not name it.
    ///
    /// The file has lines of a shell. Only the form `XDG_DOCUMENTS_DIR="$HOME/Documents"` is read, with an absolute
    /// path or one below `$HOME`.
    static func directory(_ name: String, in config: String, home: String) -> String? {
        guard let contents = try? DurableFile("\(config)/user-dirs.dirs").read(limit: 1 << 16) else { return nil }
        return directory(name, in: contents.bytes, home: home)
    }

    static func directory(_ name: String, in bytes: [UInt8], home: String) -> String? {
        // As in a shell, the last line wins.
        for line in bytes.split(separator: UInt8(ascii: "\n")).reversed() {
            let words = line.drop { blanks.contains($0) }.split(separator: UInt8(ascii: "="), maxSplits: 1)
            guard words.count == 2, words[0].elementsEqual("XDG_\(name)_DIR".utf8) else { continue }
            guard let path = unquoted(words[1]) else { return nil }
            if path == "$HOME" { return home }
            if path.hasPrefix("$HOME/") {
                let subpath = path.dropFirst("$HOME/".count)
                return subpath.isEmpty ? home : FolderLocation.path(home, subpath)
            }
            return path.hasPrefix("/") ? path : nil
        }
        return nil
    }

    private static let blanks = [UInt8(ascii: " "), UInt8(ascii: "\t")]

    /// The text between quotation marks, in which a backslash precedes special characters.
    private static func unquoted(_ text: ArraySlice<UInt8>) -> String? {
        var bytes: [UInt8] = []
        var rest = text.drop { blanks.contains($0) }
        guard rest.popFirst() == UInt8(ascii: "\"") else { return nil }
        while let byte = rest.popFirst() {
            switch byte {
            case UInt8(ascii: "\""): return String(validating: bytes, as: UTF8.self)
            case UInt8(ascii: "\\"):
                guard let next = rest.popFirst() else { return nil }
                bytes.append(next)
            default: bytes.append(byte)
            }
        }
        return nil
    }
}
