internal import Locking
internal import LosslessJSON
internal import SessionMirror

/// The open scenes of a file, whichever session of the file has opened them.
final class OpenScenes: Sendable {
    private let uses = WeakTable<JSONPointer, SceneUse>()

    private init() {}

    static func of(_ session: any AnySession) -> OpenScenes {
        session.fileAttachments.object(OpenScenes.self) {
            session.allowUnknownKeys()
            return OpenScenes()
        }
    }

    /// Returns the use of a scene, and records a new one.
    func use(of scene: JSONPointer, in session: any AnySession) -> SceneUse {
        let known = uses[scene]
        let use = known ?? uses.add(SceneUse(scene), as: scene)
        // Each session that uses scenes has a clock: another session may be read-only, or closed before this one.
        let isFirst = SceneClock.of(session).start(self, session)
        if known == nil || isFirst {
            // Do not record on this thread, which may be in a change of the session.
            session.run(after: .zero) { [weak use] session in
                if let use { Self.record([use], in: session) }
            }
        }
        return use
    }

    var all: [SceneUse] { uses.all }

    /// The open scenes of a member, by their identifiers.
    func all(under member: String) -> [String: SceneUse] {
        all.reduce(into: [:]) { open, use in
            if use.pointer.tokens[0] == member { open[use.pointer.tokens[1]] = use }
        }
    }

    /// Records the uses of stored scenes that were not recorded for an hour.
    fileprivate static func record(_ uses: [SceneUse], in session: any AnySession) {
        let tree = session.current.json
        if uses.contains(where: { $0.needsRecording(in: tree) }) {
            _ = try? session.edit { uses.reduce($0) { $1.recorded(in: $0) } }
        }
    }
}

/// Records the use of open scenes every half hour, so that each is recorded at least every 90 minutes.
private final class SceneClock: Sendable {
    private let isRunning = Lock(false)

    private init() {}

    static func of(_ session: any AnySession) -> SceneClock {
        session.attachments.object(SceneClock.self, SceneClock.init)
    }

    /// Starts the clock. Returns whether it was stopped.
    @discardableResult
    func start(_ scenes: OpenScenes, _ session: any AnySession) -> Bool {
        let isFirst = isRunning.withLock { isRunning in
            defer { isRunning = true }
            return !isRunning
        }
        if isFirst { wait(scenes, session) }
        return isFirst
    }

    private func wait(_ scenes: OpenScenes, _ session: any AnySession) {
        session.run(after: SceneUse.interval / 2) { [self] session in
            let open = scenes.all
            OpenScenes.record(open, in: session)
            if !open.isEmpty { return wait(scenes, session) }
            isRunning.withLock { $0 = false }
            // A scene may have been opened meanwhile.
            if !scenes.all.isEmpty { start(scenes, session) }
        }
    }
}
