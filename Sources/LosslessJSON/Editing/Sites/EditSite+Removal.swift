extension EditSite {
    /// Removes the marked tokens, the lines that held nothing else, and the white space that separated them.
    mutating func removeMarkedTokens() {
        let (first, last) = (lines[0], lines[lines.count - 1])
        var kept: [Line] = []
        var seams: [Int] = []
        for (number, line) in lines.enumerated() {
            if number > 0, line.newline != nil, line.isRemoved {
                if seams.last != kept.count { seams.append(kept.count) }
            } else {
                kept.append(line.hasRemovedToken ? removingMarkedTokens(line, isFirst: number == 0) : line)
            }
        }
        lines = kept
        for seam in seams.reversed() { collapseBlankLines(at: seam) }
        switch (hasItemBefore, hasItemAfter) {
        case (false, false): if lines.allSatisfy(\.isBlank) { lines = [Line(tokens: [])] }
        case (false, true): joinWithOpeningBracket(first)
        case (true, false): joinWithClosingBracket(last)
        case (true, true): break
        }
    }

    private func removingMarkedTokens(_ line: Line, isFirst: Bool) -> Line {
        var result = Line(tokens: [], newline: line.newline)
        var spaceBefore: [Token] = []
        var space: [Token] = []
        var hasCut = false
        for token in line.tokens {
            if token.isSpace {
                space.append(token)
            } else if token.isRemoved {
                if !hasCut { spaceBefore = space }
                (space, hasCut) = ([], true)
            } else {
                // What follows a removed comma must not touch what precedes it.
                let isAfterItem = isFirst && hasItemBefore || !result.tokens.isEmpty
                let isApart = !hasCut || spaceBefore.isEmpty && isAfterItem
                if hasCut && isApart && isFirst && commentContinuesBelow {
                    result.tokens.append(Token(inserting: [0x20]))
                }
                result.tokens += isApart ? space : spaceBefore
                result.tokens.append(token)
                (space, hasCut) = ([], false)
            }
        }
        if !hasCut {
            result.tokens += space
        } else if line.newline == nil {
            let isAtStart = !isFirst && result.tokens.isEmpty
            result.tokens += hasItemAfter || isAtStart ? spaceBefore : space
        }
        return result
    }

    /// Whether the trailing comment continues on the next line in the same column, which it must keep.
    private var commentContinuesBelow: Bool {
        lines.count > 1 && lines[1].tokens.contains { $0.isComment && $0.owner == .previousItem && !$0.isRemoved }
    }

    /// Removes the blank lines on one side where removed lines leave blank lines on both.
    private mutating func collapseBlankLines(at seam: Int) {
        let isAtOpening = seam == 1 && !hasItemBefore && lines[0].isBlank
        if isAtOpening || isBlankLine(seam - 1) {
            let end = lines.indices[seam...].first { !isBlankLine($0) }!  // the last line is not blank
            lines.removeSubrange(seam..<end)
        }
        if seam == lines.count - 1, !hasItemAfter, lines[seam].isBlank { removeBlankLines(before: seam) }
    }

    private func isBlankLine(_ number: Int) -> Bool {
        number > 0 && number < lines.count - 1 && lines[number].isBlank
    }

    private mutating func removeBlankLines(before number: Int) {
        var first = number
        while isBlankLine(first - 1) { first -= 1 }
        lines.removeSubrange(first..<number)
    }

    /// If the removed first item was on the line of the opening bracket, moves the next item up to the bracket.
    private mutating func joinWithOpeningBracket(_ first: Line) {
        guard lines.count > 1, first.hasRemovedItem, lines.allSatisfy(\.isBlank) else { return }
        lines = [Line(tokens: first.indentation.map { [$0] } ?? [])]
    }

    /// If the removed last item was on the line of the closing bracket, moves the bracket up to the previous item.
    private mutating func joinWithClosingBracket(_ last: Line) {
        guard lines.count > 1, last.hasRemovedItem, lines[lines.count - 1].isBlank else { return }
        removeBlankLines(before: lines.count - 1)
        let line = lines[lines.count - 2].tokens
        guard line.last?.isLineComment != true else { return }
        lines.removeLast()
        lines[lines.count - 1] = Line(tokens: line + last.tokens.reversed().prefix { $0.isSpace }.reversed())
    }
}

extension EditSite.Line {
    fileprivate var hasRemovedToken: Bool { tokens.contains(where: \.isRemoved) }
    fileprivate var isRemoved: Bool { hasRemovedToken && tokens.allSatisfy { $0.isRemoved || $0.isSpace } }
    fileprivate var hasRemovedItem: Bool {
        tokens.contains { if case .item = $0.kind { $0.isRemoved } else { false } }
    }
}
