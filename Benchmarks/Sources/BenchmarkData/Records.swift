import LosslessJSON

/// A root as services have it: a dictionary with many structs, about 130 bytes of text each.
package struct Records: Codable, Sendable {
    package struct Record: Codable, Sendable, Equatable, BytewiseEquatable {
        package var name: String
        package var opened: Int
        package var ratio: Double
        package var isPinned: Bool
        package var tags: [String]
    }

    package var records: [String: Record]

    package init(_ count: Int) {
        let members = (0..<count).map { ("record-\($0)", Record($0)) }
        records = Dictionary(uniqueKeysWithValues: members)
    }

    /// The key of the record whose change is measured.
    package static let changedKey = "record-7"
}

extension Records.Record {
    init(_ number: Int) {
        self.init(
            name: "Record \(number)", opened: 1_790_000_000 + number,
            ratio: Double(number) / 8, isPinned: number % 5 == 0, tags: ["tag \(number % 7)"])
    }
}
