import ManualTiming

/// The program WatchProbe of the main package: watches files with a chosen backend, or with a raw read of inotify events.
///
/// A separate program, because the choice of a backend is not public.
final class WatchProbeProcess {
    /// A call of a handler, as reported by the program.
    struct Call {
        /// The number that the file contained after the call.
        let number: Int
        let moment: Int
    }

    /// The cost of watching all files after the first.
    struct WatchCost {
        let nanoseconds: Int
        let residentBytes: Int
        let allocatedBytes: Int
    }

    let watchCost: WatchCost
    private let host: WatcherProcess

    /// - Parameters:
    ///   - backend: The backend, by its name in WatchProbe.
    ///   - list: The path of a file with one path per line.
    init(_ program: String, _ backend: String, _ list: String) throws {
        host = try WatcherProcess(program: program, ["edits", backend, list])
        guard host.line() == "begin" else { fail("\(program) did not start") }
        try host.send("go on")
        let numbers = host.numbers()
        guard numbers.count == 3 else { fail("\(program) reported no cost") }
        watchCost = WatchCost(nanoseconds: numbers[0], residentBytes: numbers[1], allocatedBytes: numbers[2])
    }

    func nextCall() -> Call {
        let numbers = host.numbers()
        guard numbers.count == 3 else { fail("unexpected output of WatchProbe") }
        return Call(number: numbers[1], moment: numbers[2])
    }
}
