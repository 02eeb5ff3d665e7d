import LosslessJSON
import TestSupport
import Testing

/// A file with comments and unusual layouts that undergoes many small edits.
@Suite("Many edits of a commented file") struct LongLifeTests {
    private static let text = """
        // Settings of the server.    Ask ops before you change them!

        {   // everything
            // Where it listens.
            "http": { "port": 8080, /* the usual */ "host" : "localhost" /* for now */ },  // web

            /* Limits,
               in requests a second. */
            "limits":{"burst":10,"rate":[ 1,2 , 3 ]}, // of all
        \t"users": [ // in order
        \t\t"anna",   // the first
        \t\t          // and the best
        \t\t"bert"
        \t\t, "carl" // odd
        \t\t// nobody else
        \t],

            // ---- experimental ----

            "flags": {
                // nothing yet
            },
            "empty": [], /* none */ "one": 1,
            // The last word.
        }
        // end of settings

        """

    /// At most 400, however many texts `make torture-edits` asks for: the text grows, and the model with it.
    private static let count = min(Thoroughness.edits(inFull: 100, otherwise: 50), 400)

    @Test("Random edits one after another keep every comment that does not belong to a removed value")
    func edits() throws {
        let seed = UInt64.random(in: 1...999_999)
        var random = RandomEdit(seed: seed)
        var before = Array(Self.text.utf8)
        for number in 0..<Self.count {
            let document = try JSONDocument(parsing: before)
            let change = random.change(ofFile: document.value)
            let after = try document.applying([change]).bytes
            let (old, new) = (ReferenceText(before), ReferenceText(after))
            let removed = old.commentsRemoved(by: change)
            let kept = old.tokens.indices.filter { old.tokens[$0].kind == .comment && !removed.contains($0) }
            guard new.comments == kept.map({ old.text(old.tokens[$0]) }),
                try JSONDocument(parsing: after).value == DifferenceModel.applying(change, to: document.value)
            else {
                Issue.record("seed \(seed), edit \(number), \(change):\n\(old.bytes)\nbecame\n\(new.bytes)")
                return
            }
            before = after
        }
    }
}

extension RandomEdit {
    /// A change that leaves most of the file unchanged, and that a person could make with `sessionctl set` or `unset`.
    fileprivate mutating func change(ofFile value: JSON) -> JSONChange {
        while true {
            let change = change(of: value)
            if change.path.isRoot || change.isItemwise { continue }
            // Whole sections are not removed; otherwise soon no comments would be left.
            if change.path.tokens.count == 1, change.old.map({ $0.array != nil || $0.object != nil }) ?? false {
                continue
            }
            let index = value[at: change.path.parent!]?.array.map { Int(change.path.tokens.last!)! == $0.count }
            if change.kind == .added && index == false { continue }  // set only appends
            return change
        }
    }
}
