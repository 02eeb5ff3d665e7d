import Glibc
import TestSupport
import Testing

/// How signals affect callbacks and the programs they start. Each test has a process of its own.
@Suite("Signals and callbacks") struct SignalTests {
    private let folder: TemporaryFolder
    private let environment = ["SWIFT_BACKTRACE": "enable=no"]

    init() throws {
        folder = try TemporaryFolder()
        try folder.write("server.json", #"{ "port": 0 }"#)
    }

    private func start(_ arguments: String...) throws -> RunningProgram {
        let program = try Program.built("SessionProbe").start(
            arguments, in: folder, input: .lines, environment: environment)
        #expect(try program.line() == "ready")
        return program
    }

    private func set(_ port: Int) throws { try folder.write("server.json", #"{ "port": \#(port) }"#) }

    @Test(
        "A crash in a callback reaches the program's handler on the thread that crashed",
        .enabled(if: !Sanitizer.isActive, "a sanitizer installs handlers of its own"),
        arguments: ["write", "trap", "abort"])
    func handled(crash: String) throws {
        let program = try start("signals", "server.json", crash, "handled")
        try set(1)
        #expect(try program.line() == "handled")
        // Its input stays open, because closing it would end the process, too.
        #expect(try program.line() == nil)
        #expect(try program.end().code == 7)
    }

    @Test(
        "A crash in a callback ends a program without a handler by its signal",
        .enabled(if: !Sanitizer.isActive, "a sanitizer installs handlers of its own"),
        arguments: zip(["write", "trap", "abort"], [[SIGSEGV], [SIGILL, SIGTRAP], [SIGABRT]]))
    func unhandled(crash: String, signals: [Int32]) throws {
        let program = try start("signals", "server.json", crash)
        try set(1)
        #expect(try program.line() == nil)
        #expect(signals.map { 128 + $0 }.contains(try program.end().code))
    }

    @Test("A program that a callback starts without ChildProcess inherits blocked signals")
    func inherited() throws {
        let program = try start("signals", "server.json", "spawn")
        try set(1)
        let child = try #require(Int32(try program.line(with: "child ").dropFirst(6)))
        let signals = try ProcessSignals(of: child)
        #expect(signals.isBlocked(SIGTERM) && signals.isBlocked(SIGHUP) && signals.isBlocked(SIGCHLD))
        #expect(!signals.isBlocked(SIGSEGV) && !signals.isBlocked(SIGABRT))
        kill(child, SIGKILL)
        #expect(try program.end().code == 0)
    }

    @Test("A program that a callback starts with ChildProcess blocks and ignores no signal and ends by SIGTERM")
    func launched() throws {
        let program = try start("signals", "server.json", "launch")
        try set(1)
        let child = try #require(Int32(try program.line(with: "child ").dropFirst(6)))
        #expect(try ProcessSignals(of: child).isClean)
        kill(child, SIGTERM)
        #expect(try program.line() == "ended by \(SIGTERM)")
        #expect(try program.end().code == 0)
    }

    @Test("Threads of the library block all signals except those that a thread causes itself")
    func masks() throws {
        let program = try start("signals", "server.json", "nothing")
        for port in 1...4 {
            try set(port)
            #expect(try program.line() == "port \(port)")
        }
        let threads = try ObservedProcess(identifier: program.identifier).threads().dropFirst()
        let own = threads.filter { ["FileWatching", "session-worker"].contains($0.name) }
        #expect(Set(own.map(\.name)).contains("FileWatching"))
        let expected = [SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP, SIGABRT, SIGSYS].sorted()
        for thread in own {
            // A thread that is ending blocks every signal until it is gone.
            eventually("\(thread.name) blocks all other signals, or has ended") {
                guard let signals = try? ProcessSignals(of: program.identifier, thread: thread.number) else {
                    return true
                }
                let free = (1..<Int32(32)).filter { !signals.isBlocked($0) && $0 != SIGKILL && $0 != SIGSTOP }
                return free == expected
            }
        }
        #expect(try program.end().code == 0)
    }

    @Test("No signal to the process is delivered on a thread of the library")
    func delivered() throws {
        let program = try start("receive", "server.json")
        let numbers = [SIGTERM, SIGHUP, SIGCHLD]
        for port in 1...50 {
            for _ in 0..<20 { for number in numbers { program.send(number) } }
            try set(port)
            try program.expect("port \(port)")
        }
        try program.say("count")
        let answer = try program.line(with: "delivered ")
        #expect(answer.hasSuffix(", astray 0") && !answer.hasPrefix("delivered 0,"))
        #expect(try program.end().code == 0)
    }
}

extension RunningProgram {
    @discardableResult
    fileprivate func expect(_ text: String) throws -> String { try line(with: text) }
}

/// The signal masks of a thread, from /proc.
struct ProcessSignals {
    private let blocked: UInt64
    private let ignored: UInt64

    init(of process: Int32, thread: String? = nil) throws {
        let path = "/proc/\(process)\(thread.map { "/task/\($0)" } ?? "")/status"
        let lines = String(decoding: try Descriptor.contents(of: path), as: UTF8.self).split(separator: "\n")
        func mask(_ name: String) throws -> UInt64 {
            let line = try #require(lines.first { $0.hasPrefix("\(name):") })
            return try #require(UInt64(line.dropFirst(name.count + 1).drop { $0 == "\t" }, radix: 16))
        }
        (blocked, ignored) = (try mask("SigBlk"), try mask("SigIgn"))
    }

    func isBlocked(_ number: Int32) -> Bool { blocked >> UInt64(number - 1) & 1 == 1 }
    func isIgnored(_ number: Int32) -> Bool { ignored >> UInt64(number - 1) & 1 == 1 }
    var isClean: Bool { blocked == 0 && ignored & ~Self.glibcSignals == 0 }

    /// Signals 32 and 33 of glibc, which `posix_spawn` leaves ignored in a program until it creates threads.
    private static let glibcSignals: UInt64 = 0b11 << 31
}
