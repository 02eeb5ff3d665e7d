import Glibc
import LosslessJSON
import SessionMirror
import TestSupport
import Testing

/// A session of a good file that is about to be broken, and all that it tells.
final class BrokenStage {
    let place: ScenarioPlace
    let onlooker: Onlooker<Gateway>
    private let path: String

    init(holding content: [UInt8] = Array(Gateway.lastGood.utf8)) throws {
        place = try ScenarioPlace()
        path = place.folder.path(of: "server.json")
        try place.folder.write("server.json", content)
        try place.folder.write("repaired.json", Gateway.repaired)
        var options = SessionOptions()
        // The disk may keep a writer waiting between emptying the file and writing it.
        options.settlingTime = .milliseconds(200)
        options.settlingLimit = .seconds(10)
        onlooker = Onlooker(try Session(Gateway(), at: path, options: options, check: Gateway.check))
    }

    func write(_ content: [UInt8], _ way: BrokenEditTests.Way) throws {
        switch way {
        case .inPlace: try place.folder.write("server.json", content)
        case .byRenaming:
            try place.folder.write(".new", content)
            try place.folder.rename(".new", to: "server.json")
        }
    }

    /// The right problem is told, once, and changes nothing.
    func checkProblem(
        _ code: String, _ location: String?, _ pointer: String?, _ words: String, lastGood: Int = 1,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        eventually("the problem is told", sourceLocation: sourceLocation) { onlooker.problems.count == 1 }
        let problem = try #require(onlooker.problems.first, sourceLocation: sourceLocation)
        #expect(problem.code.rawValue == code, sourceLocation: sourceLocation)
        #expect(problem.location?.description == location, sourceLocation: sourceLocation)
        #expect(problem.path?.description == pointer, sourceLocation: sourceLocation)
        #expect(problem.message.contains(words), sourceLocation: sourceLocation)
        #expect(problem.file == path, sourceLocation: sourceLocation)
        #expect(
            problem.description.hasPrefix("\(path):\(location.map { "\($0):" } ?? "") error: "),
            sourceLocation: sourceLocation)
        #expect(onlooker.session.mirror.status.content == .invalid(problem), sourceLocation: sourceLocation)
        #expect(onlooker.session.port == lastGood, sourceLocation: sourceLocation)
        #expect(onlooker.changes.count == 0, sourceLocation: sourceLocation)
    }

    /// The repair arrives, and that is all there was.
    func checkRepair(sourceLocation: SourceLocation = #_sourceLocation) {
        eventually("the repair arrives", sourceLocation: sourceLocation) { onlooker.changes.count == 1 }
        eventually("the recovery is told", sourceLocation: sourceLocation) {
            onlooker.recoveries.count == 1 && onlooker.reports.items.last == .status(onlooker.session.mirror.status)
        }
        #expect(onlooker.session.port == 2, sourceLocation: sourceLocation)
        #expect(onlooker.session.mirror.status.content == .good, sourceLocation: sourceLocation)
        #expect(onlooker.recoveries == onlooker.problems, sourceLocation: sourceLocation)
        #expect(onlooker.session.mirror.metrics.refusals == 1, sourceLocation: sourceLocation)
        onlooker.checkChain(sourceLocation)
    }
}

/// What this process has needed.
enum Memory {
    /// The most at one time so far, in bytes.
    static func peak() throws -> Int {
        var usage = rusage()
        guard getrusage(RUSAGE_SELF.rawValue, &usage) == 0 else { throw SystemRefusal("getrusage: \(errno)") }
        return usage.ru_maxrss * 1_024
    }
}
