internal import LosslessJSON

/// A persistent value of a ``Scene``, in one line: `@SceneStored("selectedTab") var selectedTab = 9`.
///
/// ```swift
/// struct WindowState: Sendable {
///     @SceneStored("selectedTab") var selectedTab = 9            // one for each window
///     @Stored("ratings") var ratings: [Int] = []                 // shared by all
/// }
///
/// let state = Scene("left").run { WindowState() }
/// ```
///
/// A wrapper belongs to the scene that is current when the wrapper is made, or to the scene that it names:
/// `@SceneStored("selectedTab", in: scene)`. Otherwise it behaves like ``Stored``. The projected value is a `Stored`,
/// with its functions: `$selectedTab.reset()`.
@propertyWrapper
public struct SceneStored<Value: Codable & Sendable>: Sendable {
    /// The value as a ``Stored``, for its functions: `$selectedTab.update { }`.
    public let projectedValue: Stored<Value>

    /// Creates a wrapper of a member of the current scene.
    public init(wrappedValue: Value, _ key: String) { self.init(wrappedValue: wrappedValue, key, in: .current) }

    /// Creates a wrapper of a member of a scene. The key `$lastUsed` is reserved; using it ends the program.
    public init(wrappedValue: Value, _ key: String, in scene: Scene) {
        precondition(key != SceneUse.lastUsedKey, "\(key) is reserved for the time of the last use")
        projectedValue = Stored(
            scene.session, JSONPointer([scene.member, scene.identifier, key]), wrappedValue, of: scene.opened)
    }

    /// Creates a wrapper without the attribute: `let tab = SceneStored("tab", default: 9, in: scene)`.
    public init(_ key: String, default initial: Value, in scene: Scene = .current) {
        self.init(wrappedValue: initial, key, in: scene)
    }

    /// The current value, and its assignment.
    @inlinable
    public var wrappedValue: Value {
        get { projectedValue.wrappedValue }
        nonmutating set { projectedValue.wrappedValue = newValue }
    }

    /// The current value, and its assignment.
    @inlinable
    public var value: Value {
        get { wrappedValue }
        nonmutating set { wrappedValue = newValue }
    }
}

extension SceneStored where Value: ExpressibleByNilLiteral {
    /// Creates a wrapper of an optional value of the current scene; nil removes the key.
    public init(_ key: String) { self.init(wrappedValue: nil, key) }

    /// Creates a wrapper of an optional value of a scene; nil removes the key.
    public init(_ key: String, in scene: Scene) { self.init(wrappedValue: nil, key, in: scene) }
}

extension SceneStored: Equatable where Value: Equatable {
    /// Whether the values are equal.
    public static func == (a: SceneStored, b: SceneStored) -> Bool { a.wrappedValue == b.wrappedValue }
}
