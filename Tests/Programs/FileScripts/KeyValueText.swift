package import DurableFiles

/// The contents of the torture tests: lines of keys and values, sorted by key and merged key by key. The last line is
/// always `~end=1`, so that an incomplete file is detected.
package struct KeyValueText: Equatable, Sendable {
    package var values: [String: String]

    package static let end = "~end"

    package init(_ values: [String: String] = [:]) { self.values = values }

    /// Parses a complete file; returns nil if it is incomplete.
    package init?(complete bytes: [UInt8]) {
        self.init(bytes)
        guard bytes.last == UInt8(ascii: "\n"), values.removeValue(forKey: KeyValueText.end) == "1" else { return nil }
    }

    /// Parses the lines that exist.
    private init(_ bytes: [UInt8]) {
        values = [:]
        for line in bytes.split(separator: UInt8(ascii: "\n")) {
            let parts = line.split(separator: UInt8(ascii: "="), maxSplits: 1)
            guard parts.count == 2 else { continue }
            values[String(decoding: parts[0], as: UTF8.self)] = String(decoding: parts[1], as: UTF8.self)
        }
    }

    package var bytes: [UInt8] {
        var result: [UInt8] = []
        for (key, value) in values.sorted(by: { $0.key < $1.key }) {
            result.append(contentsOf: key.utf8)
            result.append(UInt8(ascii: "="))
            result.append(contentsOf: value.utf8)
            result.append(UInt8(ascii: "\n"))
        }
        return result + Array("\(KeyValueText.end)=1\n".utf8)
    }

    /// Merges key by key; if both sides changed a value, `theirs` wins. Without a base, keys of either side are kept.
    package static func merged(base: KeyValueText?, ours: KeyValueText, theirs: KeyValueText) -> KeyValueText {
        guard let base else { return KeyValueText(theirs.values.merging(ours.values) { $1 }) }
        var result = theirs
        for key in Set(ours.values.keys).union(base.values.keys)
        where ours.values[key] != base.values[key] && theirs.values[key] == base.values[key] {
            result.values[key] = ours.values[key]
        }
        return result
    }

    /// Merges the contents of the file with the displaced edits; `read` parses bytes.
    package static func merged(
        _ found: FoundFile, _ read: ([UInt8]) throws -> KeyValueText
    ) rethrows -> KeyValueText {
        var result = try found.contents.map { try read($0.bytes) } ?? KeyValueText()
        for edit in found.displaced {
            let base = edit.base.flatMap(KeyValueText.init(complete:))
            result = merged(base: base, ours: result, theirs: try read(edit.bytes))
        }
        return result
    }
}
