import Glibc
import Locking
import LosslessJSON
import TestSupport
import Testing

@testable import SessionMirror

/// A value all of whose functions use a session.
struct ReentrantValue: Codable, Sendable, Equatable {
    /// Runs code when it is deallocated.
    final class Component: Sendable, Hashable, Codable {
        let name: String

        init(_ name: String) { self.name = name }

        deinit { ReentrantValue.runAction() }

        static func == (a: Component, b: Component) -> Bool {
            ReentrantValue.runAction()
            return a.name == b.name
        }

        func hash(into hasher: inout Hasher) {
            ReentrantValue.runAction()
            hasher.combine(name)
        }
    }

    /// The key type of its dictionary.
    struct Key: Hashable, Codable, CodingKeyRepresentable, Sendable {
        let part: Component

        init(_ name: String) { part = Component(name) }

        init?<T: CodingKey>(codingKey: T) {
            ReentrantValue.runAction()
            part = Component(codingKey.stringValue)
        }

        var codingKey: any CodingKey {
            ReentrantValue.runAction()
            return Name(stringValue: part.name)
        }
    }

    struct Name: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }
        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    var number = 0
    var shared = "a"
    var part = Component("part")
    var parts: [Key: Int] = [:]

    enum CodingKeys: CodingKey { case number, shared, part, parts }

    init() {}

    init(from decoder: any Decoder) throws {
        Self.runAction()
        let container = try decoder.container(keyedBy: CodingKeys.self)
        number = try container.decode(Int.self, forKey: .number)
        shared = try container.decode(String.self, forKey: .shared)
        part = try container.decode(Component.self, forKey: .part)
        parts = try container.decode([Key: Int].self, forKey: .parts)
    }

    func encode(to encoder: any Encoder) throws {
        Self.runAction()
        Self.encodingGate.withLock { $0 }?()
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(number, forKey: .number)
        try container.encode(shared, forKey: .shared)
        try container.encode(part, forKey: .part)
        try container.encode(parts, forKey: .parts)
    }

    static func == (a: ReentrantValue, b: ReentrantValue) -> Bool {
        runAction()
        return a.number == b.number && a.shared == b.shared && a.part == b.part && a.parts == b.parts
    }

    /// An entry addressed by a key of a user type.
    subscript(key: Key) -> Int {
        Self.runAction()
        return parts[key] ?? 0
    }

    /// The action and the threads that are running it, because the action calls user code again.
    private static let action = Lock<(@Sendable () -> Void)?>(nil)
    private static let busy = Lock<Set<UInt>>([])
    private static let encodingGate = Lock<(@Sendable () -> Void)?>(nil)

    fileprivate static func runAction() {
        guard let action = action.withLock({ $0 }) else { return }
        let thread = UInt(pthread_self())
        guard busy.withLock({ $0.insert(thread).inserted }) else { return }
        action()
        _ = busy.withLock { $0.remove(thread) }
    }

    /// Uses a session in every way, and runs `action` in all user code that it calls.
    static func exerciseSession(
        in folder: TemporaryFolder, _ action: @escaping @Sendable (Session<ReentrantValue>) -> Void
    ) throws {
        try folder.write("a.json", #"{ "number": 1, "shared": "a", "parts": { "x": 1 } }"#)
        var options = SessionOptions()
        (options.savingDelay, options.savingLimit) = (.milliseconds(1), .milliseconds(1))
        options.staleWriteWindow = .seconds(60)
        options.conflicts = .custom { conflict in
            runAction()
            return conflict.theirs
        }
        let session = try Session(ReentrantValue(), at: folder.path(of: "a.json"), options: options) { value in
            runAction()
            if value.number < 0 { throw ValidationError("must not be negative", at: "number") }
        }
        self.action.withLock { $0 = { [weak session] in session.map(action) } }
        defer { self.action.withLock { $0 = nil } }
        let whole = Received<Int>()
        let tokens = [
            session.observe(\.self) { change in whole.add(change.new.number) },
            session.observe(\.[Key("x")]) { _ in },
            session.observe(\.[Key("x")]) { _ in runAction() },
            session.observe(
                \.part,
                on: .custom { job in
                    runAction()
                    job()
                }
            ) { _ in runAction() },
            session.mirror.observe { _ in runAction() },
        ]
        try session.update { $0.parts[Key("y")] = 2 }
        try supersedeSave(session, in: folder)
        try session.commitBlocking { value in
            runAction()
            value.number += 1
        }
        try folder.write("a.json", #"{ "number": 70, "shared": "b", "parts": { "x": 7 } }"#)
        eventually("the edit is loaded") { session.number == 70 }
        try folder.write("a.json", #"{ "number": -1 }"#)
        eventually("the edit is rejected") { session.mirror.status.content != .good }
        try session.update { $0.shared = "c" }
        try folder.write("a.json", #"{ "number": 71, "shared": "d", "parts": { "x": 8 } }"#)
        eventually("the repair is loaded") { session.number == 71 }
        try session.set("/number", to: 80)
        try session.flushBlocking()
        _ = session[\.[Key("x")]]
        eventually("the subscriber receives the last value") { whole.items.last == 80 }
        tokens[1].cancel()
        try session.closeBlocking()
        withExtendedLifetime(tokens) {}
    }

    /// Saves a version that is superseded while it is encoded: by an update, and by an edit of the same value.
    private static func supersedeSave(_ session: Session<ReentrantValue>, in folder: TemporaryFolder) throws {
        try session.flushBlocking()
        let (isEncoded, mayGoOn) = (CountingSemaphore(), CountingSemaphore())
        encodingGate.withLock { gate in
            gate = {
                encodingGate.withLock { $0 = nil }
                isEncoded.signal()
                mayGoOn.wait(until: .now + .seconds(60))
            }
        }
        try session.update { $0.shared = "mine" }
        #expect(isEncoded.wait(until: .now + .seconds(60)))
        try session.update { $0.number += 1 }
        try folder.write("new", #"{ "number": 1, "shared": "theirs", "parts": { "x": 1 } }"#)
        try folder.rename("new", to: "a.json")
        mayGoOn.signal()
        try session.flushBlocking()
        eventually("the edit wins") { session.shared == "theirs" }
    }
}
