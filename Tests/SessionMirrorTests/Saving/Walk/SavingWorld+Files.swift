import DurableFiles
import LosslessJSON

@testable import SessionMirror

// What comes into the file.
extension SavingWorld {
    /// A save has come to its bytes.
    mutating func write(_ document: JSONDocument) {
        let before = file.document
        if let before {
            beforeSave = before
        } else {
            beforeSave = state.base
            ledger.foreign = Ledger.foreignKeys(of: state.base?.value ?? [:])
            for edit in carried { ledger.foreign.merge(edit.foreignKeys) { $1 } }
        }
        keepsComments(of: before ?? state.base, in: document)
        // Edits on their way are in it now.
        carried = []
        file.write(.good(document))
        lastGood = document
        ledger.wrote(document.value, over: before?.value)
        let isKept = ledger.isKept(in: document.value)
        check(isKept, "a save has changed what is the foreigner's")
        removed = nil
        take(state.signalled(at: now))
    }

    private mutating func keepsComments(of before: JSONDocument?, in after: JSONDocument) {
        guard let before else { return }
        let comments = ["// kept by hand", "// counted"]
        let (old, new) = (before.text, after.text)
        check(comments.allSatisfy { !old.contains($0) || new.contains($0) }, "a save has taken away a comment")
    }

    /// The foreigner writes a whole text.
    mutating func foreignerWrites(_ document: JSONDocument) {
        ledger.foreignerWrote(
            document.value, over: lastGood.value, besides: carried.map(\.foreignKeys),
            known: [memory, state.standing.common])
        file.write(.good(document))
        lastGood = document
        removed = nil
        take(state.signalled(at: now))
    }

    /// The foreigner writes what is no good, or removes it.
    mutating func foreignerSpoils(_ content: PretendedFile.Content) {
        file.write(content)
        // What the state has never seen cannot be gone for it.
        removed = file.isMissing && !state.standing.isMissing ? now : nil
        suspected = state.suspicion?.began
        take(state.signalled(at: now))
    }

    /// Somebody goes on writing to the version that was just replaced.
    mutating func displace(_ key: String, from expected: [UInt8]) {
        heldOpen = nil
        let base = try! JSONDocument(parsing: expected)
        let edited = try! base.setting(JSONPointer([key]), to: key == "shared" ? JSON("theirs\(count)") : JSON(count))
        carried.append(DisplacedEdit(base: expected, bytes: edited.bytes))
        if key == "shared" { ledger.unseen = nil } else { ledger.foreign[key] = JSON(count) }
    }

    /// A crash has left what somebody had written, and nobody knows what they began with.
    mutating func leaveOver(_ key: String) {
        let edited = try! beforeSave!.setting(JSONPointer([key]), to: JSON(count))
        carried.append(DisplacedEdit(base: nil, bytes: edited.bytes))
        ledger.foreign[key] = JSON(count)
        ledger.mayReturn = ["d", "s"]
    }
}

extension DisplacedEdit {
    /// What it brings of the foreigner's own.
    fileprivate var foreignKeys: [String: JSON] {
        let (before, after) = (base.map { try! JSON(parsing: $0) }, try! JSON(parsing: bytes))
        let keys = Ledger.foreignKeys(of: after)
        return keys.filter { key, value in before.map { $0[key] != value } ?? (key.first == "d") }
    }
}
