/// Generates realistic text.
struct TextGenerator {
    private var numbers: SeededGenerator

    init(numbers: SeededGenerator) { self.numbers = numbers }

    private static let commonWords = [
        "account", "after", "answer", "before", "build", "cannot", "change", "configuration", "each", "every", "file",
        "found", "from", "it", "later", "light", "memory", "more", "network", "not", "of", "once", "open", "order",
        "place", "reader", "request", "server", "session", "small", "the", "this", "until", "value", "waits", "water",
        "when", "window", "without", "works",
    ]

    private static let nonASCIIWords = ["café", "Ærø", "naïve", "Straße", "Łódź", "北京", "мир", "→", "😀"]

    private static let escapes = [#"\n"#, #"\""#, #"\\"#, #"\t"#, #"\u00e9"#, #"\/"#]

    /// The contents of a JSON string: `count` words, of which 1 in 30 is not ASCII and 1 in 40 is an escape.
    mutating func text(_ count: Int) -> String {
        var words: [String] = []
        for _ in 0..<count {
            if numbers.happens(onceIn: 30) {
                words.append(numbers.element(of: TextGenerator.nonASCIIWords))
            } else if numbers.happens(onceIn: 40) {
                words.append(numbers.element(of: TextGenerator.escapes))
            } else {
                words.append(numbers.element(of: TextGenerator.commonWords))
            }
        }
        return words.joined(separator: " ")
    }

    /// A JSON string: mostly a few words, sometimes a paragraph.
    mutating func string() -> String {
        let count =
            switch numbers.number(in: 0..<10) {
            case 0..<4: numbers.number(in: 1..<3)
            case 4..<9: numbers.number(in: 3..<12)
            default: numbers.number(in: 12..<80)
            }
        return "\"\(text(count))\""
    }
}
