import LosslessJSON

@testable import SessionMirror

/// What everybody has wanted, to be compared with what became of it.
struct Ledger {
    /// Somebody who waits for the disk.
    struct Ticket {
        enum Kind { case commit, flush, close }

        let kind: Kind
        /// The program's last value when it came.
        let mine: Int
    }

    /// How often the program has counted.
    var increments = 0
    /// The program's last value of each of its keys.
    var latest: [String: JSON] = [:]
    /// Which commits the file has had.
    var inFile: Set<Int> = []
    /// Which of the program's values of the shared key the file has had.
    var sharedInFile: Set<JSON> = []
    /// The program's highest value that the file has had.
    var highest = 0
    var waiting: [Int: Ticket] = [:]
    /// What the foreigner's keys are to be.
    var foreign: [String: JSON] = [:]
    /// How those keys of the foreigner's begin that a save may put in again, after somebody took them out.
    var mayReturn: Set<Character> = ["d"]
    /// A foreigner's value of the shared key that memory has not seen.
    var unseen: JSON?
    /// Such values that a save took away.
    var overwritten: [JSON] = []

    static let own: Set<String> = ["n", "mine", "log", "shared"]

    static func foreignKeys(of tree: JSON) -> [String: JSON] {
        var keys: [String: JSON] = [:]
        for (key, value) in tree.object ?? [:] where !own.contains(key) { keys[key] = value }
        return keys
    }

    /// Whether a text has what is the foreigner's, and nothing of that kind else. What a save has put into the file for
    /// somebody is the save's own by then.
    func isKept(in text: JSON) -> Bool {
        let there = Self.foreignKeys(of: text)
        let isNothingElse = there.keys.allSatisfy { foreign[$0] != nil || mayReturn.contains($0.first!) }
        return isNothingElse && foreign.allSatisfy { there[$0] == $1 }
    }

    /// A save has written.
    mutating func wrote(_ after: JSON, over before: JSON?) {
        highest = max(highest, after["mine"]?.int ?? 0)
        for number in (after["log"]?.string ?? "").split(separator: ",") { inFile.insert(Int(number)!) }
        if let shared = after["shared"] { sharedInFile.insert(shared) }
        guard let unseen, before?["shared"] == unseen, after["shared"] != unseen else { return }
        // Between two foreigners nothing is promised.
        if after["shared"]?.string?.hasPrefix("theirs") != true { overwritten.append(unseen) }
        self.unseen = nil
    }

    /// The foreigner has written a whole text, beside which these edits are on their way into the file.
    mutating func foreignerWrote(_ after: JSON, over before: JSON, besides carried: [[String: JSON]], known: [JSON]) {
        foreign = Self.foreignKeys(of: after)
        for keys in carried { foreign.merge(keys) { $1 } }
        guard let shared = after["shared"], shared != before["shared"] else { return }
        unseen = known.contains { $0["shared"] == shared } ? nil : shared
    }
}

extension Ledger {
    /// What is wrong with the end of it all.
    func complaints(memory: JSON, losses: [Problem]) -> [String] {
        var complaints: [String] = []
        let lost = losses.filter { $0.code != .restored && !$0.message.hasSuffix("this program's counts") }
        let counted = lost.filter { $0.path == "/n" }.reduce(memory["n"]?.int ?? 0) { sum, loss in
            sum + (loss.values?.ours?.int ?? 0) - (loss.values?.theirs?.int ?? 0)
        }
        if counted != increments { complaints.append("\(increments) increments, but \(counted) are accounted for") }
        for (key, value) in latest where memory[key] != value {
            let times = lost.filter { $0.path == JSONPointer([key]) && $0.values?.ours == value }.count
            // What the file had is the foreigner's to change, who changes the shared key only.
            let isEdited = key == "shared" && times == 0 && sharedInFile.contains(value)
            if times != 1, !isEdited {
                complaints.append("\(key) was \(value), and that it is not is told \(times) times")
            }
        }
        let told = losses.filter { $0.path == "/shared" }.flatMap { [$0.values?.theirs, $0.values?.ours] }
        for value in overwritten where !told.contains(value) {
            complaints.append("the foreigner's \(value) was overwritten without a word")
        }
        for loss in lost {
            let key = loss.path?.tokens.first ?? ""
            if Self.own.contains(key) || key.first == "d" { continue }
            complaints.append("told of what was not lost: \(loss.message)")
        }
        return complaints
    }
}
