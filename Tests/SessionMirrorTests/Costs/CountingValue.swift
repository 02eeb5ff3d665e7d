import Locking

/// A value that counts how often its subscript is read, over all instances.
struct CountingValue: Codable, Sendable {
    static let evaluations = Lock(0)

    private var lamps: [Int]

    init(_ lamps: [Int]) { self.lamps = lamps }

    /// Each `\CountingValue.[lamp: 7]` is a new key path object that equals the others of that lamp.
    subscript(lamp lamp: Int) -> Int {
        CountingValue.evaluations.withLock { $0 += 1 }
        return lamps[lamp]
    }

    /// The text of a file.
    var text: String { #"{ "lamps": \#(lamps) }"# }

    func replacing(lamp: Int, by number: Int) -> CountingValue {
        var copy = self
        copy.lamps[lamp] = number
        return copy
    }
}
