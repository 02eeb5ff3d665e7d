/// A text like the response of a web service: nested objects, short and long strings with some escapes and letters
/// beyond ASCII, whole and fractional numbers, booleans and nulls, indented by two spaces. `AccountsResponse` is its
/// type.
enum MixedDocument {
    static func text(_ size: Int) -> [UInt8] {
        var records = MixedRecords()
        var text = head
        var separator = "\n"
        while text.utf8.count < size - tail.utf8.count {
            text += separator + records.next()
            separator = ",\n"
        }
        return Array((text + tail).utf8)
    }

    private static let head = """
        {
          "version": 3,
          "source": "https://api.example.org/v3/accounts?page=1",
          "complete": true,
          "accounts": [
        """

    private static let tail = """

          ]
        }

        """
}

private struct MixedRecords {
    private var numbers = SeededGenerator(11)
    private var words = TextGenerator(numbers: SeededGenerator(12))

    mutating func next() -> String {
        let id = 1_000_000_000 + number(0..<900_000_000)
        return """
                {
                  "id": \(id),
                  "name": "\(words.text(2))",
                  "active": \(numbers.happens(onceIn: 2)),
                  "visits": \(numbers.number(in: 100..<1_000)),
                  "score": \(numbers.number(in: 0..<100)).\(numbers.number(in: 1..<10_000)),
                  "created": "2026-\(number(10..<13))-\(number(10..<29))T\(number(10..<24)):\(number(10..<60)):00Z",
                  "referrer": \(numbers.happens(onceIn: 2) ? "null" : words.string()),
                  "picture": "https://images.example.org/accounts/\(id)/\(number(1..<9)).png",
                  "address": {
                    "street": "\(words.text(2)) \(number(1..<200))",
                    "city": "\(words.text(1))",
                    "location": {
                      "latitude": \(number(-90..<90)).\(number(100_000..<1_000_000)),
                      "longitude": \(number(-180..<180)).\(number(100_000..<1_000_000))
                    }
                  },
                  "tags": [\(tags())],
                  "biography": "\(words.text(numbers.number(in: 5..<40)))",
                  "settings": {
                    "theme": "\(numbers.element(of: ["dark", "light", "system"]))",
                    "fontSize": \(number(9..<24)),
                    "notifications": \(numbers.happens(onceIn: 3)),
                    "dailyLimit": \(numbers.happens(onceIn: 3) ? "null" : "\(number(1..<5_000))")
                  }
                }
            """
    }

    private mutating func number(_ range: Range<Int>) -> Int { numbers.number(in: range) }

    private mutating func tags() -> String {
        let count = numbers.number(in: 0..<5)
        if count == 0 { return "" }
        return (0..<count).map { _ in "\n        \"\(words.text(1))\"" }.joined(separator: ",") + "\n      "
    }
}

/// The root type of a mixed document.
package struct AccountsResponse: Decodable {
    package struct Account: Decodable {
        package var id: Int
        package var picture: String
        package var name: String
        package var active: Bool
        package var visits: Int
        package var score: Double
        package var created: String
        package var referrer: String?
        package var address: Address
        package var tags: [String]
        package var biography: String
        package var settings: Settings
    }

    package struct Address: Decodable {
        package var street: String
        package var city: String
        package var location: Location
    }

    package struct Location: Decodable {
        package var latitude: Double
        package var longitude: Double
    }

    package struct Settings: Decodable {
        package var theme: String
        package var fontSize: Int
        package var notifications: Bool
        package var dailyLimit: Int?
    }

    package var version: Int
    package var source: String
    package var complete: Bool
    package var accounts: [Account]
}
