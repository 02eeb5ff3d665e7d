internal import Synchronization

/// The collections that a value was decoded to, so that its next version decodes only the elements that changed.
///
/// The versions of a document share the parts that did not change. Where a collection of the new version was decoded
/// from another node before, only the elements in which the nodes differ are decoded, and all others are taken over.
/// Structs between collections are decoded as a whole: only collections grow with the file.
package final class DecodingMemory: Sendable {
    /// Decoding a smaller collection costs less than remembering it.
    static let smallestCollection = 16

    /// Where a collection is in a value, and as what it was decoded.
    struct Path: Hashable {
        let keys: [String]
        let type: ObjectIdentifier
    }

    // Safe to send: a collection is part of a value that is sent, too.
    fileprivate struct Collection: @unchecked Sendable {
        let node: JSON
        let value: any CollectionDecoding
        let isDetecting: Bool
        let mayHaveUnknownKeys: Bool
    }

    /// The collections of two versions of a value, of which the second one is being decoded.
    struct Versions: Sendable {
        private let old: [Path: Collection]
        private var new: [Path: Collection] = [:]

        fileprivate init(old: [Path: Collection]) { self.old = old }

        /// Decodes what changed in a collection; nil if it was not decoded before, or cannot be decoded in part.
        func changed(_ path: Path, _ node: DecodingNode, _ state: DecodingState) -> (any CollectionDecoding)? {
            guard let old = old[path], old.isDetecting || !node.tracking.isDetecting else { return nil }
            // Decoding all of it finds the first of several errors.
            let value = old.node.isIdentical(to: node.value) ? old.value : changed(old, node, state)
            state.mayHaveUnknownKeys = value != nil && (old.mayHaveUnknownKeys || state.mayHaveUnknownKeys)
            return value
        }

        private func changed(
            _ old: Collection, _ node: DecodingNode, _ state: DecodingState
        ) -> (any CollectionDecoding)? {
            (try? old.value.changed(from: old.node, to: node, state)) ?? nil
        }

        mutating func remember(
            _ value: any CollectionDecoding, of node: DecodingNode, at path: Path, mayHaveUnknownKeys: Bool
        ) {
            new[path] = Collection(
                node: node.value, value: value, isDetecting: node.tracking.isDetecting,
                mayHaveUnknownKeys: mayHaveUnknownKeys)
        }

        /// The collections of the version that was decoded.
        fileprivate var latest: [Path: Collection] { new }
    }

    private let collections = Mutex<[Path: Collection]>([:])

    package init() {}

    /// Forgets all collections, because they are no longer part of the value in memory.
    package func forget() { _ = exchange([:]) }

    private func exchange(_ new: [Path: Collection]) -> [Path: Collection] {
        collections.withLock { collections in
            let old = collections
            collections = new
            return old
        }
    }

    /// Decodes a value with the collections of the last one, of which another thread sees none meanwhile.
    func decoding<Value>(_ decode: (Versions?) throws(JSONCodingError) -> (Value, Versions?)) throws(JSONCodingError)
        -> Value
    {
        guard PartialWork.isEnabled else { return try decode(nil).0 }
        let old = exchange([:])
        do throws(JSONCodingError) {
            let (value, versions) = try decode(Versions(old: old))
            _ = exchange(versions?.latest ?? [:])
            return value
        } catch {
            _ = exchange(old)
            throw error
        }
    }
}

extension JSONValueDecoder {
    /// Decodes a value and, unless `unknownKeys` is nil, finds its unknown keys, which do not include all that have exempt
    /// names. What did not change since `memory` was used last is not decoded again. A memory belongs to one decoder,
    /// type, defaults and exempt names.
    package func decode<Value: Decodable & Sendable>(
        _ type: Value.Type, from json: JSON, defaults: JSON?, _ memory: DecodingMemory,
        unknownKeys: inout [JSONUnknownKey]?, except exemptNames: Set<String> = []
    ) throws(JSONCodingError) -> Value {
        let tracking: KeyTracking = unknownKeys == nil ? .off : .detecting
        var mayHaveUnknownKeys = false
        let value = try memory.decoding { versions throws(JSONCodingError) in
            let state = DecodingState(conversions, userInfo, versions, exemptNames: exemptNames)
            let value = try decode(type, DecodingNode(json, fallback: defaults, path: nil, tracking), state)
            mayHaveUnknownKeys = state.mayHaveUnknownKeys
            return (value, state.memory)
        }
        if unknownKeys != nil { unknownKeys = mayHaveUnknownKeys ? self.unknownKeys(of: type, in: json, defaults) : [] }
        return value
    }
}
