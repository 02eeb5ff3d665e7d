/// Keys of large objects, with realistic common prefixes.
package enum ObjectKeys: String, CaseIterable, Sendable {
    /// At most 14 bytes.
    case short = "short keys"
    /// 24 to 28 bytes.
    case long = "long keys"

    package func key(_ index: Int) -> String {
        let topic = ObjectKeys.topics[index % ObjectKeys.topics.count]
        return switch self {
        case .short: "\(topic)_\(index)"
        case .long: "preferences.\(topic).item_\(1_000_000 + index)"
        }
    }

    private static let topics = ["user", "file", "panel", "color", "route"]
}
