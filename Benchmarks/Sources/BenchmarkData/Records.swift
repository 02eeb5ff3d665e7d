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

/// The same records in an array. Between their stored properties are no unused bytes, whose values would decide whether an
/// element has to be copied for a comparison, and so how many instructions a save takes.
package struct RecordList: Codable, Sendable {
    package struct Record: Codable, Sendable, BytewiseEquatable {
        package var name: String
        package var opened: Int
        package var ratio: Double
        package var tags: [String]
        package var isPinned: Bool

        fileprivate init(_ record: Records.Record) {
            (name, opened, ratio) = (record.name, record.opened, record.ratio)
            (tags, isPinned) = (record.tags, record.isPinned)
        }
    }

    package var records: [Record]

    package init(_ count: Int) { records = (0..<count).map { Record(Records.Record($0)) } }
}

/// The same records, of a type that does not say that its bytes are enough to compare it.
package struct UnmarkedRecords: Codable, Sendable {
    package struct Record: Codable, Sendable {
        package var name: String
        package var opened: Int
        package var ratio: Double
        package var isPinned: Bool
        package var tags: [String]

        fileprivate init(_ record: Records.Record) {
            (name, opened, ratio) = (record.name, record.opened, record.ratio)
            (isPinned, tags) = (record.isPinned, record.tags)
        }
    }

    package var records: [String: Record]

    package init(_ count: Int) { records = Records(count).records.mapValues(Record.init) }
}
