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
    func encode(_ value: some Encodable, sourceLocation: SourceLocation = #_sourceLocation) throws -> Int {
        var encoder = JSONValueEncoder()
        let expected = try encoder.encode(value)
        encoder.userInfo[EncodingCounter.key] = counter
        let before = counter.count.load(ordering: .relaxed)
        let encoded = try encoder.encode(value, defaults: nil, memory)
        let text = { JSONPrinter().string($0) }
        #expect(text(encoded) == text(expected), sourceLocation: sourceLocation)
        return counter.count.load(ordering: .relaxed) - before
    }
}
