import BenchmarkHarness
import Contenders
import Glibc
import Synchronization

/// Reads of an actor, in batches: a task performs all iterations of a run, so that its start is not measured.
enum ActorBenchmarks {
    private actor ConfigurationActor {
        private var object = SharedValue(Configuration())

        var port: Int { object.value.port }
        var greeting: String { object.value.greeting }
        var snapshot: SharedValue<Configuration> { object }

        func publish() {
            var next = object.value
            next.port &+= 1
            object = SharedValue(next)
        }
    }

    static func addPort(_ title: String, _ concurrency: Concurrency) {
        add(title, concurrency) { blackHole(await $0.port) }
    }

    static func addGreeting(_ title: String) { add(title, .alone) { blackHole(await $0.greeting) } }

    static func addSnapshot(_ title: String) { add(title, .alone) { blackHole(await $0.snapshot) } }

    @inline(__always)
    private static func add(
        _ title: String, _ concurrency: Concurrency, _ read: @escaping @Sendable (ConfigurationActor) async -> Void
    ) {
        Benchmark.add(title, by: "actor") { run in
            let actor = ConfigurationActor()
            // With another reader, both processors are in use.
            let waits: Waiting = concurrency == .twoThreads ? .asleep : .busy
            let readBatch = { @Sendable (count: Int) async in for _ in 0..<count { await read(actor) } }
            concurrency.run(
                batch: { wait(.asleep) { await readBatch(10_000) } },
                write: { wait(.asleep) { await actor.publish() } }
            ) {
                run.measureBatch { count in wait(waits) { await readBatch(count) } }
            }
        }
    }

    private enum Waiting {
        case asleep
        /// Uses as much processor time as the task, because Google Benchmark measures that of the waiting thread.
        case busy
    }

    private static func wait(_ waiting: Waiting, for work: @escaping @Sendable () async -> Void) {
        let isOver = Flag()
        Task.detached {
            await work()
            isOver.value.store(true, ordering: .releasing)
        }
        while !isOver.value.load(ordering: .acquiring) { if case .asleep = waiting { usleep(20) } }
    }

    private final class Flag: Sendable {
        let value = Atomic(false)
    }
}
