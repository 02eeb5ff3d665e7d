import Locking
import LosslessJSON
import Testing

@testable import SessionMirror

@Suite("What memory has meets what the file says") struct MeetingTests {
    private let moment = Moment(nanoseconds: 5_000_000_000)

    /// Both `low` and `high` may be what they like, if low is the lower one.
    private func meeting(_ policy: ConflictPolicy) -> Meeting {
        let understanding = CheckedDecoding<JSON>(coding: .standard) { value in
            if let low = value["low"]?.int, let high = value["high"]?.int, low > high {
                throw Refusal("must not be above \(high)", at: "low")
            }
        }
        return Meeting(file: "file", understanding: understanding, policy: policy)
    }

    private func standing(_ text: String, _ memory: JSON, own: OwnValues = OwnValues()) throws -> Standing {
        let document = try JSONDocument(parsing: text)
        let edition = Edition(memory, version: Version(number: 7), origin: .update, source: .tree(memory))
        return Standing(document: document, isMissing: false, common: document.value, edition: edition, own: own)
    }

    private func outcome(
        _ policy: ConflictPolicy, _ standing: Standing, found: String
    ) throws -> Meeting.Outcome {
        try meeting(policy).outcome(standing, JSONDocument(parsing: found), at: moment)
    }

    @Test("with nothing pending the file is right, and the next version is what it says") func taken() throws {
        let outcome = try outcome(.fileWins, standing(#"{"a": 1}"#, ["a": 1]), found: #"{"a": 2}"#)
        #expect(outcome.tree == ["a": 2] && outcome.edition.savedTree == ["a": 2])
        #expect(outcome.edition.version.number == 8 && outcome.edition.origin == .external)
        #expect(!outcome.isPending && outcome.losses.isEmpty)
    }

    @Test("a file that was laid out anew changes no version") func layout() throws {
        let standing = try standing(#"{"a": 1}"#, ["a": 1])
        let outcome = try outcome(.fileWins, standing, found: #"{ "a" : 1.0 } // new"#)
        #expect(outcome.edition === standing.edition)
        #expect(!outcome.isPending)
    }

    @Test("what only one side changed is taken from that side") func merged() throws {
        let outcome = try outcome(
            .fileWins, standing(#"{"a": 1, "b": 1}"#, ["a": 2, "b": 1]), found: #"{"a": 1, "b": 3, "c": 4}"#)
        #expect(outcome.tree == ["a": 2, "b": 3, "c": 4])
        #expect(outcome.isPending && outcome.losses.isEmpty)
    }

    @Test("what both sides made the same is no conflict") func same() throws {
        let standing = try standing(#"{"a": 1}"#, ["a": 2])
        let outcome = try outcome(.fileWins, standing, found: #"{"a": 2}"#)
        #expect(outcome.edition === standing.edition)
        #expect(!outcome.isPending && outcome.losses.isEmpty)
    }

    @Test("a conflict is decided by the policy, and told with the three values")
    func policies() throws {
        let custom = ConflictPolicy.custom { JSON(($0.ours?.int ?? 0) + ($0.theirs?.int ?? 0)) }
        let removing = ConflictPolicy.custom { _ in nil }
        let cases: [(ConflictPolicy, JSON, String)] = [
            (.fileWins, ["a": 3], "the file's counts"), (.memoryWins, ["a": 2], "this program's counts"),
            (custom, ["a": 5], "it is 5 now"), (removing, [:], "it is nothing now"),
        ]
        for (policy, expected, verdict) in cases {
            let outcome = try outcome(policy, standing(#"{"a": 1}"#, ["a": 2]), found: #"{"a": 3}"#)
            #expect(outcome.tree == expected)
            #expect(outcome.losses.map(\.values) == [JSONConflict(path: "/a", base: 1, ours: 2, theirs: 3)])
            #expect(outcome.losses.first?.message.hasSuffix(verdict) == true)
            #expect(outcome.isPending == (expected != ["a": 3]))
        }
    }

    @Test("two sides that cannot be used together are one conflict of the whole; the file is right") func whole() throws
    {
        let standing = try standing(#"{"low": 1, "high": 9}"#, ["low": 8, "high": 9])
        let outcome = try outcome(.fileWins, standing, found: #"{"low": 1, "high": 5}"#)
        #expect(outcome.tree == ["low": 1, "high": 5])
        let values = JSONConflict(
            path: JSONPointer(), base: ["low": 1, "high": 9], ours: ["low": 8, "high": 9],
            theirs: ["low": 1, "high": 5])
        #expect(outcome.losses.map(\.values) == [values])
        #expect(outcome.losses.first?.message.contains("must not be above 5") == true)
        #expect(!outcome.isPending)
    }

    @Test("two sides that cannot be used together are held where the program is right") func held() throws {
        let standing = try standing(#"{"low": 1, "high": 9}"#, ["low": 8, "high": 9])
        do {
            _ = try outcome(.memoryWins, standing, found: #"{"low": 1, "high": 5}"#)
            Issue.record("nothing was held")
        } catch Meeting.Refusal.held(let problem) {
            #expect(problem.code == .conflict)
            #expect(problem.values?.path == JSONPointer())
        }
    }

    @Test("what a closure gives for the whole counts where it can be used, and the file otherwise") func chosen() throws
    {
        let standing = try standing(#"{"low": 1, "high": 9}"#, ["low": 8, "high": 9])
        let choices: [(JSON?, JSON)] = [
            (["low": 4, "high": 5], ["low": 4, "high": 5]), (["low": 6, "high": 5], ["low": 1, "high": 5]),
            (nil, ["low": 1, "high": 5]),
        ]
        for (choice, expected) in choices {
            let outcome = try outcome(.custom { _ in choice }, standing, found: #"{"low": 1, "high": 5}"#)
            #expect(outcome.tree == expected && outcome.edition.savedTree == expected)
            #expect(outcome.losses.count == 1)
        }
    }

    @Test("a file that cannot be used alone is for people to mend, and not merged away") func refused() throws {
        let standing = try standing(#"{"low": 1, "high": 9}"#, ["low": 1, "high": 10])
        for policy in [ConflictPolicy.fileWins, .memoryWins] {
            do {
                _ = try outcome(policy, standing, found: #"{"low": 9, "high": 8}"#)
                Issue.record("it was not refused")
            } catch Meeting.Refusal.refused(let problem) {
                #expect(problem.code == .value && problem.path == "/low")
            }
        }
    }

    @Test("an own value that comes back is put in again, and beside it the edit of the same text counts")
    func restored() throws {
        var own = OwnValues()
        own.saved([ValueChange(path: "/a", old: 1, new: 2)], at: moment)
        let outcome = try outcome(.fileWins, standing(#"{"a": 2}"#, ["a": 2], own: own), found: #"{"a": 1, "b": 5}"#)
        #expect(outcome.tree == ["a": 2, "b": 5])
        #expect(outcome.hasRestored && outcome.isPending)
        #expect(outcome.losses.map(\.code) == [.restored])
        #expect(outcome.losses.map(\.values) == [JSONConflict(path: "/a", base: 2, ours: 2, theirs: 1)])

        own.take(outcome.notes)
        let again = try self.outcome(.fileWins, standing(#"{"a": 2}"#, ["a": 2], own: own), found: #"{"a": 1}"#)
        #expect(again.tree == ["a": 1])
        #expect(again.losses.map(\.code) == [.reverted])
        #expect(!again.hasRestored && !again.isPending)
    }
}
