package import DurableFiles

/// What the torture of files writes: lines of keys and values in the order of their keys, which merge key by key. The
/// last one is always `~end=1`, so that half a file shows.
package struct Notes: Equatable, Sendable {
    package var values: [String: String]

    package static let end = "~end"

    package init(_ values: [String: String] = [:]) { self.values = values }

    /// Nil for half a file.
    package init?(complete bytes: [UInt8]) {
        self.init(bytes)
        guard bytes.last == UInt8(ascii: "\n"), values.removeValue(forKey: Notes.end) == "1" else { return nil }
    }

    /// As much as is there.
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
        return result + Array("\(Notes.end)=1\n".utf8)
    }

    /// Key by key; where both changed a value, `theirs` wins. Without a base, what only one of them has is kept.
    package static func merged(base: Notes?, ours: Notes, theirs: Notes) -> Notes {
        guard let base else { return Notes(theirs.values.merging(ours.values) { $1 }) }
        var result = theirs
        for key in Set(ours.values.keys).union(base.values.keys)
        where ours.values[key] != base.values[key] && theirs.values[key] == base.values[key] {
            result.values[key] = ours.values[key]
        }
        return result
    }

    /// What is in the file, and what was displaced from it. `read` makes notes of bytes.
    package static func merged(
        _ found: FoundFile, _ read: ([UInt8]) throws -> Notes
    ) rethrows -> Notes {
        var result = try found.contents.map { try read($0.bytes) } ?? Notes()
        for edit in found.displaced {
            let base = edit.base.flatMap(Notes.init(complete:))
            result = merged(base: base, ours: result, theirs: try read(edit.bytes))
        }
        return result
    }
}
