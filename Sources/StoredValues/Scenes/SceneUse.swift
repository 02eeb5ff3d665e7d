internal import FoundationEssentials
internal import LosslessJSON
internal import SessionMirror

/// Keeps a scene open, and records its use: at most once an hour.
final class SceneUse: Sendable {
    /// The member of a scene with the time of its last use.
    static let lastUsedKey = "$lastUsed"

    static let interval = Duration.seconds(3_600)

    let pointer: JSONPointer

    init(_ pointer: JSONPointer) { self.pointer = pointer }

    /// Returns the use of a scene, which begins at the first call.
    static func of(_ identifier: String, _ member: String, _ session: any AnySession) -> SceneUse {
        OpenScenes.of(session).use(of: JSONPointer([member, identifier]), in: session)
    }

    /// Returns the tree with the current time as the last use, if the scene is stored and its recorded use is an hour
    /// old.
    func recorded(in tree: JSON) -> JSON { needsRecording(in: tree) ? Self.recorded(in: tree, pointer) : tree }

    func needsRecording(in tree: JSON) -> Bool {
        guard let scene = tree[at: pointer]?.object, !scene.isEmpty else { return false }
        guard let lastUsed = Self.lastUsed(of: .object(scene)) else { return true }
        // A clock that was set back must not stop the recording.
        return abs(Self.now.timeIntervalSince(lastUsed)) >= Self.interval / .seconds(1)
    }

    // The times use the standard conversions, because several sessions with different conversions may use the file.

    static func recorded(in tree: JSON, _ scene: JSONPointer) -> JSON {
        guard let time = try? JSONValueEncoder(conversions: .standard).encode(now) else { return tree }
        return (try? tree.setting(JSONPointer(scene.tokens + [lastUsedKey]), to: time)) ?? tree
    }

    static func lastUsed(of scene: JSON) -> Date? {
        try? scene.value(at: JSONPointer([lastUsedKey]), conversions: .standard)
    }

    /// The current time, to the second.
    static var now: Date { Date(timeIntervalSince1970: Date.now.timeIntervalSince1970.rounded()) }
}
