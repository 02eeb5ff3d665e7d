import Locking
import Synchronization

@testable import SessionMirror

/// A root whose comparison runs code of the test.
struct SlowServer: Codable, Sendable {
    var slow = SlowNumber(0)
}

/// A number whose comparison calls `comparing`.
struct SlowNumber: Codable, Equatable, Sendable {
    var number: Int
    private let comparing: (@Sendable () -> Void)?

    init(_ number: Int, comparing: (@Sendable () -> Void)? = nil) {
        (self.number, self.comparing) = (number, comparing)
    }

    init(from decoder: any Decoder) throws { self.init(try decoder.singleValueContainer().decode(Int.self)) }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(number)
    }

    static func == (a: SlowNumber, b: SlowNumber) -> Bool {
        (a.comparing ?? b.comparing)?()
        return a.number == b.number
    }
}
