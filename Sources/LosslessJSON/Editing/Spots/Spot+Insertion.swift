extension Spot {
    /// Puts new items where the spot begins, behind what belongs to the item there, and before what belongs to the one
    /// that follows.
    mutating func insert(_ items: [NewItem], _ layout: ContainerLayout) {
        switch (hasItemBefore, hasItemBehind) {
        case (true, true): insertBehind(items, hasLines: hadLines, hadLines ? asOnLastLine(layout) : layout)
        case (true, false): insertBehind(items, hasLines: layout.hasLines || mustBeginLine, layout)
        case (false, true): insertBefore(items, asOnLastLine(layout))
        case (false, false): fill(items, layout)
        }
    }

    /// Whether there is no room on the line of the item before: its comment goes to the end of the line, or would, behind
    /// the comma, be taken for that of the next item.
    private var mustBeginLine: Bool {
        let pieces = lines[0].pieces
        guard let comment = pieces.lastIndex(where: \.isComment) else { return false }
        return pieces[comment].isLineComment || pieces[..<comment].contains(where: \.isComma)
    }

    /// A layout that has the indentation of the item behind.
    private func asOnLastLine(_ layout: ContainerLayout) -> ContainerLayout {
        var layout = layout
        layout.indentation = indentation(of: lines[lines.count - 1])
        return layout
    }

    private func indentation(of line: Line) -> [UInt8] { line.indentation.map { Array(text[$0.range]) } ?? [] }

    // MARK: Behind an item

    private mutating func insertBehind(_ items: [NewItem], hasLines: Bool, _ layout: ContainerLayout) {
        let new = items.map { $0.bytes(hasLines: hasLines, layout) }
        let separator = hasLines ? layout.newline + layout.indentation : layout.spacing.behindComma ? [0x20] : []
        var end = endOfItemBefore()
        let comma = [UInt8(ascii: ",")]
        let laterComma = commaPlace(behind: end.line)
        if let leading = leadingComma(layout, laterComma) {
            let lineStart = layout.newline + leading.before + comma + leading.behind
            insert(new.flatMap { lineStart + $0 }, at: end)
        } else if laterComma != nil || lines[...end.line].contains(where: { $0.pieces.contains(where: \.isComma) }) {
            if let laterComma { end = (laterComma.line, laterComma.piece + 1) }
            insert(new.flatMap { separator + $0 + comma }, at: end)
        } else if hasLines {
            insert(Array(new.map { separator + $0 }.joined(separator: comma)), at: end)
            makeRoomForComma()
            insert(comma, at: (0, 0))  // before the comment behind the item
        } else {
            insert(new.flatMap { comma + separator + $0 }, at: end)
        }
    }

    /// A comment that stands apart by several spaces is in a column, where it stays.
    private mutating func makeRoomForComma() {
        guard let space = lines[0].pieces.first, space.isSpace, lines[0].pieces.count > 1, space.range.count > 1,
            text[space.range].allSatisfy({ $0 == 0x20 })
        else { return }
        lines[0].pieces[0] = Piece(.space, space.range.dropFirst())
    }

    private mutating func insert(_ bytes: [UInt8], at place: (line: Int, piece: Int)) {
        lines[place.line].pieces.insert(Piece(new: bytes), at: place.piece)
    }

    /// Behind the comments of the item before, and behind the comma if that is on the same line.
    private func endOfItemBefore() -> (line: Int, piece: Int) {
        func belongs(_ piece: Piece) -> Bool { piece.isComment && piece.owner == .left }
        var line = 0
        while line + 1 < lines.count, lines[line + 1].pieces.contains(where: belongs) { line += 1 }
        let last = lines[line].pieces.lastIndex { $0.isComma || belongs($0) }
        return (line, last.map { $0 + 1 } ?? 0)
    }

    /// A comma on a later line than the item before.
    private func commaPlace(behind line: Int) -> (line: Int, piece: Int)? {
        for number in lines.indices.dropFirst(line + 1) {
            if let piece = lines[number].pieces.firstIndex(where: \.isComma) { return (number, piece) }
        }
        return nil
    }

    /// What stands around a comma that begins the line of an item, if new items are to be set apart by such.
    private func leadingComma(
        _ layout: ContainerLayout, _ comma: (line: Int, piece: Int)?
    ) -> (before: [UInt8], behind: [UInt8])? {
        guard let comma else { return hasItemBehind || layout.hasTrailingComma ? nil : layout.leadingComma }
        guard hasItemBehind, comma.line == lines.count - 1 else { return nil }
        let next = lines[comma.line].pieces[(comma.piece + 1)...].first
        return (indentation(of: lines[comma.line]), next.map { $0.isSpace ? Array(text[$0.range]) : [] } ?? [])
    }

    // MARK: Behind a bracket

    private mutating func insertBefore(_ items: [NewItem], _ layout: ContainerLayout) {
        func belongs(_ piece: Piece) -> Bool { piece.isComment && piece.owner == .right }
        let line = lines.firstIndex { $0.pieces.contains(where: belongs) } ?? lines.count - 1
        let piece = lines[line].pieces.firstIndex(where: belongs) ?? lines[line].pieces.count
        let new = items.map { $0.bytes(hasLines: hadLines, layout) }
        let comma = [UInt8(ascii: ",")]
        let separator =
            if let leading = layout.leadingComma {
                layout.newline + leading.before + comma + leading.behind
            } else {
                comma + (hadLines ? layout.newline + layout.indentation : layout.spacing.behindComma ? [0x20] : [])
            }
        insert(new.flatMap { $0 + separator }, at: (line, piece))
    }

    private mutating func fill(_ items: [NewItem], _ layout: ContainerLayout) {
        let comments = lines[0].pieces.filter(\.isComment)
        // As a printer has it: scalars alone share a line.
        let wantsLines = layout.hasLines && !items.allSatisfy { $0.key == nil && !$0.value.isContainer }
        if hadLines || wantsLines || !comments.isEmpty && layout.hasLines {
            fillLines(items.map { $0.bytes(hasLines: true, layout) }, layout)
            return
        }
        let new = items.map { $0.bytes(hasLines: false, layout) }
        let isPadded = lines[0].pieces.contains(where: \.isSpace) || items[0].key != nil && layout.spacing.behindColon
        let pad: [UInt8] = isPadded ? [0x20] : []
        let separator = [UInt8(ascii: ",")] + (layout.spacing.behindComma ? [0x20] : [])
        while lines[0].pieces.last?.isSpace == true { lines[0].pieces.removeLast() }
        lines[0].pieces.append(Piece(new: pad + new.joined(separator: separator) + pad))
    }

    private mutating func fillLines(_ new: [[UInt8]], _ layout: ContainerLayout) {
        var bytes = Array(new.map { layout.newline + layout.indentation + $0 }.joined(separator: [UInt8(ascii: ",")]))
        if layout.hasTrailingComma { bytes.append(UInt8(ascii: ",")) }
        if lines.count == 1 { bytes += layout.newline + layout.outerIndentation }
        while lines[0].pieces.last?.isSpace == true { lines[0].pieces.removeLast() }
        lines[0].pieces.append(Piece(new: bytes))
    }
}
