/// Where a container and its items stand in a text.
struct ContainerPlace {
    /// An item: a member with its key, or an element.
    struct Item {
        let start: Int
        /// Behind the item before, or the bracket.
        let gapStart: Int
        /// Behind the colon of a member; the beginning of an element.
        let colonEnd: Int
        var hasSpaceBeforeColon = false
        var end = 0
        var isRemoved = false
    }

    /// The opening bracket.
    let open: Int
    /// Of an object; an array holds elements.
    let holdsMembers: Bool
    /// The closing one.
    var close = 0
    var items: [Item] = []

    init(open: Int, holdsMembers: Bool) { (self.open, self.holdsMembers) = (open, holdsMembers) }

    /// What stands before an item, or, for the number of items, behind the last one.
    func gap(_ index: Int, in bytes: UnsafeBufferPointer<UInt8>) -> Gap {
        let start = index == 0 ? open + 1 : items[index - 1].end
        let end = index == items.count ? close : items[index].start
        return Gap(start..<end, in: bytes, hasItemBefore: index > 0, hasItemBehind: index < items.count)
    }
}
