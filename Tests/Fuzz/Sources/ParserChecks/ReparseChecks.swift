import LosslessJSON

/// Invariants of the next versions of a text, which are parsed and edited in part: the results are the same as those of
/// starting anew. A failed check traps and names the failure.
package struct ReparseChecks {
    /// So long that the text after it is not at the first place where a walk over the document can begin, and that a
    /// change after it is not parsed together with one before it. Without repetition, so that it is found again after a
    /// change.
    private static let padding = (0..<2_500).map(String.init).joined(separator: " ")
    private static let fragments = [
        "{", "}", "[", "]", ",", ":", "\"", "\\", "/", "//", "/*", "*/", "\n", " ", "-", "1", ", 7", "7, ",
        ", \"new\": [1]", "\"new\": {}, ", "[[]], ", "// \"note\n", "}, {", "], [", "\u{FEFF}", "é", "\\u0041",
    ].map { Array($0.utf8) }
    private static let versions = 6

    private struct Edit {
        let bytes: Range<Int>
        let inserted: [UInt8]

        init(_ bytes: Range<Int>, _ inserted: [UInt8]) { (self.bytes, self.inserted) = (bytes, inserted) }
    }

    /// Follows from the input, so that an input is all that a finding needs.
    private var random: UInt64

    /// Checks some versions of a document that contains a text twice.
    package static func run(_ text: [UInt8]) {
        var checks = ReparseChecks(text)
        let begin = Array("{\"padding\": \"\(padding)\", \"texts\": [".utf8)
        let all = begin + text + Array(", \"\(padding)\", ".utf8) + text + Array("]}".utf8)
        guard var document = try? JSONDocument(parsing: all) else { return }
        for version in 0..<versions {
            // An element more at both ends of the array, or an edit in one of the texts, or in both.
            if version % 3 == 2, checks.below(2) == 0 {
                let ends = [(document.bytes.count - 2, ", 7"), (begin.count, "7, ")]
                document = checks.next(after: document, by: ends.map { Edit($0..<$0, Array($1.utf8)) })
                continue
            }
            let fromEnd = checks.below(text.count + 8) + 1
            let places = [document.bytes.count - fromEnd, begin.count - 1 + fromEnd]
            let edited = version % 3 == 2 ? places[...] : places[(version % 3)...(version % 3)]
            document = checks.next(after: document, by: edited.map { checks.edit(at: $0) })
        }
    }

    private init(_ text: [UInt8]) {
        random = text.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    }

    private mutating func below(_ limit: Int) -> Int {
        random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return Int(random >> 33) % limit
    }

    private mutating func edit(at place: Int) -> Edit {
        let removed = [0, 0, 1, 3, 20][below(5)]
        let inserted = below(4) == 0 ? [] : Self.fragments[below(Self.fragments.count)]
        return Edit(place..<place + removed, inserted)
    }

    /// The next version, by edits of the text from its end and one of the value, or the same document if the edited text
    /// is invalid.
    private mutating func next(after document: JSONDocument, by edits: [Edit]) -> JSONDocument {
        var bytes = document.bytes
        for edit in edits {
            // The value that contains the texts may have been replaced by a short one.
            bytes.replaceSubrange(edit.bytes.clamped(to: 0..<bytes.count), with: edit.inserted)
        }
        let fresh = try? JSONDocument(parsing: bytes)
        let next = try? document.reparsed(bytes)
        require((fresh == nil) == (next == nil), "a next version is accepted although it is invalid, or the reverse")
        guard let fresh, let next else { return document }
        requireSame(next, fresh)
        let paths = fresh.value.everything(atMost: 16).map(\.0).filter { !$0.isRoot }
        guard !paths.isEmpty else { return next }
        let path = paths[below(paths.count)]
        guard let edited = try? next.setting(path, to: JSON(below(1_000))),
            let expected = try? fresh.applying(edited.value.difference(from: fresh.value))
        else { return next }
        requireSame(edited, expected)
        return edited
    }

    private func requireSame(_ document: JSONDocument, _ expected: JSONDocument) {
        require(document.bytes == expected.bytes, "the text of a next version differs")
        require(document.value.description == expected.value.description, "the value of a next version differs")
        require(document.warnings == expected.warnings, "the warnings of a next version differ")
    }
}
