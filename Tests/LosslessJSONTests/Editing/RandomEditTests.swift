import LosslessJSON
import TestSupport
import Testing

/// Random texts with comments in all possible locations, and random edits of them.
@Suite("Random edits") struct RandomEditTests {
    /// The number of texts per seed; `make torture-edits` uses more.
    static let count = Thoroughness.edits(inFull: 1_000, otherwise: 200)

    private func document(_ seed: UInt64, _ number: Int) throws -> JSONDocument {
        let isLenient = number % 3 != 0
        var texts = RandomJSON(
            seed: seed &* 1_000_003 &+ UInt64(number), isLenient: isLenient, duplicatesKeys: number % 5 == 0)
        let text = texts.document()
        return try JSONDocument(
            parsing: isLenient ? ReferenceText(text).numbered : text,
            options: JSONDocument.Options(dialect: isLenient ? .jsonc : .json))
    }

    @Test("A random edit gives the same value as in the model and can be undone", arguments: SeededGenerator.seeds)
    func meaning(seed: UInt64) throws {
        for number in 0..<RandomEditTests.count {
            let document = try document(seed, number)
            var edits = RandomEdit(seed: seed &+ UInt64(number))
            var (value, changes) = (document.value, [JSONChange]())
            for _ in 0...number % 4 {
                changes.append(edits.change(of: value))
                value = try #require(DifferenceModel.applying(changes[changes.count - 1], to: value))
            }
            let edited = try document.applying(changes)
            let read = try? JSONDocument(parsing: edited.bytes, options: document.options)
            let undone = try edited.applying(document.value.difference(from: edited.value))
            guard edited.value == value, read?.value.description == edited.value.description,
                read?.warnings == edited.warnings, undone.value == document.value,
                try JSONDocument(parsing: undone.bytes, options: document.options).value == document.value
            else {
                Issue.record("seed \(seed), text \(number): \(changes) in\n\(document.text)\ngives\n\(edited.text)")
                return
            }
        }
    }

    @Test(
        "A random edit keeps the comments and the exact bytes of all other items",
        arguments: SeededGenerator.seeds)
    func comments(seed: UInt64) throws {
        for number in 0..<RandomEditTests.count {
            let document = try document(seed, number)
            var edits = RandomEdit(seed: seed &+ UInt64(number))
            let change = edits.change(of: document.value)
            if change.isItemwise { continue }
            let edited = try document.applying([change])
            let before = ReferenceText(document.bytes)
            let removed = before.commentsRemoved(by: change)
            let expected = before.tokens.indices.filter { before.tokens[$0].kind == .comment && !removed.contains($0) }
                .map { before.text(before.tokens[$0]) }
            let after = ReferenceText(edited.bytes)
            guard after.comments == expected, after.keepsOtherItems(of: before, changing: change) else {
                Issue.record("seed \(seed), text \(number): \(change) in\n\(document.text)\ngives\n\(edited.text)")
                return
            }
        }
    }
}
