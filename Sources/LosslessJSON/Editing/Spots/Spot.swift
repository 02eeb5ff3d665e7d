/// What stands between two items that stay, where items between them go or new ones come.
///
/// Instead of an item there can be a bracket on either side. Each spot of a container is edited for itself.
struct Spot {
    /// A line of the spot. The first one goes on behind what is on the left, the last one before what is on the right.
    struct Line {
        var pieces: [Piece]
        /// None on the last line.
        var newline: Piece?

        var isBlank: Bool { pieces.allSatisfy(\.isSpace) }
        /// What stands before the first other piece.
        var indentation: Piece? { pieces.first.flatMap { $0.isSpace ? $0 : nil } }
    }

    let text: UnsafeBufferPointer<UInt8>
    let range: Range<Int>
    let hasItemBefore: Bool
    let hasItemBehind: Bool
    /// Whether the text had a line end here.
    let hadLines: Bool
    var lines: [Line] = []

    /// Between two items, by number: −1 is the opening bracket, the number of items the closing one.
    init(between left: Int, and right: Int, of container: ContainerPlace, in bytes: UnsafeBufferPointer<UInt8>) {
        text = bytes
        hasItemBefore = left >= 0
        hasItemBehind = right < container.items.count
        let start = hasItemBefore ? container.items[left].end : container.open + 1
        range = start..<(hasItemBehind ? container.items[right].start : container.close)

        var pieces: [Piece] = []
        for index in left + 1...right {
            for piece in container.gap(index, in: bytes).pieces {
                var piece = piece
                switch piece.owner {
                case .left: piece.isGone = index - 1 != left
                case .right: piece.isGone = index != right
                case .nobody: break
                }
                pieces.append(piece)
            }
            if index < right {
                var item = Piece(.item, container.items[index].start..<container.items[index].end)
                item.isGone = true
                pieces.append(item)
            }
        }
        let removedCount = right - left - 1
        Spot.removeCommas(from: &pieces, for: removedCount, between: hasItemBefore, and: hasItemBehind)
        lines = Spot.lines(of: pieces)
        hadLines = lines.count > 1
        if removedCount > 0 { tidy() }
    }

    /// With each item that goes, goes a comma; with the last one of a container all of them.
    private static func removeCommas(
        from pieces: inout [Piece], for removedCount: Int, between hasItemBefore: Bool, and hasItemBehind: Bool
    ) {
        let commas = pieces.indices.filter { pieces[$0].isComma }
        var kept: Int?
        if hasItemBefore, commas.count > removedCount {
            // The one beside an item that stays, in whatever way commas are set here.
            let newline = pieces.firstIndex(where: \.isNewline) ?? pieces.endIndex
            let lastNewline = pieces.lastIndex(where: \.isNewline) ?? pieces.endIndex
            kept = commas[0] < newline || commas.last! < lastNewline ? commas[0] : commas.last!
        }
        for comma in commas where comma != kept { pieces[comma].isGone = true }
    }

    private static func lines(of pieces: [Piece]) -> [Line] {
        var lines: [Line] = []
        var line = Line(pieces: [])
        for piece in pieces {
            if piece.isNewline {
                line.newline = piece
                lines.append(line)
                line = Line(pieces: [])
            } else {
                line.pieces.append(piece)
            }
        }
        return lines + [line]
    }

    /// What stands there from now on.
    var bytes: [UInt8] {
        lines.flatMap { $0.pieces + ($0.newline.map { [$0] } ?? []) }.flatMap { piece in
            if case .new(let bytes) = piece.kind { bytes } else { Array(text[piece.range]) }
        }
    }
}
