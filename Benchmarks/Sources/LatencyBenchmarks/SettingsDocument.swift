/// The contents of an edited file: typical settings of a given size, with a number that every edit changes.
struct SettingsDocument: Sendable {
    struct Settings: Codable, Sendable {
        var sequence = 0
        var services: [Service] = []
    }

    struct Service: Codable, Sendable {
        var name: String
        var host: String
        var port: Int
        var isEnabled: Bool
        var weight: Double
        var tags: [String]
    }

    static let small = SettingsDocument(name: "1KB", services: 6)
    static let large = SettingsDocument(name: "100KB", services: 570)
    static let tiny = SettingsDocument(name: "100B", services: 0)

    let name: String
    private let rest: String

    private init(name: String, services: Int) {
        self.name = name
        let parts = (0..<services).map { number in
            """
                {
                  "name": "service \(number)",
                  "host": "node-\(number).internal",
                  "port": \(8000 + number),
                  "isEnabled": true,
                  "weight": 0.\(100 + number),
                  "tags": ["blue", "spare"]
                }
            """
        }
        rest = "  \"services\": [\n\(parts.joined(separator: ",\n"))\n  ]\n}\n"
    }

    /// The bytes of the file with the given number.
    func bytes(_ sequence: Int) -> [UInt8] { Array("{\n  \"sequence\": \(sequence),\n\(rest)".utf8) }
}
