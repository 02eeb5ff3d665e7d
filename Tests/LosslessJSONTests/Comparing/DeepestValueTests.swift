import CAllocationCount
import Foundation
import TestSupport
import Testing

@testable import LosslessJSON

@Suite("Values of the maximum depth")
struct DeepestValueTests {
    static let options = JSONDocument.Options(depthLimit: JSONDocument.deepestNesting)

    static func text(_ opening: String, _ core: String, _ closing: String) -> String {
        let depth = JSONDocument.deepestNesting
        return String(repeating: opening, count: depth) + core + String(repeating: closing, count: depth)
    }

    /// The default stack size of a thread. Optimized code needs less, code with a sanitizer more.
    static var stackSize: Int {
        if AllocationMeter.countsOptimizedCode { return 3 << 20 }
        return allocation_count_is_available() ? 8 << 20 : 64 << 20
    }

    @Test(
        "Comparing, hashing, printing, reparsing and releasing the deepest value fits into the stack",
        arguments: [("[", "]"), (#"{"a":"#, "}"), (#"[1,"#, ",2]"), (#"{"a key of many letters":"#, #","b":2}"#)])
    func stack(opening: String, closing: String) throws {
        let (old, new) = (Self.text(opening, "0", closing), Self.text(opening, "1", closing))
        let done = DispatchSemaphore(value: 0)
        let thread = Thread {
            do { try Self.use(old, new) } catch { Issue.record(error) }
            done.signal()
        }
        thread.stackSize = Self.stackSize
        thread.start()
        done.wait()
    }

    private static func use(_ old: String, _ new: String) throws {
        let document = try JSONDocument(parsing: old, options: options)
        let copy = try JSONDocument(parsing: old, options: options)
        #expect(document.value == copy.value && document.value.hashValue == copy.value.hashValue)
        #expect(document.value.description == old)
        let next = try document.reparsed(new)
        #expect(next.value != document.value)
        #expect(next.value.difference(from: document.value).map(\.path.tokens.count) == [JSONDocument.deepestNesting])
        #expect(next.value.description == new)
    }
}
