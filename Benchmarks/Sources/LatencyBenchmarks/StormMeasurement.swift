import CCycleCounter
import Contenders
import Glibc
import ManualTiming
import SessionMirror

/// Measures every single read while another process replaces the file as fast as it can: of a session, of a value that
/// is decoded after each inotify event and is behind a mutex, and of nothing but the clock.
///
/// They alternate in short storms, each of its own file.
struct StormMeasurement {
    /// The length of all storms of one implementation together.
    let seconds: Int

    private static let stormMilliseconds = 250
    private static let plottedQuantiles = 400
    private static let quantiles = [
        ("median", 0.5), ("p99", 0.99), ("p99.9", 0.999), ("p99.99", 0.999_9), ("p99.999", 0.999_99), ("max", 1),
    ]

    func run() throws {
        let folder = TemporaryFolder(in: TemporaryFolder.memory)
        let document = SettingsDocument.small
        let ours = try WatchedFile(folder.newFolder("ours"), document)
        let decoded = try WatchedFile(folder.newFolder("decoded"), document)
        let (oursWriter, decodedWriter) = (
            try WatcherProcess(StormWriter.name, ours.path), try WatcherProcess(StormWriter.name, decoded.path)
        )
        let session = try Session(SettingsDocument.Settings(), at: ours.path)
        let watcher = try DecodingWatcher(decoded.path)

        let clock = CycleClock()
        var times = (ours: DurationHistogram(), mutex: DurationHistogram(), clock: DurationHistogram())
        for _ in 0..<seconds * 1_000 / Self.stormMilliseconds {
            try storm(by: oursWriter, clock, into: &times.ours) { session.sequence }
            try storm(by: decodedWriter, clock, into: &times.mutex) { watcher.settings.read { $0.value.sequence } }
            // The session reloads during this storm, too.
            try storm(by: oursWriter, clock, into: &times.clock, alone: true) { session.sequence }
        }

        var results = Results()
        add(times.ours, by: "ours", clock, to: &results)
        add(times.mutex, by: "Mutex", clock, to: &results)
        add(times.clock, by: "clock alone", clock, to: &results)
        try results.print()
    }

    /// Times reads during a storm, then waits until the last edit has arrived.
    @inline(__always)
    private func storm(
        by writer: WatcherProcess, _ clock: CycleClock, into times: inout DurationHistogram,
        alone isAlone: Bool = false,
        reading read: () -> Int
    ) throws {
        let before = read()
        try writer.send("\(Self.stormMilliseconds)")
        let end = cycle_counter() + clock.ticks(Self.stormMilliseconds * 1_000_000)
        if isAlone { time(until: end, into: &times) { 0 } } else { time(until: end, into: &times, read) }
        if read() == before { fail("no edit has arrived during the storm") }
        let last = writer.numbers()[0]
        let limit = now() + 5_000_000_000
        while read() != last {
            if now() > limit { fail("the last edit of the storm has not arrived") }
            usleep(1_000)
        }
    }

    @inline(__always)
    private func time(until end: UInt64, into times: inout DurationHistogram, _ read: () -> Int) {
        var (sum, after) = (0, cycle_counter())
        while after < end {
            let before = cycle_counter()
            sum &+= read()
            after = cycle_counter()
            times.add(after - before)
        }
        withExtendedLifetime(sum) {}
    }

    private func add(
        _ times: DurationHistogram, by implementation: String, _ clock: CycleClock, to results: inout Results
    ) {
        let title = "storm/read/\(SettingsDocument.small.name)"
        let plotted = (0..<Self.plottedQuantiles).map { number in
            clock.nanoseconds(times.quantile(Double(number) / Double(Self.plottedQuantiles - 1)))
        }
        for (name, part) in Self.quantiles {
            results.add(
                "\(title)/\(name)", by: implementation, exactly: clock.nanoseconds(times.quantile(part)),
                times: name == "median" ? plotted : nil)
        }
    }
}
