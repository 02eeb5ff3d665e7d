import Glibc
import Locking
import LosslessJSON
import TestSupport
import Testing

@testable import SessionMirror

/// User code that sessions call: coders, comparison, checks, conflict closures, key paths and deinitializers.
@Suite("User code in a session") struct UserCodeTests {
    // In a separate process, because acquiring a lock twice ends the process.
    @Test("User code may read the status and snapshots, observe, and change another session wherever it runs")
    func anywhere() async {
        await #expect(processExitsWith: .success) {
            let folder = try TemporaryFolder()
            try folder.write("other.json", "{}")
            let other = try Session(Server(), at: folder.path(of: "other.json"))
            try ReentrantValue.exerciseSession(in: folder) { session in
                _ = session.mirror.status
                _ = session.mirror.metrics
                _ = session.snapshot.value.number
                session.observe(\.number) { _ in }.cancel()
                session.observe("/number") { _ in }.cancel()
                session.mirror.observe { _ in }.cancel()
                try? other.update { $0.port += 1 }
            }
            #expect(other.port > 8080 + 20)
            try other.closeBlocking()
        }
    }

    @Test("User code that takes long delays neither other sessions nor reading the status", .timeLimit(.minutes(5)))
    func slow() throws {
        let folder = try TemporaryFolder()
        try folder.write("slow.json", "{}")
        try folder.write("other.json", "{}")
        var options = SessionOptions()
        options.savingDelay = .milliseconds(1)
        let gate = Slow.gate
        let session = try Session(Slow(), at: folder.path(of: "slow.json"), options: options)
        let other = try Session(Server(), at: folder.path(of: "other.json"))
        let received = Received<Int>()
        let token = other.observe(\.port) { received.add($0.new) }
        // The first version is encoded for a save and superseded meanwhile; the second one is encoded after the save.
        try session.update { $0.number = 1 }
        eventually("the first version is encoded") { gate.waiting == 1 }
        try session.update { $0.number = 2 }
        gate.letThrough(1)
        eventually("the second version is encoded") { gate.waiting == 2 }
        for number in 1...20 {
            // A writer would wait for the save; touching the timestamps does not.
            #expect(utimensat(AT_FDCWD, folder.path(of: "slow.json"), nil, 0) == 0)
            try folder.write("other.json", "{ \"port\": \(number) }")
            guard eventually("edit \(number) is delivered", { received.items.last == number }) else { break }
        }
        let status = Received<MirrorStatus>()
        let reader = TestThread { status.add(session.mirror.status) }
        let isRead = eventually("the status can be read") { status.count == 1 }
        gate.open()
        reader.join()
        if isRead { try session.closeBlocking() }
        withExtendedLifetime(token) {}
    }

    @Test("A key path that does not return blocks neither loading nor saving of its session")
    func heldKeyPath() throws {
        let folder = try TemporaryFolder()
        try folder.write("a.json", #"{"number": 0}"#)
        var options = SessionOptions()
        options.savingDelay = .milliseconds(1)
        let session = try Session(Held(), at: folder.path(of: "a.json"), options: options)
        let token = session.observe(\.heldNumber) { _ in }
        // Another load is due by the end of the first one, when its delivery evaluates the key path.
        try folder.write("a.json", #"{"number": 1}"#)
        eventually("the first version is decoded") { Held.decoding.isWaitedFor }
        try folder.write("a.json", #"{"number": 2}"#)
        session.mirror.reload()
        Held.decoding.open()
        eventually("the second version is loaded") { session.number == 2 }
        eventually("the first version is observed") { Held.observing.isWaitedFor }
        try session.update { $0.number = 3 }
        eventually("the third version is saved") { (try? folder.read("a.json")) == #"{"number": 3}"# }
        Held.observing.open()
        try session.closeBlocking()
        withExtendedLifetime(token) {}
    }
}

/// A root whose decoding of the first version and whose computed property block until a latch opens.
private struct Held: Codable, Sendable {
    static let (decoding, observing) = (Latch(), Latch())
    var number = 0

    init() {}

    init(from decoder: any Decoder) throws {
        number = try decoder.container(keyedBy: CodingKeys.self).decode(Int.self, forKey: .number)
        if number == 1 { Self.decoding.pass() }
    }

    var heldNumber: Int {
        if number > 0 { Self.observing.pass() }
        return number
    }

    enum CodingKeys: CodingKey { case number }
}

/// Blocks encoders until they are let through one by one.
private final class EncodingGate: Sendable {
    private struct State {
        var waiting = 0
        var passes = 0
        var isOpen = false
    }

    private let state = Lock(State())
    private let semaphore = CountingSemaphore()

    /// The number of calls so far.
    var waiting: Int { state.withLock { $0.waiting } }

    func letThrough(_ count: Int) {
        state.withLock { $0.passes += count }
        for _ in 0..<count { semaphore.signal() }
    }

    func open() {
        state.withLock { $0.isOpen = true }
        for _ in 0..<100 { semaphore.signal() }
    }

    func pass() {
        if state.withLock({ $0.isOpen }) { return }
        state.withLock { $0.waiting += 1 }
        semaphore.wait(until: .now + .seconds(120))
    }
}

/// A root whose encoding blocks until the gate lets it through.
private struct Slow: Codable, Sendable {
    static let gate = EncodingGate()
    var number = 0

    init() {}

    func encode(to encoder: any Encoder) throws {
        // The defaults are encoded by the thread that opens the session.
        if number > 0 { Self.gate.pass() }
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(number, forKey: .number)
    }

    enum CodingKeys: CodingKey { case number }
}
