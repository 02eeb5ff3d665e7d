import HandTimed

/// A process that watches files by the library's hub in the way of one's choice, or by a raw read of the kernel's events:
/// a program of the library's own package, whose ways to choose from are not public.
final class HubProbe {
    /// What it says of every call of a handler.
    struct Call {
        /// What the file held a moment later.
        let number: Int
        let moment: Int
    }

    /// What it took to watch all files after the first.
    struct Arming {
        let nanoseconds: Int
        let residentBytes: Int
        let allocatedBytes: Int
    }

    let arming: Arming
    private let host: Host

    /// - Parameters:
    ///   - way: As it calls them.
    ///   - list: A file with the paths.
    init(_ program: String, _ way: String, _ list: String) throws {
        host = try Host(program: program, ["edits", way, list])
        guard host.line() == "begin" else { fail("\(program) does not begin") }
        try host.say("go on")
        let numbers = host.numbers()
        guard numbers.count == 3 else { fail("\(program) does not watch") }
        arming = Arming(nanoseconds: numbers[0], residentBytes: numbers[1], allocatedBytes: numbers[2])
    }

    func nextCall() -> Call {
        let numbers = host.numbers()
        guard numbers.count == 3 else { fail("HubProbe says what nobody understands") }
        return Call(number: numbers[1], moment: numbers[2])
    }
}
