import LosslessJSON

/// A formatted text of a given size: a list of services, with a number in its middle that every edit changes.
struct ServiceDocument {
    private(set) var bytes: [UInt8]
    /// The location of the number.
    let pointer: JSONPointer
    private let position: Int
    private var number = ServiceDocument.first

    private static let first = 1_000_000

    init(size: Int) {
        var text = Array("{\n  \"services\": [\n".utf8)
        text.reserveCapacity(size + 1_000)
        var (service, changed) = (0, (service: 0, position: 0))
        while text.count < size || service == 0 {
            if service > 0 { text += Array(",\n".utf8) }
            text += Self.service(service).utf8
            if text.count <= size / 2 || service == 0 { changed = (service, text.count - "1000000\n    }".utf8.count) }
            service += 1
        }
        bytes = text + Array("\n  ]\n}\n".utf8)
        pointer = JSONPointer(["services", "\(changed.service)", "visits"])
        position = changed.position
    }

    private static func service(_ number: Int) -> String {
        """
            {
              "name": "service \(number)",
              "host": "node-\(number).internal",
              "port": \(8_000 + number % 1_000),
              "isEnabled": true,
              "tags": ["blue", "spare"],
              "visits": \(first)
            }
        """
    }

    /// Changes the number and returns it. The length of the text stays the same.
    mutating func edit() -> Int {
        number += 1
        bytes.replaceSubrange(position..<position + 7, with: "\(number)".utf8)
        return number
    }
}
