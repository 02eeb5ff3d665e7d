import DurableFiles
import LosslessJSON

@testable import SessionMirror

// Writes to the file.
extension SavingSimulation {
    /// Lets a save write its bytes.
    mutating func write(_ document: JSONDocument) {
        let before = file.document
        if let before {
            beforeSave = before
        } else {
            beforeSave = state.syncBase.document
            expectedState.foreign = ExpectedState.foreignKeys(of: state.syncBase.document?.value ?? [:])
            for edit in displaced { expectedState.foreign.merge(edit.foreignKeys) { $1 } }
        }
        checkComments(of: before ?? state.syncBase.document, in: document)
        // The text includes the displaced edits now.
        displaced = []
        file.write(.good(document))
        lastGood = document
        expectedState.wrote(document.value, over: before?.value)
        let isKept = expectedState.isKept(in: document.value)
        check(isKept, "a save has changed the other program's keys")
        removed = nil
        perform(state.fileChanged(at: now))
    }

    private mutating func checkComments(of before: JSONDocument?, in after: JSONDocument) {
        guard let before else { return }
        let comments = ["// kept by hand", "// counted"]
        let (old, new) = (before.text, after.text)
        check(comments.allSatisfy { !old.contains($0) || new.contains($0) }, "a save has removed a comment")
    }

    /// Lets the other program write a complete text.
    mutating func otherProgramWrites(_ document: JSONDocument) {
        expectedState.otherProgramWrote(
            document.value, over: lastGood.value, besides: displaced.map(\.foreignKeys),
            known: [memory, state.syncBase.baseTree])
        file.write(.good(document))
        lastGood = document
        removed = nil
        perform(state.fileChanged(at: now))
    }

    /// Lets the other program write invalid content, or remove the file.
    mutating func otherProgramBreaks(_ content: SimulatedFile.Content) {
        file.write(content)
        // The state does not notice the removal of a file that it has never seen.
        removed = file.isMissing && !state.syncBase.isMissing ? now : nil
        suspected = state.suspectContent?.began
        perform(state.fileChanged(at: now))
    }

    /// Lets another program write to the version that was just replaced.
    mutating func displace(_ key: String, from replaced: [UInt8]) {
        heldOpen = nil
        let base = try! JSONDocument(parsing: replaced)
        let edited = try! base.setting(JSONPointer([key]), to: key == "shared" ? JSON("theirs\(count)") : JSON(count))
        displaced.append(DisplacedEdit(base: replaced, bytes: edited.bytes))
        if key == "shared" { expectedState.unseen = nil } else { expectedState.foreign[key] = JSON(count) }
    }

    /// Leaves a displaced edit whose base is unknown, as after a crash.
    mutating func leaveOver(_ key: String) {
        let edited = try! beforeSave!.setting(JSONPointer([key]), to: JSON(count))
        displaced.append(DisplacedEdit(base: nil, bytes: edited.bytes))
        expectedState.foreign[key] = JSON(count)
        expectedState.mayReturn = ["d", "s"]
    }
}

extension DisplacedEdit {
    /// The other program's own keys in this edit.
    fileprivate var foreignKeys: [String: JSON] {
        let (before, after) = (base.map { try! JSON(parsing: $0) }, try! JSON(parsing: bytes))
        let keys = ExpectedState.foreignKeys(of: after)
        return keys.filter { key, value in before.map { $0[key] != value } ?? (key.first == "d") }
    }
}
