/// The code in a page of Markdown: fenced blocks with their sections, and spans in the prose.
struct MarkdownPage {
    struct Block {
        /// The last heading before it.
        let section: String
        /// What follows the opening fence, such as `console`.
        let kind: String
        /// The number of its first line.
        let line: Int
        fileprivate(set) var text: String
    }

    private(set) var blocks: [Block] = []
    /// The text outside of blocks.
    private(set) var prose = ""

    init(_ text: String) {
        var section = ""
        var isInBlock = false
        for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            if line.hasPrefix("```") {
                isInBlock.toggle()
                if isInBlock {
                    blocks.append(Block(section: section, kind: String(line.dropFirst(3)), line: index + 2, text: ""))
                }
            } else if isInBlock {
                blocks[blocks.count - 1].text += line + "\n"
            } else {
                if line.hasPrefix("#") { section = String(line.drop { $0 == "#" }.drop { $0 == " " }) }
                prose += line + "\n"
            }
        }
    }

    /// The spans of code in the prose, each on one line.
    var spans: [String] {
        let parts = prose.split(separator: "`", omittingEmptySubsequences: false)
        return parts.indices.filter { $0 % 2 == 1 }.map { String(parts[$0]).replacing("\n", with: " ") }
    }
}
