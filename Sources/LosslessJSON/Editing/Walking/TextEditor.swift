/// Makes the edits of a text that a revision of its value asks for, in one walk.
struct TextEditor {
    private let text: EditedText
    /// A change is made to the last of several members with one key, so an object is looked through before.
    private let hasRepeatedKeys: Bool
    private var walker: TextWalker
    private var edits: [TextEdit] = []

    /// The edits in the order of the text.
    static func edits(
        for revision: Revision, in bytes: UnsafeBufferPointer<UInt8>, hasRepeatedKeys: Bool
    ) -> [TextEdit] {
        var editor = TextEditor(bytes, hasRepeatedKeys)
        editor.walker.skipSpaceAndComments()
        editor.edit(revision, Surroundings(), isLast: !hasRepeatedKeys)
        // At one place, what comes before an item comes before the change of the item.
        return editor.edits.sorted {
            ($0.range.lowerBound, $0.range.upperBound) < ($1.range.lowerBound, $1.range.upperBound)
        }
    }

    private init(_ bytes: UnsafeBufferPointer<UInt8>, _ hasRepeatedKeys: Bool) {
        text = EditedText(bytes)
        self.hasRepeatedKeys = hasRepeatedKeys
        walker = TextWalker(bytes)
    }

    /// At a value: makes its edits and goes behind it, or, when they are the last ones, not that far.
    private mutating func edit(_ revision: Revision, _ surroundings: Surroundings, isLast: Bool) {
        switch revision {
        case .fresh(let value): replace(with: value, surroundings)
        case .object(let revision): edit(revision, surroundings, isLast: isLast)
        case .array(let revision): edit(revision, surroundings, isLast: isLast)
        }
    }

    private mutating func replace(with value: JSON, _ surroundings: Surroundings) {
        let start = walker.offset
        walker.skipValue()
        edits.append(
            TextEdit(range: start..<walker.offset, replacement: surroundings.print(value, at: start, in: text)))
    }

    // MARK: Objects

    private mutating func edit(_ revision: ObjectRevision, _ surroundings: Surroundings, isLast: Bool) {
        let table = KeyTable(revision)
        let lastPlaces = hasRepeatedKeys ? lastPlaces(of: table) : [:]
        var place = ContainerPlace(open: walker.offset, holdsMembers: true)
        var left = table.fates.count
        var gapStart = place.open + 1
        enterContainer()
        while walker.byte == UInt8(ascii: "\"") {
            let start = walker.offset
            let key = readKey(table)
            var item = ContainerPlace.Item(
                start: start, gapStart: gapStart, colonEnd: key.colonEnd, hasSpaceBeforeColon: key.hasSpaceBehind)
            switch key.number.map({ table.fates[$0] }) {
            case .changes(let change)? where lastPlaces[key.number!] ?? start == start:
                left -= 1
                let inner = surroundings.inside(place, at: item, in: text)
                let isLast = isLast && left == 0 && !revision.isStructural
                edit(change, inner, isLast: isLast)
                if isLast { return }
            case .goes?:
                item.isRemoved = true
                walker.skipValue()
            default: walker.skipValue()
            }
            item.end = walker.offset
            gapStart = item.end
            if revision.isStructural { place.items.append(item) }
            walker.skipSeparator()
        }
        place.close = walker.offset
        walker.advance()
        guard revision.isStructural else { return }
        var new: [NewItem] = []
        revision.added.forEachMember { new.append(NewItem(key: copy $0, value: copy $1)) }
        let last = place.items.lastIndex { !$0.isRemoved } ?? -1
        editSpots(of: place, new.isEmpty ? [:] : [last: new], surroundings)
    }

    private mutating func enterContainer() {
        walker.advance()
        walker.skipSpaceAndComments()
    }

    /// From a key to its value; gives the number of the key in a table, and what is to be known of the colon.
    private mutating func readKey(_ table: KeyTable) -> (number: Int?, hasSpaceBehind: Bool, colonEnd: Int) {
        let contents = walker.skipString()
        let keyEnd = walker.offset
        walker.skipSpaceAndComments()
        let hasSpaceBehind = walker.offset == keyEnd + 1
        walker.advance()  // the colon
        let colonEnd = walker.offset
        walker.skipSpaceAndComments()
        let number = table.number(of: UnsafeBufferPointer(rebasing: walker.bytes[contents]))
        return (number, hasSpaceBehind, colonEnd)
    }

    /// Where the last members with the keys of a table begin, by their numbers.
    private func lastPlaces(of table: KeyTable) -> [Int: Int] {
        var ahead = self
        var places: [Int: Int] = [:]
        ahead.enterContainer()
        while ahead.walker.byte == UInt8(ascii: "\"") {
            let start = ahead.walker.offset
            if let number = ahead.readKey(table).number { places[number] = start }
            ahead.walker.skipValue()
            ahead.walker.skipSeparator()
        }
        return places
    }

    // MARK: Arrays

    private mutating func edit(_ revision: ArrayRevision, _ surroundings: Surroundings, isLast: Bool) {
        let order = revision.newOrder.map { ElementOrder($0, of: revision.original.count) }
        var place = ContainerPlace(open: walker.offset, holdsMembers: false)
        var left = revision.changed.count
        var index = 0
        var gapStart = place.open + 1
        enterContainer()
        while walker.byte != UInt8(ascii: "]") {
            var item = ContainerPlace.Item(start: walker.offset, gapStart: gapStart, colonEnd: walker.offset)
            if let change = revision.changed[index] {
                left -= 1
                let isLast = isLast && left == 0 && order == nil
                edit(change, surroundings.inside(place, at: item, in: text), isLast: isLast)
                if isLast { return }
            } else {
                walker.skipValue()
            }
            item.end = walker.offset
            gapStart = item.end
            item.isRemoved = order?.isRemoved[index] ?? false
            if order != nil { place.items.append(item) }
            index += 1
            walker.skipSeparator()
        }
        place.close = walker.offset
        walker.advance()
        if let order { editSpots(of: place, order.inserted, surroundings) }
    }

    // MARK: What stands between items

    private mutating func editSpots(
        of place: ContainerPlace, _ inserted: [Int: [NewItem]], _ surroundings: Surroundings
    ) {
        let layout = inserted.isEmpty ? nil : ContainerLayout(of: place, surroundings, in: text)
        var left = -1
        for index in 0...place.items.count {
            if index < place.items.count, place.items[index].isRemoved { continue }
            let new = inserted[left] ?? []
            if index > left + 1 || !new.isEmpty {
                var spot = Spot(between: left, and: index, of: place, in: text.bytes)
                if let layout, !new.isEmpty { spot.insert(new, layout) }
                edits.append(TextEdit(range: spot.range, replacement: spot.bytes))
            }
            left = index
        }
    }
}

/// The new order of an array's elements, as the text needs it.
private struct ElementOrder {
    /// By the index that an element had.
    private(set) var isRemoved: [Bool]
    /// By the index that the element before had; −1 at the beginning.
    private(set) var inserted: [Int: [NewItem]] = [:]

    init(_ elements: [ArrayRevision.Element], of count: Int) {
        isRemoved = Array(repeating: true, count: count)
        var last = -1
        for element in elements {
            switch element {
            case .original(let index):
                isRemoved[index] = false
                last = index
            case .inserted(let value): inserted[last, default: []].append(NewItem(key: nil, value: value))
            }
        }
    }
}
