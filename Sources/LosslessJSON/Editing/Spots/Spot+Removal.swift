extension Spot {
    /// Takes out what is gone, with the lines that hold nothing else, and the space that set it apart.
    mutating func tidy() {
        let (first, last) = (lines[0], lines[lines.count - 1])
        var kept: [Line] = []
        var joints: [Int] = []
        for (number, line) in lines.enumerated() {
            if number > 0, line.newline != nil, line.isGone {
                if joints.last != kept.count { joints.append(kept.count) }
            } else {
                kept.append(line.hasGone ? tidied(line, isFirst: number == 0) : line)
            }
        }
        lines = kept
        for joint in joints.reversed() { closeUp(at: joint) }
        switch (hasItemBefore, hasItemBehind) {
        case (false, false): if lines.allSatisfy(\.isBlank) { lines = [Line(pieces: [])] }
        case (false, true): joinOpening(first)
        case (true, false): joinClosing(last)
        case (true, true): break
        }
    }

    private func tidied(_ line: Line, isFirst: Bool) -> Line {
        var result = Line(pieces: [], newline: line.newline)
        var spaceBefore: [Piece] = []
        var space: [Piece] = []
        var isCut = false
        for piece in line.pieces {
            if piece.isSpace {
                space.append(piece)
            } else if piece.isGone {
                if !isCut { spaceBefore = space }
                (space, isCut) = ([], true)
            } else {
                // What stood behind a comma that goes is not to touch what stood before it.
                let isBehindItem = isFirst && hasItemBefore || !result.pieces.isEmpty
                let isApart = !isCut || spaceBefore.isEmpty && isBehindItem
                if isCut && isApart && isFirst && goesOnBelow { result.pieces.append(Piece(new: [0x20])) }
                result.pieces += isApart ? space : spaceBefore
                result.pieces.append(piece)
                (space, isCut) = ([], false)
            }
        }
        if !isCut {
            result.pieces += space
        } else if line.newline == nil {
            let isAtStart = !isFirst && result.pieces.isEmpty
            result.pieces += hasItemBehind || isAtStart ? spaceBefore : space
        }
        return result
    }

    /// Whether the comment behind the item before goes on in the next line, in the same column, in which it is to stay.
    private var goesOnBelow: Bool {
        lines.count > 1 && lines[1].pieces.contains { $0.isComment && $0.owner == .left && !$0.isGone }
    }

    /// Where lines were taken out between blank lines, those on one side go too.
    private mutating func closeUp(at joint: Int) {
        let isAtOpening = joint == 1 && !hasItemBefore && lines[0].isBlank
        if isAtOpening || isBlankLine(joint - 1) {
            let end = lines.indices[joint...].first { !isBlankLine($0) }!  // the last line is none
            lines.removeSubrange(joint..<end)
        }
        if joint == lines.count - 1, !hasItemBehind, lines[joint].isBlank { removeBlankLines(before: joint) }
    }

    private func isBlankLine(_ number: Int) -> Bool {
        number > 0 && number < lines.count - 1 && lines[number].isBlank
    }

    private mutating func removeBlankLines(before number: Int) {
        var first = number
        while isBlankLine(first - 1) { first -= 1 }
        lines.removeSubrange(first..<number)
    }

    /// When the first item went that stood on the line of the opening bracket, the next one comes up to it.
    private mutating func joinOpening(_ first: Line) {
        guard lines.count > 1, first.hasGoneItem, lines.allSatisfy(\.isBlank) else { return }
        lines = [Line(pieces: first.indentation.map { [$0] } ?? [])]
    }

    /// When the last item went that stood on the line of the closing bracket, the bracket goes up to the one before.
    private mutating func joinClosing(_ last: Line) {
        guard lines.count > 1, last.hasGoneItem, lines[lines.count - 1].isBlank else { return }
        removeBlankLines(before: lines.count - 1)
        let line = lines[lines.count - 2].pieces
        guard line.last?.isLineComment != true else { return }
        lines.removeLast()
        lines[lines.count - 1] = Line(pieces: line + last.pieces.reversed().prefix { $0.isSpace }.reversed())
    }
}

extension Spot.Line {
    fileprivate var hasGone: Bool { pieces.contains(where: \.isGone) }
    fileprivate var isGone: Bool { hasGone && pieces.allSatisfy { $0.isGone || $0.isSpace } }
    fileprivate var hasGoneItem: Bool {
        pieces.contains { if case .item = $0.kind { $0.isGone } else { false } }
    }
}
