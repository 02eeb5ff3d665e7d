import ManualTiming
import SessionMirror
import Synchronization

/// Measures the time from an update until the last of many callbacks has run, beside plain calls of as many closures on
/// this thread. All subscribers observe the same value.
struct SubscriberGrowth {
    let subscribers: Int

    private struct Counter: Codable, Sendable {
        var number = 0
    }

    private final class CallCount: Sendable {
        let value = Atomic(0)
    }

    func run(into growth: inout Growth) throws {
        let session = Session(inMemory: Counter())
        let calls = CallCount()
        let callback = { @Sendable (_: Int) in _ = calls.value.add(1, ordering: .acquiringAndReleasing) }
        let tokens = (0..<subscribers).map { _ in session.observe(\.number) { callback($0.new) } }
        let callbacks = Array(repeating: callback, count: subscribers)
        try growth.measure(
            "notify", Size(subscribers, .subscribers),
            [
                .init("ours") {
                    let expected = calls.value.load(ordering: .acquiring) + subscribers
                    let begin = now()
                    try session.update { $0.number += 1 }
                    return time(until: { calls.value.load(ordering: .acquiring) == expected }, after: begin)
                },
                .init("plain calls") { time { for callback in callbacks { callback(0) } } },
            ])
        withExtendedLifetime(tokens) {}
    }
}
