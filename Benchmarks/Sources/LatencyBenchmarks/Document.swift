/// What the edited files hold: settings of an ordinary shape, of one size or another, with a number that every edit
/// replaces.
struct Document: Sendable {
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

    static let small = Document(name: "1KB", services: 6)
    static let large = Document(name: "100KB", services: 570)
    static let tiny = Document(name: "100B", services: 0)

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

    /// The bytes of a file.
    func bytes(_ sequence: Int) -> [UInt8] { Array("{\n  \"sequence\": \(sequence),\n\(rest)".utf8) }
}
