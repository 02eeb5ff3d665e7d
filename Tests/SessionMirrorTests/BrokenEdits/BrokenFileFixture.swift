import Glibc
import LosslessJSON
import SessionMirror
import TestSupport
import Testing

/// A session of a valid file that a test makes invalid, and everything that it reports.
final class BrokenFileFixture {
    let environment: ScenarioEnvironment
    let observer: SessionObserver<Gateway>
    private let path: String

    init(holding content: [UInt8] = Array(Gateway.lastGood.utf8)) throws {
        environment = try ScenarioEnvironment()
        path = environment.folder.path(of: "server.json")
        try environment.folder.write("server.json", content)
        try environment.folder.write("repaired.json", Gateway.repaired)
        var options = SessionOptions()
        // The disk may delay a writer between truncating the file and writing it.
        options.settlingTime = .milliseconds(200)
        options.settlingLimit = .seconds(10)
        observer = SessionObserver(try Session(Gateway(), at: path, options: options, check: Gateway.check))
    }

    func write(_ content: [UInt8], _ method: BrokenEditTests.WriteMethod) throws {
        switch method {
        case .inPlace: try environment.folder.write("server.json", content)
        case .byRenaming:
            try environment.folder.write(".new", content)
            try environment.folder.rename(".new", to: "server.json")
        }
    }

    /// Checks that the expected problem is reported once, and that the value is unchanged.
    func checkProblem(
        _ code: String, _ location: String?, _ pointer: String?, _ words: String, lastGood: Int = 1,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        eventually("the problem is reported", sourceLocation: sourceLocation) { observer.problems.count == 1 }
        let problem = try #require(observer.problems.first, sourceLocation: sourceLocation)
        #expect(problem.code.name == code, sourceLocation: sourceLocation)
        #expect(problem.location?.description == location, sourceLocation: sourceLocation)
        #expect(problem.path?.description == pointer, sourceLocation: sourceLocation)
        #expect(problem.message.contains(words), sourceLocation: sourceLocation)
        #expect(problem.file == path, sourceLocation: sourceLocation)
        #expect(
            problem.description.hasPrefix("\(path):\(location.map { "\($0):" } ?? "") error: "),
            sourceLocation: sourceLocation)
        #expect(observer.session.mirror.status.content == .invalid(problem), sourceLocation: sourceLocation)
        #expect(observer.session.port == lastGood, sourceLocation: sourceLocation)
        #expect(observer.changes.count == 0, sourceLocation: sourceLocation)
    }

    /// Checks that the repair is loaded, and that nothing else is reported.
    func checkRepair(sourceLocation: SourceLocation = #_sourceLocation) {
        eventually("the repair is loaded", sourceLocation: sourceLocation) { observer.changes.count == 1 }
        eventually("the recovery is reported", sourceLocation: sourceLocation) {
            observer.recoveries.count == 1 && observer.reports.items.last == .status(observer.session.mirror.status)
        }
        #expect(observer.session.port == 2, sourceLocation: sourceLocation)
        #expect(observer.session.mirror.status.content == .good, sourceLocation: sourceLocation)
        #expect(observer.recoveries == observer.problems, sourceLocation: sourceLocation)
        #expect(observer.session.mirror.metrics.rejectedLoads == 1, sourceLocation: sourceLocation)
        observer.checkChain(sourceLocation)
    }
}

/// The resource usage of this process.
enum Memory {
    /// The peak resident size so far, in bytes.
    static func peak() throws -> Int {
        var usage = rusage()
        guard getrusage(RUSAGE_SELF.rawValue, &usage) == 0 else { throw TestSupportError("getrusage: \(errno)") }
        return usage.ru_maxrss * 1_024
    }
}
