package import Foundation

/// Generated texts to parse: the same bytes in every run.
package enum Documents {
    package enum Shape: String, CaseIterable {
        /// A response of a web service, formatted: all kinds of values.
        case mixed
        /// An array of strings on one line.
        case strings
        /// An array of numbers on one line.
        case numbers
        /// An array of containers nested 100 levels deep.
        case deep
        /// One object with many keys.
        case wide
    }

    package enum Size: String, CaseIterable {
        case kilobyte = "1KB"
        case hundredKilobytes = "100KB"
        case megabyte = "1MB"
        case tenMegabytes = "10MB"

        package var bytes: Int {
            switch self {
            case .kilobyte: 1 << 10
            case .hundredKilobytes: 100 << 10
            case .megabyte: 1 << 20
            case .tenMegabytes: 10 << 20
            }
        }
    }

    /// A text of at least the size; generation stops at the first item that reaches it.
    package static func bytes(_ shape: Shape, _ size: Size) -> [UInt8] {
        guard let prepared = all["\(shape)-\(size.rawValue)"] else { preconditionFailure("no such document") }
        return prepared()
    }

    /// Writes each text to a file, for other parsers.
    package static func write(to folder: URL) throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        for (name, text) in all { try Data(text()).write(to: folder.appendingPathComponent(name + ".json")) }
    }

    private static let all: [String: LazyValue<[UInt8]>] = {
        var all: [String: LazyValue<[UInt8]>] = [:]
        for shape in Shape.allCases {
            for size in Size.allCases {
                all["\(shape)-\(size.rawValue)"] = LazyValue { generated(shape, size.bytes) }
            }
        }
        return all
    }()

    private static func generated(_ shape: Shape, _ size: Int) -> [UInt8] {
        var numbers = SeededGenerator(20)
        var words = TextGenerator(numbers: numbers)
        return switch shape {
        case .mixed: MixedDocument.text(size)
        case .strings: list(size) { _ in words.string() }
        case .numbers: list(size) { _ in number(&numbers) }
        case .deep: list(size) { _ in chain(depth: 100) }
        case .wide: list(size, "{", "}") { "\"\(($0 % 2 == 0 ? ObjectKeys.short : .long).key($0))\":\($0)" }
        }
    }

    /// Items without white space until the size is reached.
    private static func list(
        _ size: Int, _ open: Character = "[", _ close: Character = "]", _ item: (Int) -> String
    ) -> [UInt8] {
        var text = String(open)
        var index = 0
        while text.utf8.count < size - 1 {
            if index > 0 { text.append(",") }
            text += item(index)
            index += 1
        }
        text.append(close)
        return Array(text.utf8)
    }

    private static func number(_ numbers: inout SeededGenerator) -> String {
        let whole = numbers.number(in: -1_000..<1_000_000)
        return switch numbers.number(in: 0..<10) {
        case 0..<4: "\(whole)"
        case 4..<6: "\(numbers.number(in: 1_000_000..<1_000_000_000_000))"
        case 6..<8: "\(whole).\(numbers.number(in: 1..<100))"
        case 8: "\(whole % 180).\(numbers.number(in: 1_000_000_000..<1_000_000_000_000_000))"
        default: "\(whole % 10).\(numbers.number(in: 1..<1_000))e\(numbers.number(in: -20..<20))"
        }
    }

    private static func chain(depth: Int) -> String {
        let levels = 0..<depth / 2
        return levels.map { "{\"level\($0)\":[" }.joined() + "1" + levels.map { _ in "]}" }.joined()
    }
}
