/// The contents of an edited file: typical settings with a dictionary of a given size, and a number that every edit changes.
struct SettingsDocument: Sendable {
    struct Settings: Codable, Sendable {
        var sequence = 0
        var services: [String: Service] = [:]
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

    let name: String
    private let rest: String

    private init(name: String, services: Int) {
        self.name = name
        let parts = (0..<services).map { number in
            """
                "service \(number)": {
                  "host": "node-\(number).internal",
                  "port": \(8000 + number),
                  "isEnabled": true,
                  "weight": 0.\(100 + number),
                  "tags": ["blue", "spare"]
                }
            """
        }
        rest = "  \"services\": {\n\(parts.joined(separator: ",\n"))\n  }\n}\n"
    }

    /// The bytes of the file with the given number.
    func bytes(_ sequence: Int) -> [UInt8] { Array("{\n  \"sequence\": \(sequence),\n\(rest)".utf8) }
}
