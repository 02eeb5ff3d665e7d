import TestSupport

/// A random JSON text, edited randomly as people and programs edit files.
indirect enum RandomText {
    /// The spelling.
    case scalar(String)
    case array([RandomText])
    /// Keys as spelled between their quotes.
    case object([(key: String, value: RandomText)])

    private static let scalars = [
        "null", "true", "false", "0", "-0", "1", "1.0", "10e-1", "2", "12345678901234567890", "1234567890.1234567890",
        #""a""#, #""\u0061""#, #""""#, #""fourteen bytes""#, #""fifteen bytes..""#,
        #""a string that is longer than fourteen bytes""#, #""a string that is longer than fourteen byte\u0073""#,
    ]

    private static let keys =
        (0..<80).map { "k\($0)" } + ["", "caf\u{E9}", "cafe\u{301}", #"tab\tkey"#, #"\u006b0"#]
        + (0..<20).map { "a key that is longer than fourteen bytes \($0)" }

    init(_ random: inout SeededGenerator, depth: Int = 3) {
        let kind = depth == 0 ? 0 : random.below(10)
        // most containers are small; some are near the size at which their storage changes
        let count = random.chance(85) ? random.below(6) : random.pick([30, 31, 32, 33, 34, 40, 70])
        switch kind {
        case 0...3: self = .scalar(random.pick(RandomText.scalars))
        case 4...6:
            self = .array(
                (0..<count).map { _ in RandomText(&random, depth: count > 6 && random.chance(90) ? 0 : depth - 1) })
        default:
            let keys = RandomText.keys.shuffled(using: &random).prefix(count)
            self = .object(
                keys.map { ($0, RandomText(&random, depth: count > 6 && random.chance(90) ? 0 : depth - 1)) })
        }
    }

    /// The text, compact or with some white space.
    func text(_ separator: String = "") -> String {
        switch self {
        case .scalar(let text): text
        case .array(let elements): "[" + elements.map { $0.text(separator) }.joined(separator: "," + separator) + "]"
        case .object(let members):
            "{" + members.map { "\"\($0.key)\":" + separator + $0.value.text(separator) }.joined(separator: ",") + "}"
        }
    }

    /// Returns the text with one random edit.
    func edited(_ random: inout SeededGenerator) -> RandomText {
        switch self {
        case .scalar: return RandomText(&random, depth: random.below(2))
        case .array(var elements):
            guard !elements.isEmpty, random.chance(65) else { return .array(RandomText.edited(elements, &random)) }
            let place = random.below(elements.count)
            elements[place] = elements[place].edited(&random)
            return .array(elements)
        case .object(var members):
            guard !members.isEmpty, random.chance(65) else { return .object(RandomText.edited(members, &random)) }
            let place = random.below(members.count)
            members[place].value = members[place].value.edited(&random)
            return .object(members)
        }
    }

    private static func edited(_ elements: [RandomText], _ random: inout SeededGenerator) -> [RandomText] {
        var elements = elements
        let place = random.below(elements.count + 1)
        switch random.below(5) {
        case 0, 1: elements.insert(RandomText(&random, depth: 1), at: place)
        case 2: elements.removeFirst(min(elements.count, 2))
        case 3: elements.removeSubrange(place..<min(place + 2, elements.count))
        default: elements.shuffle(using: &random)
        }
        return elements
    }

    private static func edited(
        _ members: [(key: String, value: RandomText)], _ random: inout SeededGenerator
    ) -> [(key: String, value: RandomText)] {
        var members = members
        let place = random.below(members.count + 1)
        switch random.below(5) {
        case 0, 1: members.insert((random.pick(keys), RandomText(&random, depth: 1)), at: place)
        case 2 where place < members.count: members.remove(at: place)
        case 3 where place < members.count: members.append(members.remove(at: place))
        case 4: members.shuffle(using: &random)
        default: members = members.suffix(random.pick([20, 33]))
        }
        return members
    }
}
