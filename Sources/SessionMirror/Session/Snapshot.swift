public import LosslessJSON

/// One version of a session's value, to keep as long as it is needed.
///
/// ```swift
/// let snapshot = session.snapshot
/// serve(port: snapshot.value.port, as: snapshot.version)
/// ```
///
/// Taking one costs about as much as copying a reference. It never changes; the session goes on without it.
public struct Snapshot<Root: Codable & Sendable>: Sendable {
    private let edition: Edition<Root>

    init(_ edition: Edition<Root>) { self.edition = edition }

    /// The value.
    public var value: Root { edition.root }

    /// The values of the file, among them keys that `Root` does not know, and without the defaults that the file leaves
    /// out. Of a session without a file, the whole value.
    public var json: JSON { edition.json }

    /// Which version this is.
    public var version: Version { edition.version }

    /// Who made it.
    public var origin: Origin { edition.origin }

    /// Where the file has the value at `pointer`; nil where it has none, and without a file. Walks the text.
    public func location(of pointer: JSONPointer) -> JSONLocation? { edition.document?.location(of: pointer) }

    /// Where the file has the values at many pointers, those that it has. Walks the text once.
    public func locations(of pointers: some Sequence<JSONPointer>) -> [JSONPointer: JSONLocation] {
        edition.document?.locations(of: pointers) ?? [:]
    }
}
