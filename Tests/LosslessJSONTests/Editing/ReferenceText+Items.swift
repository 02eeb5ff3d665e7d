import LosslessJSON

extension ReferenceText {
    /// Whether every member and element that a change does not affect keeps its exact bytes, on all levels down to
    /// the location of the change.
    func keepsOtherItems(of before: ReferenceText, changing change: JSONChange) -> Bool {
        var (mine, theirs) = (firstValue, before.firstValue)
        for (depth, name) in change.path.tokens.enumerated() {
            var (now, then) = (items(of: mine), before.items(of: theirs))
            let kind = depth == change.path.tokens.count - 1 ? change.kind : .changed
            if kind != .added {
                let places = then.indices.filter { before.isItem(then[$0], $0, name) }
                theirs = then[places.last!].value.lowerBound
                for place in (kind == .removed ? places : [places.last!]).reversed() { then.remove(at: place) }
            }
            if kind != .removed {
                let place = now.indices.last { isItem(now[$0], $0, name) }!
                mine = now[place].value.lowerBound
                now.remove(at: place)
            }
            guard now.map(bytes(of:)) == then.map(before.bytes(of:)) else { return false }
        }
        return true
    }

    private func bytes(of item: Item) -> ArraySlice<UInt8> {
        bytes[tokens[item.tokens.lowerBound].range.lowerBound..<tokens[item.tokens.upperBound - 1].range.upperBound]
    }
}
