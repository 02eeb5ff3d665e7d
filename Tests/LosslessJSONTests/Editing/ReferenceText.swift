/// A simple, slow tokenizer for the JSONC dialect. Shares no code with the library.
struct ReferenceText {
    enum Kind { case comment, comma, colon, open, close, scalar }

    struct Token {
        let kind: Kind
        let range: Range<Int>
        /// The number of line ends before the token, excluding those inside comments.
        let line: Int
        /// The number of characters before the token on its line.
        let column: Int
    }

    let bytes: [UInt8]
    private(set) var tokens: [Token] = []

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        var offset = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
        var line = 0
        var lineStart = 0
        while offset < bytes.count {
            let start = offset
            let isCRLF = bytes[offset] == 0x0D && offset + 1 < bytes.count && bytes[offset + 1] == 0x0A
            if bytes[offset] == 0x0A || bytes[offset] == 0x0D {
                offset += isCRLF ? 2 : 1
                line += 1
                lineStart = offset
            } else if bytes[offset] == 0x20 || bytes[offset] == 0x09 {
                offset += 1
            } else {
                let kind = skipToken(&offset)
                tokens.append(
                    Token(
                        kind: kind, range: start..<offset, line: line,
                        column: bytes[lineStart..<start].count { $0 & 0xC0 != 0x80 }))
                if let end = bytes[start..<offset].lastIndex(where: { $0 == 0x0A || $0 == 0x0D }) {
                    lineStart = end + 1
                }
            }
        }
    }

    private func skipToken(_ offset: inout Int) -> Kind {
        switch bytes[offset] {
        case UInt8(ascii: "/"):
            let isBlock = bytes[offset + 1] == UInt8(ascii: "*")
            offset += 2
            if isBlock {
                while bytes[offset] != UInt8(ascii: "*") || bytes[offset + 1] != UInt8(ascii: "/") { offset += 1 }
                offset += 2
            } else {
                while offset < bytes.count, bytes[offset] != 0x0A, bytes[offset] != 0x0D { offset += 1 }
            }
            return .comment
        case UInt8(ascii: "\""):
            offset += 1
            while bytes[offset] != UInt8(ascii: "\"") { offset += bytes[offset] == UInt8(ascii: "\\") ? 2 : 1 }
            offset += 1
            return .scalar
        case UInt8(ascii: "{"), UInt8(ascii: "["):
            offset += 1
            return .open
        case UInt8(ascii: "}"), UInt8(ascii: "]"):
            offset += 1
            return .close
        case UInt8(ascii: ","):
            offset += 1
            return .comma
        case UInt8(ascii: ":"):
            offset += 1
            return .colon
        default:
            let ends = Array(" \t\r\n,:/[]{}".utf8)
            while offset < bytes.count, !ends.contains(bytes[offset]) { offset += 1 }
            return .scalar
        }
    }

    func text(_ token: Token) -> String { String(decoding: bytes[token.range], as: UTF8.self) }

    /// The comments in order.
    var comments: [String] { tokens.filter { $0.kind == .comment }.map(text) }

    /// The text with a number in every comment, so that all are different.
    var numbered: [UInt8] {
        var result = bytes
        for (number, token) in tokens.filter({ $0.kind == .comment }).enumerated().reversed() {
            result.insert(contentsOf: "\(number)".utf8, at: token.range.lowerBound + 2)
        }
        return result
    }
}

// MARK: - Containers

extension ReferenceText {
    /// A member, starting with its key, or an element, as token indices.
    struct Item {
        var key: Int?
        var value: Range<Int>
        var tokens: Range<Int> { (key ?? value.lowerBound)..<value.upperBound }
    }

    /// The items of the container whose opening bracket is the token `open`.
    func items(of open: Int) -> [Item] {
        var items: [Item] = []
        var index = open + 1
        var key: Int?
        while tokens[index].kind != .close {
            switch tokens[index].kind {
            case .comment, .comma, .colon: index += 1
            default:
                let end = endOfValue(index)
                if tokens[index...].dropFirst().first(where: { $0.kind != .comment })?.kind == .colon, key == nil,
                    bytes[tokens[open].range.lowerBound] == UInt8(ascii: "{")
                {
                    key = index
                } else {
                    items.append(Item(key: key, value: index..<end))
                    key = nil
                }
                index = end
            }
        }
        return items
    }

    private func endOfValue(_ start: Int) -> Int {
        var depth = 0
        var index = start
        repeat {
            if tokens[index].kind == .open { depth += 1 }
            if tokens[index].kind == .close { depth -= 1 }
            index += 1
        } while depth > 0
        return index
    }

    /// The comments that are removed with an item, by token index: those inside, and its own.
    func commentsRemoved(withItem number: Int, of open: Int) -> Set<Int> {
        let items = items(of: open)
        let end = endOfValue(open) - 1
        let item = items[number]
        let within = item.tokens.filter { tokens[$0].kind == .comment }
        let before = (number == 0 ? open : items[number - 1].tokens.upperBound - 1) + 1..<item.tokens.lowerBound
        let after = item.tokens.upperBound..<(number + 1 == items.count ? end : items[number + 1].tokens.lowerBound)
        return Set(within).union(
            ownComments(in: before, hasItemBefore: number > 0, hasItemAfter: true).after
        ).union(ownComments(in: after, hasItemBefore: true, hasItemAfter: number + 1 < items.count).before)
    }

    /// The comments between two items that belong to the previous and to the next one.
    private func ownComments(
        in gap: Range<Int>, hasItemBefore: Bool, hasItemAfter: Bool
    ) -> (before: Set<Int>, after: Set<Int>) {
        let (first, last) = (tokens[gap.lowerBound - 1].line, tokens[gap.upperBound].line)
        var (before, after) = (Set<Int>(), Set<Int>())
        let comments = gap.filter { tokens[$0].kind == .comment }
        let comma = gap.first { tokens[$0].kind == .comma }
        for comment in comments {
            let line = tokens[comment].line
            if first == last {
                let isBehindComma = comma.map { $0 < comment } ?? !hasItemBefore
                if hasItemAfter && isBehindComma {
                    after.insert(comment)
                } else if hasItemBefore {
                    before.insert(comment)
                }
            } else if line == first {
                if hasItemBefore { before.insert(comment) }
            } else if hasItemAfter && (line...last).allSatisfy({ hasCommentsOnly($0, comments, comma) || $0 == last }) {
                after.insert(comment)
            }
        }
        guard hasItemBefore, first < last,
            let head = comments.last(where: { tokens[$0].line == first }), text(tokens[head]).hasPrefix("//"),
            tokens[head].column != tokens[gap.upperBound].column
        else { return (before, after) }
        for line in first + 1..<max(last, first + 1) {
            let there = gap.filter { tokens[$0].line == line }
            guard let start = there.first, text(tokens[start]).hasPrefix("//"),
                tokens[start].column == tokens[head].column
            else { break }
            before.formUnion(there.filter { tokens[$0].kind == .comment })
            after.subtract(there)
        }
        return (before, after)
    }

    private func hasCommentsOnly(_ line: Int, _ comments: [Int], _ comma: Int?) -> Bool {
        comments.contains { tokens[$0].line == line } && comma.map { tokens[$0].line } != line
    }
}
