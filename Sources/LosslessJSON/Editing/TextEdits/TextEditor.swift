/// Computes the edits of a text for a revision of its value, in one pass, which skips what lies between marks.
struct TextEditor {
    private let text: TextLayout
    /// Where the pass can go on. None with duplicate keys, because then positions of members are not those in the text.
    private let marks: PositionMarks
    /// The positions in the text that lead to the value at the cursor.
    private var path: [Int] = []
    /// Whether the text has duplicate keys. A change applies to the last member with a key, which requires an extra
    /// pass over each object.
    private let hasDuplicateKeys: Bool
    private var cursor: TextCursor
    private var edits: [TextEdit] = []
    /// How many bytes may still be inserted. Nothing is inserted once it is negative.
    private var remainingBytes: Int

    /// The edits in text order; nil if the new text would exceed `limit` bytes.
    static func edits(
        for revision: Revision, in bytes: UnsafeBufferPointer<UInt8>, hasDuplicateKeys: Bool, limit: Int,
        _ marks: PositionMarks = PositionMarks()
    ) -> [TextEdit]? {
        var editor = TextEditor(bytes, hasDuplicateKeys ? PositionMarks() : marks, hasDuplicateKeys, limit)
        editor.cursor.skipSpaceAndComments()
        editor.edit(revision, LayoutContext(), isLast: !hasDuplicateKeys)
        let length = editor.edits.reduce(bytes.count) { $0 + $1.replacement.count - $1.range.count }
        if editor.remainingBytes < 0 || length > limit { return nil }
        // At equal offsets, an insertion before an item precedes the change of the item.
        return editor.edits.sorted {
            ($0.range.lowerBound, $0.range.upperBound) < ($1.range.lowerBound, $1.range.upperBound)
        }
    }

    private init(
        _ bytes: UnsafeBufferPointer<UInt8>, _ marks: PositionMarks, _ hasDuplicateKeys: Bool, _ remainingBytes: Int
    ) {
        (text, self.marks) = (TextLayout(bytes), marks)
        (self.hasDuplicateKeys, self.remainingBytes) = (hasDuplicateKeys, remainingBytes)
        cursor = TextCursor(bytes)
    }

    /// Adds the edits of the value at the cursor and moves the cursor past it. After the last edit of all, the cursor
    /// may stay behind.
    private mutating func edit(_ revision: Revision, _ context: LayoutContext, isLast: Bool) {
        switch revision {
        case .replaced(let value): replace(with: value, context)
        case .object(let revision): edit(revision, context, isLast: isLast)
        case .array(let revision): edit(revision, context, isLast: isLast)
        }
    }

    private mutating func replace(with value: JSON, _ context: LayoutContext) {
        let start = cursor.offset
        cursor.skipValue()
        if remainingBytes < 0 { return }
        let replacement = context.print(value, at: start, in: text, stoppingAfter: remainingBytes)
        append(TextEdit(range: start..<cursor.offset, replacement: replacement))
    }

    private mutating func append(_ edit: TextEdit) {
        remainingBytes -= edit.replacement.count
        edits.append(edit)
    }

    /// Adds the edits of the item at `index` of a container, whose value is at the cursor.
    private mutating func edit(itemAt index: Int, _ revision: Revision, _ context: LayoutContext, isLast: Bool) {
        path.append(index)
        edit(revision, context, isLast: isLast)
        path.removeLast()
    }

    /// Moves the cursor from the item at `index` of the container at `path` to the last one that has a mark before the next
    /// item at `positions`, the first of which is the last one; those before `index` are removed.
    private mutating func skip(to positions: inout [Int], from index: inout Int, _ triviaStart: inout Int) {
        while let next = positions.last, next < index { positions.removeLast() }
        guard let next = positions.last, next > index + 1,
            let place = marks.last(beforeItemAt: path + [next])?.place(in: path), place.item > index
        else { return }
        index = place.item
        triviaStart = place.start
        cursor = TextCursor(cursor.bytes, at: place.start)
        cursor.skipSpaceAndComments()
    }

    // MARK: - Objects

    private mutating func edit(_ revision: ObjectRevision, _ context: LayoutContext, isLast: Bool) {
        let table = KeyTable(revision)
        let lastOffsets = hasDuplicateKeys ? lastOffsets(of: table) : [:]
        var container = ContainerRange(openBracket: cursor.offset, isObject: true)
        var remainingChanges = table.actions.count
        var positions = marks.isEmpty ? [] : revision.positions ?? []
        // Behind it is nothing to edit.
        let lastPosition = isLast ? positions.first : nil
        var index = 0
        var triviaStart = container.openBracket + 1
        enterContainer()
        skip(to: &positions, from: &index, &triviaStart)
        while cursor.byte == UInt8(ascii: "\""), index <= lastPosition ?? index {
            let start = cursor.offset
            let key = readKey(table)
            var item = ContainerRange.Item(
                start: start, triviaStart: triviaStart, colonEnd: key.colonEnd,
                hasSpaceBeforeColon: key.hasSpaceBeforeColon)
            switch key.number.map({ table.actions[$0] }) {
            case .revise(let change)? where lastOffsets[key.number!] ?? start == start:
                remainingChanges -= 1
                let inner = context.entering(item, of: container, in: text)
                let isLast = isLast && remainingChanges == 0 && !revision.isStructural
                edit(itemAt: index, change, inner, isLast: isLast)
                if isLast { return }
            case .remove?:
                item.isRemoved = true
                cursor.skipValue()
            default: cursor.skipValue()
            }
            item.end = cursor.offset
            triviaStart = item.end
            if revision.isStructural { container.items.append(item) }
            index += 1
            cursor.skipSeparator()
            if positions.last.map({ $0 < index }) == true { skip(to: &positions, from: &index, &triviaStart) }
        }
        container.closeBracket = cursor.offset
        cursor.advance()
        guard revision.isStructural else { return }
        var new: [InsertedItem] = []
        revision.added.forEachMember { new.append(InsertedItem(key: copy $0, value: copy $1)) }
        let last = container.items.lastIndex { !$0.isRemoved } ?? -1
        editSites(of: container, new.isEmpty ? [:] : [last: new], context)
    }

