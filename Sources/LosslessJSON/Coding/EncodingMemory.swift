/// The collections that were encoded, so that the next version of the value encodes only the elements that changed.
///
/// Unlike the nodes of two versions of a text, two Swift values do not say what they share. So only elements are compared
/// whose types are ``BytewiseEquatable``, by their bytes, while both collections are alive. All others are encoded, but
/// what they are encoded as is shared with the last version where it is the same.
package final class EncodingMemory: Sendable {
    /// Encoding a smaller collection costs less than remembering it.
    static let smallestCollection = 16
    /// Where more than one element of this many has changed, encoding all of them costs hardly more.
    static let partThatIsWorthIt = 4

    // Safe to send: its elements are no objects, and the collection is part of a value that is sent, too.
    struct Collection: @unchecked Sendable {
        /// nil if its elements cannot be compared by their bytes.
        let value: (any CollectionEncoding)?
        let node: JSON
        /// Those of its elements; nil if they cannot be compared.
        let usedBytes: UsedBytes?
    }

    /// The collections of two versions of a value, of which the second one is being encoded.
    struct Versions {
        let old: CollectionMemory<Collection>.Collections
        /// What the value was decoded from, if that is known: for collections that are not remembered.
        let source: JSON?
        var new: CollectionMemory<Collection>.Collections = [:]
    }

    fileprivate let collections = CollectionMemory<Collection>()

    package init() {}

    /// Forgets all collections, because they are not part of the value in memory.
    package func forget() { collections.forget() }
}

extension JSONValueEncoder {
    /// Encodes only what changed since `memory` was used last, which belongs to one encoder, type and defaults.
    ///
    /// - Parameter source: What the value was decoded from, if nothing is remembered: collections are encoded as its nodes
    ///   where they are the same, so that one tree is kept and not two.
    package func encode<Value: Encodable>(
        _ value: Value, defaults: JSON?, sharing source: JSON? = nil, _ memory: EncodingMemory
    ) throws(JSONCodingError) -> JSON {
        guard PartialWork.isEnabled else { return try encode(value, defaults: defaults) }
        return try memory.collections.using { collections throws(JSONCodingError) in
            let state = EncodingState(conversions, userInfo)
            state.memory = EncodingMemory.Versions(old: collections, source: source)
            let tree = try encode(value, defaults, state)
            collections = state.memory?.new ?? [:]
            return tree
        }
    }
}
