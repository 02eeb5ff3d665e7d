/// The collections that a value was decoded to, so that its next version decodes only the elements that changed.
///
/// The versions of a document share the parts that did not change. Where a collection of the new version was decoded
/// from another node before, only the elements in which the nodes differ are decoded, and all others are taken over.
/// Structs between collections are decoded as a whole: only collections grow with the file. Collections of objects are
/// not remembered, because an object could be changed by the next version while the last one is read.
package final class DecodingMemory: Sendable {
    /// A collection of so many elements is remembered. What its elements contain is decoded as a whole, so a smaller one
    /// is remembered only if that is little.
    static let largeCollection = 16
    private static let fewValues = 256

    /// Whether a collection is remembered. Decoding one of less than `fewest` elements costs less than remembering it.
    static func remembers(_ collection: JSON, fewest: Int) -> Bool {
        let count = collection.positionCount
        if count < fewest { return false }
        if count >= largeCollection { return true }
        var rest = fewValues
        collection.subtractValues(from: &rest)
        return rest >= 0
    }

    // Safe to send: its elements are no objects, and almost always part of a value that is sent, too.
    fileprivate struct Collection: @unchecked Sendable {
        let node: JSON
        let value: any CollectionDecoding
        let isDetecting: Bool
        var mayHaveUnknownKeys: Bool

        var withoutUnknownKeys: Collection {
            var copy = self
            copy.mayHaveUnknownKeys = false
            return copy
        }
    }

    /// The collections of two versions of a value, of which the second one is being decoded.
    struct Versions: Sendable {
        private let old: [CollectionPath: Collection]
        private var new: [CollectionPath: Collection] = [:]

        fileprivate init(old: [CollectionPath: Collection]) { self.old = old }

        /// Decodes what changed in a collection; nil if it was not decoded before, or cannot be decoded in part.
        func changed<Value: CollectionDecoding>(
            _: Value.Type, _ path: CollectionPath, _ node: DecodingNode, _ state: DecodingState
        ) -> Value? {
            guard let old = old[path], old.isDetecting || !node.tracking.isDetecting, let before = old.value as? Value
            else { return nil }
            // Decoding all of it finds the first of several errors.
            let value =
                old.node.isIdentical(to: node.value)
                ? before : (try? before.changed(from: old.node, to: node, state)) ?? nil
            state.mayHaveUnknownKeys = value != nil && (old.mayHaveUnknownKeys || state.mayHaveUnknownKeys)
            return value
        }

        mutating func remember(
            _ value: any CollectionDecoding, of node: DecodingNode, at path: CollectionPath, mayHaveUnknownKeys: Bool
        ) {
            new[path] = Collection(
                node: node.value, value: value, isDetecting: node.tracking.isDetecting,
                mayHaveUnknownKeys: mayHaveUnknownKeys)
        }

        /// The collections of the version that was decoded.
        fileprivate var latest: [CollectionPath: Collection] { new }
    }

    private let collections = CollectionMemory<Collection>()

    package init() {}

    /// Forgets all collections, because they are not part of the value in memory.
    package func forget() { collections.forget() }

    /// Records that a search has found no unknown key: those that were have been removed.
    package func foundNoUnknownKeys() { collections.replaceEach(\.withoutUnknownKeys) }

    fileprivate func decoding<Value>(
        _ decode: (inout Versions?) throws(JSONCodingError) -> Value
    ) throws(JSONCodingError) -> Value {
        var versions: Versions?
        guard PartialWork.isEnabled else { return try decode(&versions) }
        return try collections.using { collections throws(JSONCodingError) in
            versions = Versions(old: collections)
            let value = try decode(&versions)
            collections = versions?.latest ?? [:]
            return value
        }
    }
}

extension JSON {
    /// Subtracts the number of all values in it, until it is negative.
    fileprivate func subtractValues(from rest: inout Int) {
        switch self {
        case .array(let elements):
            rest -= elements.count
            if rest >= 0 { elements.forEachElement { if rest >= 0, $0.isContainer { $0.subtractValues(from: &rest) } } }
        case .object(let members):
            rest -= members.count
            if rest >= 0 { members.forEachMember { if rest >= 0, $1.isContainer { $1.subtractValues(from: &rest) } } }
        default: break
        }
    }
}

extension JSONValueDecoder {
    /// Decodes only what changed since `memory` was used last, which belongs to one decoder, type, defaults and exempt
    /// names. Says whether the value may have unknown keys other than those with exempt names, if that `isDetecting`.
    package func decode<Value: Decodable & Sendable>(
        _ type: Value.Type, from json: JSON, defaults: JSON?, _ memory: DecodingMemory, isDetecting: Bool,
        except exemptNames: Set<String>, _ mayHaveUnknownKeys: inout Bool
    ) throws(JSONCodingError) -> Value {
        try memory.decoding { versions throws(JSONCodingError) in
            let state = DecodingState(conversions, userInfo, versions, exemptNames: exemptNames)
            let node = DecodingNode(json, fallback: defaults, path: nil, isDetecting ? .detecting : .off)
            let value = try decode(type, node, state)
            mayHaveUnknownKeys = state.mayHaveUnknownKeys
            versions = state.memory
            return value
        }
    }
}
