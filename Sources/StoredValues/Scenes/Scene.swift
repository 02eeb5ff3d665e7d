internal import FoundationEssentials
internal import LosslessJSON
public import SessionMirror

/// A window, connection or tenant of a program, with values of its own that survive restarts.
///
/// ```swift
/// struct WindowState: Sendable {
///     @SceneStored("selectedTab") var selectedTab = 9
/// }
///
/// let left = Scene("left"), right = Scene("right")
/// let states = (left.run { WindowState() }, right.run { WindowState() })
/// states.0.selectedTab = 2                       // only in the left window
///
/// for scene in Scene.all() { open(scene) }       // after a restart
/// ```
///
/// The values of a scene are members of `scenes`, then the identifier, in the file, which people can read and edit. The
/// file is that of the standard location, or of a session. Use the key `scenes` for nothing else, or choose another one
/// with ``init(_:in:under:)``.
///
/// The member `$lastUsed` is the time of the last use, precise to two hours. For stored scenes it is updated at most
/// once an hour: when the scene is opened or changed, and while it is open. A scene is open while there is a `Scene`
/// made with its identifier, or a wrapper of one of its values.
public struct Scene: Sendable {
    /// The identifier, which is the same after a restart.
    public let identifier: String

    let session: any AnySession
    /// The member of the file that has the scenes.
    let member: String
    /// Keeps the scene open; nil in a list of scenes.
    private let use: SceneUse?

    /// Creates a scene of the file at the standard location, which is stored with its first value.
    public init(_ identifier: String) { self.init(identifier, in: .standardValues) }

    /// Creates a scene of a session's file.
    ///
    /// - Parameters:
    ///   - identifier: The identifier.
    ///   - session: The session of the file.
    ///   - member: The name of the member that has all scenes.
    public init<Root>(_ identifier: String, in session: Session<Root>, under member: String = "scenes") {
        (self.identifier, self.session, self.member) = (identifier, session, member)
        use = SceneUse.of(identifier, member, session)
    }

    private init(listed identifier: String, _ session: any AnySession, _ member: String) {
        (self.identifier, self.session, self.member, use) = (identifier, session, member, nil)
    }

    var opened: SceneUse { use ?? SceneUse.of(identifier, member, session) }

    @TaskLocal private static var taskScene: Scene?

    /// The scene that the current task runs for, see `run`; otherwise `Scene("main")`.
    public static var current: Scene { taskScene ?? Scene("main") }
}

// Running for a scene.
extension Scene {
    /// Runs `body` for this scene: wrappers created in it belong to the scene.
    public func run<Result, Failure: Error>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result {
        // The standard library's function has no typed throws.
        try Scene.$taskScene.withValue(self) { () -> Swift.Result<Result, Failure> in
            do throws(Failure) { return .success(try body()) } catch { return .failure(error) }
        }.get()
    }

    /// Runs `body` for this scene: wrappers created in it, and in tasks that it starts, belong to the scene.
    public nonisolated(nonsending) func run<Result>(
        _ body: nonisolated(nonsending) () async throws -> Result
    ) async rethrows -> Result { try await Scene.$taskScene.withValue(self) { try await body() } }
}

// The scenes of a file.
extension Scene {
    /// The scenes that the file at the standard location has, in its order.
    public static func all() -> [Scene] { all(in: .standardValues) }

    /// The scenes that the file of a session has, in its order. Listing scenes does not open them.
    public static func all<Root>(in session: Session<Root>, under member: String = "scenes") -> [Scene] {
        let scenes = (session as any AnySession).current.json[member]?.object ?? [:]
        return scenes.keys.map { Scene(listed: $0, session, member) }
    }

    /// Removes all values of this scene from the file, for example when a person closes the window. Its wrappers then
    /// have their defaults. A value that is set later stores the scene again.
    ///
    /// - Throws: A `SessionError`, if the session is read-only or closed.
    public func discard() throws {
        let pointer = JSONPointer([member, identifier])
        try session.edit { tree in
            guard tree[at: pointer] != nil else { return tree }
            return try tree.removing(pointer)
        }
    }

    /// Removes the scenes of the file at the standard location whose last use is older than `age`, and returns their
    /// identifiers. An age below two hours has the effect of two hours, because another process may have the scene
    /// open.
    @discardableResult
    public static func discard(olderThan age: Duration) throws -> [String] {
        try discard(olderThan: age, in: .standardValues)
    }

    /// Removes the scenes of a session's file whose last use is older than `age`, and returns their identifiers.
    ///
    /// Scenes that are open in this process stay. Other processes record the use of open scenes at least every 90
    /// minutes, so an age below two hours has the effect of two hours. A sleeping system records nothing. Use an age of
    /// several days, so that scenes that are open in other processes are kept. A scene that was written by hand without
    /// `$lastUsed` gets the current time.
    ///
    /// - Throws: A `SessionError`, if the session is read-only or closed.
    @discardableResult
    public static func discard<Root>(
        olderThan age: Duration, in session: Session<Root>, under member: String = "scenes"
    ) throws -> [String] {
        let openScenes = OpenScenes.of(session)
        var discarded: [String] = []
        try (session as any AnySession).edit { tree in
            // List the open scenes inside the change, because a scene that was opened before it must stay.
            let open = openScenes.all(under: member)
            guard let scenes = tree[member]?.object else { return tree }
            let oldest = SceneUse.now.addingTimeInterval(-(max(age, .seconds(7_200)) / .seconds(1)))
            var tree = tree
            discarded = []
            for (identifier, scene) in scenes where open[identifier] == nil {
                guard let lastUsed = SceneUse.lastUsed(of: scene) else {
                    tree = SceneUse.recorded(in: tree, JSONPointer([member, identifier]))
                    continue
                }
                if lastUsed >= oldest { continue }
                discarded.append(identifier)
                tree = try tree.removing(JSONPointer([member, identifier]))
            }
            return open.values.reduce(tree) { $1.recorded(in: $0) }
        }
        return discarded
    }
}

extension Scene: Hashable {
    /// Whether both are the same scene of the same session.
    public static func == (a: Scene, b: Scene) -> Bool {
        a.identifier == b.identifier && a.member == b.member && a.session === b.session
    }

    /// Hashes the identifier.
    public func hash(into hasher: inout Hasher) { hasher.combine(identifier) }
}
