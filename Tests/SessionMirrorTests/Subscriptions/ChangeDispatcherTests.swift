import TestSupport
import Testing

@testable import SessionMirror

@Suite("Delivering changes") struct ChangeDispatcherTests {
    let dispatcher = ChangeDispatcher(
        SessionCell(SnapshotStorage(0, version: .first, origin: .initial, source: .value(.standard))))
    let reports = Received<MirrorReport>()

    /// Publishes the version after the first as an update does.
    private func publish(_ value: Int, on pool: ThreadPool = .shared) {
        var replaced = ReplacedObjects()
        let next = SnapshotStorage(value, version: Version(2), origin: .update, source: .value(.standard))
        dispatcher.publish(next, &replaced)
        dispatcher.post(on: pool)
        replaced.retire()
    }

    private func observeReports() -> Subscription {
        let subscriber = ReportSubscriber { [reports] subscriber in
            while let report = subscriber.take() { reports.add(report) }
        }
        subscriber.start(with: [], after: 0)
        return dispatcher.reportSubscribers.add(subscriber)
    }

    @Test("A change wakes no worker if only reports are observed, and a report does") func onlyReports() {
        let pool = ThreadPool(name: "test-dispatch", idleTime: .seconds(60))
        var threads: Int { ProcessThreads.count(named: pool.name) }
        let subscription = observeReports()
        publish(1, on: pool)
        #expect(threads == 0)
        dispatcher.add(.status(MirrorStatus(watching: .live, content: .good)))
        dispatcher.post(on: pool)
        eventually("the report is delivered") { reports.count == 1 }
        #expect(threads == 1)
        withExtendedLifetime(subscription) {}
    }

    @Test("A change releases what belongs to an owner that no longer exists, if only reports are observed")
    func orphans() {
        final class Owner: Sendable {}
        let subscription = observeReports()
        var owner: Owner? = Owner()
        let isEnded = Received<Bool>()
        dispatcher.ownedSubscriptions.add(Subscription { isEnded.add(true) }, while: owner!)
        owner = nil
        publish(1)
        eventually("the subscription is ended") { isEnded.count == 1 }
        withExtendedLifetime(subscription) {}
    }

    @Test("The end is delivered if only reports are observed") func end() {
        let subscription = observeReports()
        dispatcher.finish()
        eventually("the subscribers are finished") { dispatcher.isFinished }
        withExtendedLifetime(subscription) {}
    }
}
