import LosslessJSON

@testable import SessionMirror

/// The values that file and memory must have in the end.
struct ExpectedState {
    /// A request that waits for the disk.
    struct PendingRequest {
        enum Kind { case commit, flush, close }

        let kind: Kind
        /// The program's value of `mine` when the request was made.
        let mine: Int
    }

    /// The number of increments by the program.
    var increments = 0
    /// The program's last value of each of its keys.
    var latest: [String: JSON] = [:]
    /// The numbers of the commits that have been in the file.
    var inFile: Set<Int> = []
    /// The numbers of the commits that memory had before the file, because an update was built on them.
    var inMemory: Set<Int> = []
    /// The program's values of the shared key that have been in the file.
    var sharedInFile: Set<JSON> = []
    /// The highest value of `mine` that has been in the file.
    var highest = 0
    var waiting: [Int: PendingRequest] = [:]
    /// The expected keys of the other program.
    var foreign: [String: JSON] = [:]
    /// The prefixes of keys of the other program that a save may add again after they were removed.
    var mayReturn: Set<Character> = ["d"]
    /// The other program's value of the shared key, while it is not in memory yet.
    var unseen: JSON?
    /// Values of `unseen` that a save overwrote.
    var overwritten: [JSON] = []
    /// Conflicts that a save reported although memory may have changed there: it could not be written by then. What
    /// they say may not be lost, or be reported again.
    var uncertain: [SessionProblem] = []

    static let own: Set<String> = ["n", "mine", "log", "shared", "ratio", "unwritable"]

    static func foreignKeys(of tree: JSON) -> [String: JSON] {
        var keys: [String: JSON] = [:]
        for (key, value) in tree.object ?? [:] where !own.contains(key) { keys[key] = value }
        return keys
    }

    /// Whether a text has exactly the other program's keys, apart from those that a save may add again.
    func isKept(in text: JSON) -> Bool {
        let there = Self.foreignKeys(of: text)
        let isNothingElse = there.keys.allSatisfy { foreign[$0] != nil || mayReturn.contains($0.first!) }
        return isNothingElse && foreign.allSatisfy { there[$0] == $1 }
    }

    /// Records that an update was built on commits that were being written.
    mutating func adopted(commitsIn tree: JSON) {
        for number in Self.commits(in: tree["log"] ?? "")
        where waiting[number] != nil && inMemory.insert(number).inserted {
            increments += 1
        }
    }

    /// The numbers of the commits in a value of `log`.
    static func commits(in log: JSON) -> [Int] { (log.string ?? "").split(separator: ",").map { Int($0)! } }

    /// Records that a save has written the file.
    mutating func wrote(_ after: JSON, over before: JSON?) {
        highest = max(highest, after["mine"]?.int ?? 0)
        inFile.formUnion(Self.commits(in: after["log"] ?? ""))
        if let shared = after["shared"] { sharedInFile.insert(shared) }
        guard let unseen, before?["shared"] == unseen, after["shared"] != unseen else { return }
        // There is no guarantee between two programs that do not use the library.
        if after["shared"]?.string?.hasPrefix("theirs") != true { overwritten.append(unseen) }
        self.unseen = nil
    }

    /// Records that the other program has written a complete text. `displaced` are edits that are not in the file yet.
    mutating func otherProgramWrote(
        _ after: JSON, over before: JSON, besides displaced: [[String: JSON]], known: [JSON]
    ) {
        foreign = Self.foreignKeys(of: after)
        for keys in displaced { foreign.merge(keys) { $1 } }
        guard let shared = after["shared"], shared != before["shared"] else { return }
        unseen = known.contains { $0["shared"] == shared } ? nil : shared
    }
}

extension ExpectedState {
    /// The guarantees that are broken in the end.
    func violations(memory: JSON, conflicts: [SessionProblem]) -> [String] {
        var violations: [String] = []
        let lost = conflicts.filter { $0.code.name != "restored" && !$0.message.hasSuffix("kept this program's value") }
        let counts = lost.filter { $0.path == "/n" }.reduce([memory["n"]?.int ?? 0] as Set) { sums, loss in
            let values = loss.code.values
            let counted = Set(sums.map { $0 + (values?.ours?.int ?? 0) - (values?.theirs?.int ?? 0) })
            return uncertain.contains(loss) ? sums.union(counted) : counted
        }
        if !counts.contains(increments) {
            violations.append("\(increments) increments, but \(counts.sorted()) are accounted for")
        }
        for (key, value) in latest where memory[key] != value {
            let losses = lost.filter { $0.path == JSONPointer([key]) && $0.code.values?.ours == value }
            let (times, most) = (losses.count { !uncertain.contains($0) }, losses.count)
            // The other program may have changed a saved value, but only of the shared key.
            let isEdited = key == "shared" && times == 0 && sharedInFile.contains(value)
            if times > 1 || most == 0, !isEdited {
                violations.append("the loss of \(value) at \(key) was reported \(most) times")
            }
        }
        let reported = conflicts.filter { $0.path == "/shared" }.flatMap {
            [$0.code.values?.theirs, $0.code.values?.ours]
        }
        for value in overwritten where !reported.contains(value) {
            violations.append("the other program's \(value) was overwritten without a report")
        }
        for loss in lost {
            let key = loss.path?.tokens.first ?? ""
            if Self.own.contains(key) || key.first == "d" { continue }
            violations.append("reported as lost, but was not: \(loss.message)")
        }
        return violations
    }
}
