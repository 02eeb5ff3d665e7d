public import LosslessJSON

/// One immutable version of a session's value, which you can keep as long as you need it.
///
/// ```swift
/// let snapshot = session.snapshot
/// serve(port: snapshot.value.port, as: snapshot.version)
/// ```
///
/// Taking a snapshot costs about as much as copying a reference.
public struct Snapshot<Root: Codable & Sendable>: Sendable {
    @usableFromInline let storage: SnapshotStorage<Root>

    @usableFromInline
    init(_ storage: SnapshotStorage<Root>) { self.storage = storage }

    /// Creates a snapshot without a file, for tests of code that handles one.
    public init(_ value: Root, version: Version = Version(1), origin: Origin = .initial) {
        storage = SnapshotStorage(value, version: version, origin: origin, source: .value(.standard))
    }

    public var value: Root { storage.root }

    /// The JSON tree of the file, including keys that `Root` does not know, and without defaults that the file leaves
    /// out. For a session without a file, the whole encoded value.
    public var json: JSON { storage.json }

    /// The version number.
    public var version: Version { storage.version }

    /// What created this version.
    public var origin: Origin { storage.origin }

    /// The location of the value at `pointer` in the file; nil if the file does not have it, and without a file. Walks
    /// the text.
    public func location(of pointer: JSONPointer) -> JSONLocation? { storage.document?.location(of: pointer) }

    /// The locations of the values at `pointers` in the file, for those that the file has. Walks the text once.
    @inlinable
    public func locations(of pointers: some Sequence<JSONPointer>) -> [JSONPointer: JSONLocation] {
        locations(ofAll: Array(pointers))
    }

    @usableFromInline
    func locations(ofAll pointers: [JSONPointer]) -> [JSONPointer: JSONLocation] {
        storage.document?.locations(of: pointers) ?? [:]
    }
}

/// The number of a version of a session's value: 1 when the session is opened, then counting up.
///
/// Version numbers order the versions of one session within one process. Other processes that mirror the same file
/// count independently.
public struct Version: Sendable, Hashable, Comparable, CustomStringConvertible {
    /// The number, starting at 1.
    public let number: Int

    /// Creates a version number, for tests of code that handles one.
    public init(_ number: Int) { self.number = number }

    static let first = Version(1)

    var next: Version { Version(number + 1) }

    /// Returns whether `a` is the older version.
    public static func < (a: Version, b: Version) -> Bool { a.number < b.number }

    public var description: String { "\(number)" }
}

/// What created a version.
public enum Origin: String, Sendable {
    /// Opening the session: the content of the file, or the defaults if it could not be used.
    case initial
    /// An edit of the file by a person, another program, or another session of this process.
    case external
    /// A change made by this process through this session.
    case update
}
