/// The contents of an edited file: typical settings with a dictionary of a given size. Every edit changes a number: among
/// many structs the port of one of them, which is about in the middle of a thousand.
struct SettingsDocument: Sendable {
    struct Settings: Codable, Sendable {
        var sequence = 0
        var services: [String: Service] = [:]

        /// The number that edits change in a large document.
        var editedPort: Int? { services[SettingsDocument.editedService]?.port }
    }

    struct Service: Codable, Sendable {
        var host: String
        var port: Int
        var isEnabled: Bool
        var weight: Double
        var tags: [String]
    }

    static let small = SettingsDocument(name: "1KB", services: 6)
    static let large = SettingsDocument(name: "1000 structs", services: 1_000)
    static let largest = SettingsDocument(name: "10000 structs", services: 10_000)
    static let tiny = SettingsDocument(name: "100B", services: 0)

    /// The service whose port edits change, in documents that have it.
    private static let editedService = "service \(editedNumber)"
    private static let editedNumber = 500

    let name: String
    /// Whether it has many structs, of which edits change one.
    let isLarge: Bool
    /// The text before and after the number that edits change.
    private let parts: [Substring]

    private init(name: String, services: Int) {
        self.name = name
        isLarge = services > Self.editedNumber
        let edited = "#"
        let list = (0..<services).map { number in
            """
                "service \(number)": {
                  "host": "node-\(number).internal",
                  "port": \(number == Self.editedNumber ? edited : "\(8_000 + number)"),
                  "isEnabled": true,
                  "weight": 0.\(100 + number),
                  "tags": ["blue", "spare"]
                }
            """
        }
        let text = """
            {
              "sequence": \(isLarge ? "0" : edited),
              "services": {
            \(list.joined(separator: ",\n"))
              }
            }

            """
        parts = text.split(separator: edited)
    }

    /// The bytes of the file with the given number.
    func bytes(_ number: Int) -> [UInt8] { Array("\(parts[0])\(number)\(parts[1])".utf8) }
}
