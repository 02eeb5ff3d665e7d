import LosslessJSON
import TestSupport
import Testing

@Suite("Four processes and sed -i saving into one file", .serialized, .needs(.flock, .sed))
struct SavingTortureTests {
    private let processes = 0..<4
    private let limit = Duration.seconds(300)

    @Test("No increment of a shared counter is lost when sed takes the lock, too", arguments: 1...TortureScale.runs)
    func sharedCounter(run: Int) throws {
        let file = try SharedFile()
        let sed = try SedLoop(file, isLocking: true)
        let running = try processes.map { _ in try file.start("count", "\(TortureScale.commits)") }
        for process in running { #expect(try process.end(within: limit) == Program.Result(code: 0)) }
        let added = try sed.end()
        let count = try file.values()["count"]?.int
        let expected = processes.count * TortureScale.commits
        print("shared counter, run \(run): \(count ?? 0) of \(expected), \(added) keys of sed")
        #expect(count == expected)
        try file.expectWhole(withKeysOf: added)
    }

    @Test(
        "Every increment that a stale write of sed reverts is restored or reported",
        arguments: 1...TortureScale.runs)
    func ownCounters(run: Int) throws {
        let file = try SharedFile()
        let sed = try SedLoop(file, isLocking: false)
        let running = try processes.map { try file.start("own", "c\($0)", "\(TortureScale.commits)") }
        for process in running { _ = try process.line(with: "committed", within: limit) }
        let added = try sed.end()
        for process in running { try process.say("sed is over") }
        let outputs = try running.map { process in
            let result = try process.end(within: limit)
            #expect(result.code == 0 && result.messages == "", "\(result)")
            return result.output
        }
        let histories = outputs.map { $0.split(separator: "\n").map(String.init) }
        let counts = try processes.map { try file.values()["c\($0)"]?.int ?? 0 }
        let reverted = histories.map { Int($0.last?.dropFirst("gone ".count) ?? "") ?? 0 }
        let restored = histories.map { $0.count { $0.hasPrefix("restored") } }
        print("own counters, run \(run): \(counts) in the file, reported as reverted \(reverted), ", terminator: "")
        print("restored \(restored) times, \(added) keys of sed")
        for index in processes {
            #expect(counts[index] + reverted[index] == TortureScale.commits, "\(outputs[index])")
        }
        try file.expectWhole(withKeysOf: added)
    }

    @Test("No update that is saved after a delay is lost", arguments: 1...TortureScale.runs)
    func updates(run: Int) throws {
        let file = try SharedFile()
        let sed = try SedLoop(file, isLocking: true)
        let running = try processes.map { try file.start("update", "p\($0)", "\(TortureScale.updates)") }
        let results = try running.map { try $0.end(within: limit) }
        let added = try sed.end()
        let values = try file.values()
        let keys = processes.flatMap { process in
            (0..<TortureScale.updates).map { (key: "p\(process)_\($0)", value: $0) }
        }
        let lost = keys.filter { values[$0.key]?.int != $0.value }.map(\.key)
        let saves = results.map { $0.output.filter(\.isNumber) }.joined(separator: " + ")
        print("updates, run \(run): \(keys.count - lost.count) of \(keys.count) in \(saves) saves, ", terminator: "")
        print("\(added) keys of sed")
        #expect(results.allSatisfy { $0.code == 0 && $0.messages == "" }, "\(results)")
        #expect(lost == [])
        try file.expectWhole(withKeysOf: added)
    }
}
