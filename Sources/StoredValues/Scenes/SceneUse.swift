internal import FoundationEssentials
internal import Locking
internal import LosslessJSON
internal import SessionMirror

/// Keeps a scene open, and records its use: at most once an hour.
final class SceneUse: Sendable {
    /// The member of a scene that says when it was used last.
    static let lastUsedKey = "$lastUsed"

    private static let interval = Duration.seconds(3_600)

    private let pointer: JSONPointer
    private let conversions: JSONConversions

    private init(_ pointer: JSONPointer, _ conversions: JSONConversions) {
        (self.pointer, self.conversions) = (pointer, conversions)
    }

    /// Returns the use of a scene, which begins at the first call.
    static func of(_ identifier: String, _ member: String, _ session: any AnySession) -> SceneUse {
        let scenes = OpenScenes.of(session)
        let pointer = JSONPointer([member, identifier])
        let (use, isNew) = scenes.use(of: pointer) { SceneUse(pointer, session.conversions) }
        if isNew { use.record(in: session, after: .zero) }
        return use
    }

    /// The open scenes of a session, by their identifiers.
    static func open(in session: any AnySession, under member: String) -> [String: SceneUse] {
        let scenes = OpenScenes.of(session)
        return scenes.all.reduce(into: [:]) { open, use in
            if use.pointer.tokens.first == member { open[use.pointer.tokens[1]] = use }
        }
    }

    /// Records the use now and every hour, as long as the scene is open.
    private func record(in session: any AnySession, after delay: Duration) {
        session.run(after: delay) { [weak self] session in
            guard let self else { return }
            if needsRecording(in: session.current.json) { _ = try? session.edit(recorded) }
            record(in: session, after: Self.interval)
        }
    }

    /// The tree with the time of the use, if the scene is stored and its last use is recorded as an hour ago or longer.
    func recorded(in tree: JSON) -> JSON {
        needsRecording(in: tree) ? Self.recorded(in: tree, pointer, conversions) : tree
    }

    private func needsRecording(in tree: JSON) -> Bool {
        guard let scene = tree[at: pointer]?.object, !scene.isEmpty else { return false }
        guard let lastUsed = Self.lastUsed(of: .object(scene), conversions) else { return true }
        // A clock that was set back must not stop the recording.
        return abs(Self.now.timeIntervalSince(lastUsed)) >= Self.interval / .seconds(1)
    }

    static func recorded(in tree: JSON, _ scene: JSONPointer, _ conversions: JSONConversions) -> JSON {
        guard let time = try? JSONValueEncoder(conversions: conversions).encode(now) else { return tree }
        return (try? tree.setting(JSONPointer(scene.tokens + [lastUsedKey]), to: time)) ?? tree
    }

    static func lastUsed(of scene: JSON, _ conversions: JSONConversions) -> Date? {
        try? scene.value(at: JSONPointer([lastUsedKey]), conversions: conversions)
    }

    /// The current time, to the second.
    static var now: Date { Date(timeIntervalSince1970: Date.now.timeIntervalSince1970.rounded()) }
}

/// The open scenes of a session.
private final class OpenScenes: Sendable {
    private struct WeakUse {
        weak var use: SceneUse?
    }

    private let uses = Lock<[JSONPointer: WeakUse]>([:])

    private init(_ session: any AnySession) { session.allowUnknownKeys() }

    static func of(_ session: any AnySession) -> OpenScenes {
        session.attachments.object(OpenScenes.self) { OpenScenes(session) }
    }

    var all: [SceneUse] { uses.withLock { $0.values.compactMap(\.use) } }

    func use(of scene: JSONPointer, _ make: () -> SceneUse) -> (use: SceneUse, isNew: Bool) {
        uses.withLock { uses in
            if let known = uses[scene]?.use { return (known, false) }
            uses = uses.filter { $0.value.use != nil }
            let new = make()
            uses[scene] = WeakUse(use: new)
            return (new, true)
        }
    }
}
