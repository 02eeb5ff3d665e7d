extension EditSite {
    /// Inserts items at the start of the site: after the trailing comments of the previous item and before the leading
    /// comments of the next one.
    mutating func insert(_ items: [InsertedItem], _ layout: ContainerLayout) {
        switch (hasItemBefore, hasItemAfter) {
        case (true, true):
            let layout = wasMultiline ? withIndentationOfNextItem(layout) : layout
            insertAfterItem(items, isMultiline: wasMultiline, layout)
        case (true, false): insertAfterItem(items, isMultiline: layout.isMultiline || mustStartNewLine, layout)
        case (false, true): insertBeforeItem(items, withIndentationOfNextItem(layout))
        case (false, false): fillEmptyContainer(items, layout)
        }
    }

    /// Whether a new item cannot share the line of the previous item: a comment there extends to the end of the line,
    /// or a comment after the comma would become the leading comment of the new item.
    private var mustStartNewLine: Bool {
        let tokens = lines[0].tokens
        guard let comment = tokens.lastIndex(where: \.isComment) else { return false }
        return tokens[comment].isLineComment || tokens[..<comment].contains(where: \.isComma)
    }

    /// `layout` with the indentation of the next item.
    private func withIndentationOfNextItem(_ layout: ContainerLayout) -> ContainerLayout {
        var layout = layout
        layout.indentation = indentation(of: lines[lines.count - 1])
        return layout
    }

    private func indentation(of line: Line) -> [UInt8] { line.indentation.map(space) ?? [] }

    private func space(_ token: Token) -> [UInt8] {
        Array(text[token.range].prefix(TextLayout.maximumCopiedIndentation))
    }

    /// The text of each item; stops once the total exceeds the layout's limit, which then makes the edit fail.
    private func texts(of items: [InsertedItem], isMultiline: Bool, _ layout: ContainerLayout) -> [[UInt8]] {
        var (texts, length) = ([[UInt8]](), 0)
        for item in items where length <= layout.limit {
            texts.append(item.bytes(isMultiline: isMultiline, layout))
            length += texts[texts.count - 1].count
        }
        return texts
    }

    // MARK: - After an item

    private mutating func insertAfterItem(_ items: [InsertedItem], isMultiline: Bool, _ layout: ContainerLayout) {
        let new = texts(of: items, isMultiline: isMultiline, layout)
        let separator = isMultiline ? layout.newline + layout.indentation : layout.spacing.afterComma ? [0x20] : []
        var end = endOfPreviousItem()
        let comma = [UInt8(ascii: ",")]
        let commaBelow = laterComma(below: end.line)
        if let leading = leadingComma(layout, commaBelow) {
            let lineStart = layout.newline + leading.before + comma + leading.after
            insert(new.flatMap { lineStart + $0 }, at: end)
        } else if commaBelow != nil || lines[...end.line].contains(where: { $0.tokens.contains(where: \.isComma) }) {
            if let commaBelow { end = (commaBelow.line, commaBelow.token + 1) }
            insert(new.flatMap { separator + $0 + comma }, at: end)
        } else if isMultiline {
            insert(Array(new.map { separator + $0 }.joined(separator: comma)), at: end)
            removeSpaceForComma()
            insert(comma, at: (0, 0))  // before the trailing comment
        } else {
            insert(new.flatMap { comma + separator + $0 }, at: end)
        }
    }

    /// Removes one space for an inserted comma, so that a comment aligned by several spaces stays in its column.
    private mutating func removeSpaceForComma() {
        guard let space = lines[0].tokens.first, space.isSpace, lines[0].tokens.count > 1, space.range.count > 1,
            text[space.range].allSatisfy({ $0 == 0x20 })
        else { return }
        lines[0].tokens[0] = Token(.space, space.range.dropFirst())
    }

    private mutating func insert(_ bytes: [UInt8], at position: (line: Int, token: Int)) {
        lines[position.line].tokens.insert(Token(inserting: bytes), at: position.token)
    }

    /// The index after the trailing comments of the previous item, and after its comma if that is on the same line.
    private func endOfPreviousItem() -> (line: Int, token: Int) {
        func isOwned(_ token: Token) -> Bool { token.isComment && token.owner == .previousItem }
        var line = 0
        while line + 1 < lines.count, lines[line + 1].tokens.contains(where: isOwned) { line += 1 }
        let last = lines[line].tokens.lastIndex { $0.isComma || isOwned($0) }
        return (line, last.map { $0 + 1 } ?? 0)
    }

    /// The comma, if it is on a line below that of the previous item.
    private func laterComma(below line: Int) -> (line: Int, token: Int)? {
        for number in lines.indices.dropFirst(line + 1) {
            if let token = lines[number].tokens.firstIndex(where: \.isComma) { return (number, token) }
        }
        return nil
    }

    /// The white space around a comma at the start of a line, if new items are to be separated by such commas.
    private func leadingComma(
        _ layout: ContainerLayout, _ comma: (line: Int, token: Int)?
    ) -> (before: [UInt8], after: [UInt8])? {
        guard let comma else { return hasItemAfter || layout.hasTrailingComma ? nil : layout.leadingComma }
        guard hasItemAfter, comma.line == lines.count - 1 else { return nil }
        let next = lines[comma.line].tokens[(comma.token + 1)...].first
        return (indentation(of: lines[comma.line]), next.map { $0.isSpace ? space($0) : [] } ?? [])
    }

    // MARK: - After an opening bracket

    private mutating func insertBeforeItem(_ items: [InsertedItem], _ layout: ContainerLayout) {
        func isOwned(_ token: Token) -> Bool { token.isComment && token.owner == .nextItem }
        let line = lines.firstIndex { $0.tokens.contains(where: isOwned) } ?? lines.count - 1
        let token = lines[line].tokens.firstIndex(where: isOwned) ?? lines[line].tokens.count
        let new = texts(of: items, isMultiline: wasMultiline, layout)
        let comma = [UInt8(ascii: ",")]
        let separator =
            if let leading = layout.leadingComma {
                layout.newline + leading.before + comma + leading.after
            } else {
                comma + (wasMultiline ? layout.newline + layout.indentation : layout.spacing.afterComma ? [0x20] : [])
            }
        insert(new.flatMap { $0 + separator }, at: (line, token))
    }

    private mutating func fillEmptyContainer(_ items: [InsertedItem], _ layout: ContainerLayout) {
        let comments = lines[0].tokens.filter(\.isComment)
        // As the printer does: an array of only scalars shares one line.
        let wantsLines = layout.isMultiline && !items.allSatisfy { $0.key == nil && !$0.value.isContainer }
        if wasMultiline || wantsLines || !comments.isEmpty && layout.isMultiline {
            fillOnOwnLines(texts(of: items, isMultiline: true, layout), layout)
            return
        }
        let new = texts(of: items, isMultiline: false, layout)
        let isPadded = lines[0].tokens.contains(where: \.isSpace) || items[0].key != nil && layout.spacing.afterColon
        let pad: [UInt8] = isPadded ? [0x20] : []
        let separator = [UInt8(ascii: ",")] + (layout.spacing.afterComma ? [0x20] : [])
        while lines[0].tokens.last?.isSpace == true { lines[0].tokens.removeLast() }
        lines[0].tokens.append(Token(inserting: pad + new.joined(separator: separator) + pad))
    }

    private mutating func fillOnOwnLines(_ new: [[UInt8]], _ layout: ContainerLayout) {
        var bytes = Array(new.map { layout.newline + layout.indentation + $0 }.joined(separator: [UInt8(ascii: ",")]))
        if layout.hasTrailingComma { bytes.append(UInt8(ascii: ",")) }
        if lines.count == 1 { bytes += layout.newline + layout.outerIndentation }
        while lines[0].tokens.last?.isSpace == true { lines[0].tokens.removeLast() }
        lines[0].tokens.append(Token(inserting: bytes))
    }
}

/// A new member or element.
struct InsertedItem {
    /// nil for an element.
    let key: Text?
    let value: JSON

    /// The text of the item, or a prefix longer than the layout's limit if it exceeds that.
    func bytes(isMultiline: Bool, _ layout: ContainerLayout) -> [UInt8] {
        let key = key.map { PrinterState.printKey($0, layout.spacing) } ?? []
        var style = PrintStyle(lines: nil, spacing: layout.spacing)
        guard isMultiline else { return key + PrinterState.print(value, in: style, stoppingAfter: layout.limit) }
        let column = layout.indentation.count + key.count
        // An object among single-line objects is written on a single line as well, if it fits.
        if let spacing = layout.singleLineObjectSpacing, case .object = value {
            let onOneLine = PrintStyle(lines: nil, spacing: spacing)
            let line = PrinterState.print(value, in: onOneLine, stoppingAfter: style.lineWidth)
            if column + line.count < style.lineWidth { return key + line }
        }
        style.lines = PrintStyle.Lines(
            newline: layout.newline, indentation: layout.indentation, indentUnit: layout.indentUnit, column: column)
        return key + PrinterState.print(value, in: style, stoppingAfter: layout.limit)
    }
}
