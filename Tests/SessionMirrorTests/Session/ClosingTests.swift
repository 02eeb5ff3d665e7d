import DurableFiles
import LosslessJSON
import Synchronization
import TestSupport
import Testing

@testable import SessionMirror

@Suite("Closing a session") struct ClosingTests {
    @Test("A failed close does not reopen a session that another thread is closing or has closed") func openness() {
        var lifecycle = SessionLifecycle()
        #expect(lifecycle.isOpen)
        lifecycle.beginClosing()
        lifecycle.beginClosing()
        #expect(!lifecycle.isOpen)
        lifecycle.cancelClosing()
        #expect(!lifecycle.isOpen)
        lifecycle.cancelClosing()
        #expect(lifecycle.isOpen && !lifecycle.isClosed)
        lifecycle.beginClosing()
        lifecycle.beginClosing()
        lifecycle.finishClosing()
        lifecycle.cancelClosing()
        #expect(!lifecycle.isOpen && lifecycle.isClosed)
    }

    @Test("A session that several threads close at once accepts no change that it does not save") func atOnce() throws {
        let folder = try TemporaryFolder()
        for round in 0..<20 {
            let name = "\(round).json"
            try folder.write(name, "{ \"port\": ")
            var options = SessionOptions()
            (options.settlingTime, options.settlingLimit) = (.milliseconds(1), .milliseconds(1))
            options.replacing.durability = .fast
            let session = try Session(Server(), at: folder.path(of: name), options: options)
            try session.update { $0.port = 1 }
            onThreads(3) { number in
                do {
                    if number == 0 { try folder.write(name, "{}") }
                    try session.closeBlocking()
                } catch {}
                while (try? session.update({ $0.port += 1 })) != nil { try? session.closeBlocking() }
            }
            #expect(throws: SessionError.self) { try session.update { $0.port = 0 } }
            #expect(try JSON(parsing: folder.read(name))["port"]?.int == session.port)
        }
    }

    @Test("A load that begins after closing reads nothing", arguments: [false, true])
    func lateLoad(isExclusive: Bool) throws {
        let folder = try TemporaryFolder()
        try folder.write("server.json", #"{"port": 1}"#)
        let session = try Session(Server(), at: folder.path(of: "server.json"))
        guard case .file(let synchronizer, _) = session.source else {
            Issue.record("the session has no file")
            return
        }
        try session.closeBlocking()
        let loads = session.mirror.metrics.loads
        try folder.write("server.json", #"{"port": 2}"#)
        synchronizer.performLoad(exclusively: isExclusive)
        #expect(session.mirror.metrics.loads == loads && session.port == 1)
    }

    @Test("Reports are finished even if the last subscriber cancels while the session is closed")
    func leaving() async {
        for _ in 0..<3_000 {
            let session = Session(inMemory: Server())
            let dispatcher = session.dispatcher
            let reportSubscriber = ReportSubscriber(notify: { _ in })
            let token = dispatcher.reportSubscribers.add(reportSubscriber)
            onThreads(2) { number in
                if number == 0 { token.cancel() } else { dispatcher.finish() }
            }
            if !(await isFinished(dispatcher.reportSubscribers)) {
                Issue.record("the reports are not finished")
                return
            }
        }
    }

    private func isFinished(_ reportSubscribers: ReportSubscribers) async -> Bool {
        let end = ContinuousClock.now + .seconds(20)
        while !reportSubscribers.isFinished {
            if ContinuousClock.now > end { return false }
            await Task.yield()
        }
        return true
    }
}
