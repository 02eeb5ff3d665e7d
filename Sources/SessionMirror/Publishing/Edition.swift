internal import LosslessJSON
internal import Synchronization

/// One version of a value of some type: what is to be known of it where the type does not matter.
///
/// Whatever happens between a file and the readers handles these, so that it is not generic: generic code that is not
/// specialised looks up types while it runs, and takes several times as long.
@usableFromInline
class AnyEdition: @unchecked Sendable {
    // Never changes.
    final let version: Version
    final let origin: Origin
    fileprivate final let source: Source

    /// Where the tree of values comes from.
    enum Source: Sendable {
        /// From the text of a file.
        case text(JSONDocument)
        /// There is no file, so from the value itself, when somebody asks.
        case value(JSONConversions)
        /// There is no file yet, so nothing is in it.
        case nothing
    }

    fileprivate init(version: Version, origin: Origin, source: Source) {
        self.version = version
        self.origin = origin
        self.source = source
    }

    /// The text that the value was read from.
    final var document: JSONDocument? {
        if case .text(let document) = source { document } else { nil }
    }
}

/// One version of the value, whole and unchanging: what readers read while they read it.
@usableFromInline
final class Edition<Root: Encodable & Sendable>: AnyEdition, @unchecked Sendable {
    @usableFromInline let root: Root
    private let encoded = AtomicLazyReference<Encoded>()

    init(_ root: Root, version: Version, origin: Origin, source: Source) {
        self.root = root
        super.init(version: version, origin: origin, source: source)
    }

    var json: JSON {
        if let json = root as? JSON { return json }
        switch source {
        case .text(let document): return document.value
        case .nothing: return .object([:])
        case .value(let conversions): return (encoded.load() ?? encode(conversions)).json
        }
    }

    private func encode(_ conversions: JSONConversions) -> Encoded {
        // A value without a form in JSON, such as a number that is none, has no members to ask for.
        let json = try? JSONValueEncoder(conversions: conversions).encode(root)
        return encoded.storeIfNil(Encoded(json ?? .null))
    }

    private final class Encoded: Sendable {
        let json: JSON

        init(_ json: JSON) { self.json = json }
    }
}
