import Synchronization
import Testing

@testable import LosslessJSON

/// Counts how often elements are encoded, through the user info of the encoder.
final class EncodingCounter: Sendable {
    static let key = CodingUserInfoKey(rawValue: "counter")!
    let count = Atomic(0)
}

/// An encoder with a memory, and one without for comparison.
struct EncodingPair {
    let memory = EncodingMemory()
    let counter = EncodingCounter()

    /// Encodes in part, expects the same text as in full, and returns how many elements were encoded in part.
    @discardableResult
    func encode(
        _ value: some Encodable, sharing source: JSON? = nil, sourceLocation: SourceLocation = #_sourceLocation
    ) throws -> Int {
        try encoding(value, sharing: source, sourceLocation: sourceLocation).count
    }

    /// The same, with what the value is encoded as.
    func encoding(
        _ value: some Encodable, sharing source: JSON?, sourceLocation: SourceLocation = #_sourceLocation
    ) throws -> (node: JSON, count: Int) {
        var encoder = JSONValueEncoder()
        let expected = try encoder.encode(value)
        encoder.userInfo[EncodingCounter.key] = counter
        let before = counter.count.load(ordering: .relaxed)
        let encoded = try encoder.encode(value, defaults: nil, sharing: source, memory)
        let text = { JSONPrinter().string($0) }
        #expect(text(encoded) == text(expected), sourceLocation: sourceLocation)
        return (encoded, counter.count.load(ordering: .relaxed) - before)
    }
}