    private mutating func enterContainer() {
        cursor.advance()
        cursor.skipSpaceAndComments()
    }

    /// Moves the cursor from a key to its value. Returns the index of the key in the table, and the layout of the
    /// colon.
    private mutating func readKey(_ table: KeyTable) -> (number: Int?, hasSpaceBeforeColon: Bool, colonEnd: Int) {
        let contents = cursor.skipString()
        let keyEnd = cursor.offset
        cursor.skipSpaceAndComments()
        let hasSpaceBeforeColon = cursor.offset == keyEnd + 1
        cursor.advance()  // the colon
        let colonEnd = cursor.offset
        cursor.skipSpaceAndComments()
        let number = table.number(of: UnsafeBufferPointer(rebasing: cursor.bytes[contents]))
        return (number, hasSpaceBeforeColon, colonEnd)
    }

    /// The offsets of the last members with the keys of a table, by key index.
    private func lastOffsets(of table: KeyTable) -> [Int: Int] {
        var ahead = self
        var offsets: [Int: Int] = [:]
        ahead.enterContainer()
        while ahead.cursor.byte == UInt8(ascii: "\"") {
            let start = ahead.cursor.offset
            if let number = ahead.readKey(table).number { offsets[number] = start }
            ahead.cursor.skipValue()
            ahead.cursor.skipSeparator()
        }
        return offsets
    }

    // MARK: - Arrays

    private mutating func edit(_ revision: ArrayRevision, _ context: LayoutContext, isLast: Bool) {
        let order = revision.order
        var container = ContainerRange(openBracket: cursor.offset, isObject: false)
        // By the index in `container.items` of the item before. It is less than the index of the element in the array if
        // elements were skipped.
        var inserted: [Int: [InsertedItem]] = [:]
        inserted[-1] = order?.inserted[-1]
        var remainingChanges = revision.changed.count
        var positions = marks.isEmpty ? [] : revision.positions(order)
        let lastPosition = isLast ? positions.first : nil
        var index = 0
        var triviaStart = container.openBracket + 1
        enterContainer()
        skip(to: &positions, from: &index, &triviaStart)
        while cursor.byte != UInt8(ascii: "]"), index <= lastPosition ?? index {
            var item = ContainerRange.Item(start: cursor.offset, triviaStart: triviaStart, colonEnd: cursor.offset)
            if let change = revision.changed[index] {
                remainingChanges -= 1
                let isLast = isLast && remainingChanges == 0 && order == nil
                edit(itemAt: index, change, context.entering(item, of: container, in: text), isLast: isLast)
                if isLast { return }
            } else {
                cursor.skipValue()
            }
            item.end = cursor.offset
            triviaStart = item.end
            if let order {
                item.isRemoved = order.isRemoved[index]
                inserted[container.items.count] = order.inserted[index]
                container.items.append(item)
            }
            index += 1
            cursor.skipSeparator()
            if positions.last.map({ $0 < index }) == true { skip(to: &positions, from: &index, &triviaStart) }
        }
        container.closeBracket = cursor.offset
        cursor.advance()
        if order != nil { editSites(of: container, inserted, context) }
    }

    // MARK: - Sites

    private mutating func editSites(
        of container: ContainerRange, _ inserted: [Int: [InsertedItem]], _ context: LayoutContext
    ) {
        let layout = inserted.isEmpty ? nil : ContainerLayout(of: container, context, in: text, limit: remainingBytes)
        var previous = -1
        for index in 0...container.items.count where remainingBytes >= 0 {
            if index < container.items.count, container.items[index].isRemoved { continue }
            let new = inserted[previous] ?? []
            if index > previous + 1 || !new.isEmpty {
                var site = EditSite(between: previous, and: index, of: container, in: text.bytes)
                if let layout, !new.isEmpty { site.insert(new, layout) }
                append(TextEdit(range: site.range, replacement: site.bytes))
            }
            previous = index
        }
    }
}

/// A replacement for a range of a text.
struct TextEdit {
    let range: Range<Int>
    let replacement: [UInt8]
}

extension Page where Element == UInt8 {
    /// Applies edits, which must be sorted and must not overlap, and returns a source that a scanner can read.
    func edited(by edits: [TextEdit]) -> Source {
        let count = edits.reduce(count) { $0 + $1.replacement.count - $1.range.count }
        return Source.make(count, extraCapacity: Source.padding) { start in
            var (to, from) = (start, 0)
            func append(_ bytes: UnsafeBufferPointer<UInt8>) {
                if let first = bytes.baseAddress { to.initialize(from: first, count: bytes.count) }
                to += bytes.count
            }
            for edit in edits {
                append(UnsafeBufferPointer(rebasing: bytes[from..<edit.range.lowerBound]))
                edit.replacement.withUnsafeBufferPointer(append)
                from = edit.range.upperBound
            }
            append(UnsafeBufferPointer(rebasing: bytes[from...]))
            to.initialize(repeating: 0, count: Source.padding)
        }
    }
}
