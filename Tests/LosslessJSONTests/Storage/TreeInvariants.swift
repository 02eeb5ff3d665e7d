@testable import LosslessJSON

/// Invariants of a tree's storage: each `fault` checks everything and describes a violation, or returns nil.
extension PagedVector {
    var fault: String? {
        var seen = 0
        func walk(_ node: Node, _ height: Int, isLast: Bool) -> String? {
            switch node {
            case .leaf(let page):
                guard height == 0 else { return "a leaf at height \(height)" }
                seen += page.count
                let isFull = page.count == Self.width || isLast && (1..<Self.width).contains(page.count)
                return isFull ? nil : "a leaf of \(page.count) elements, last: \(isLast)"
            case .branch(let page):
                guard height > 0 else { return "a branch where leaves are" }
                let isFull = page.count == Self.width || isLast && (1..<Self.width).contains(page.count)
                guard isFull else { return "a branch of \(page.count) nodes, last: \(isLast)" }
                for slot in 0..<page.count {
                    let fault = walk(page.elements[slot], height - 1, isLast: isLast && slot == page.count - 1)
                    if let fault { return fault }
                }
                return nil
            }
        }
        if let fault = walk(root, height, isLast: true) { return fault }
        if seen != count { return "\(seen) elements, counted as \(count)" }
        if case .branch(let page) = root, page.count < 2 { return "a root of one branch" }
        return nil
    }
}

extension HashIndex {
    /// All pairs, unordered.
    var pairs: [UInt64] {
        switch self {
        case .leaf(let page): (0..<page.count).map { page.elements[$0] }
        case .branch(let page): (0..<page.count).flatMap { page.elements[$0].pairs }
        }
    }

    var fault: String? { fault(prefix: 0, shift: HashIndex.topShift) }

    private func fault(prefix: UInt64, shift: UInt64) -> String? {
        let mayBranch = shift >= HashIndex.lowestShift
        switch self {
        case .leaf(let page):
            if page.count > HashIndex.capacity && mayBranch { return "a leaf of \(page.count) pairs at \(shift)" }
            let above = shift + HashIndex.bits
            let misplaced = pairs.filter { above < 64 && $0 >> above != prefix }
            return misplaced.isEmpty ? nil : "pairs that belong elsewhere: \(misplaced)"
        case .branch(let page):
            guard page.count == HashIndex.ways && mayBranch else { return "a branch of \(page.count) at \(shift)" }
            for slot in 0..<HashIndex.ways {
                let below = prefix << HashIndex.bits | UInt64(slot)
                if let fault = page.elements[slot].fault(prefix: below, shift: shift - HashIndex.bits) { return fault }
            }
            return nil
        }
    }
}

extension JSONObject {
    var fault: String? {
        let all = (0..<positionCount).map { member(at: $0)! }
        let live = all.indices.filter { all[$0].value != nil }
        if live.count != count { return "\(live.count) members, counted as \(count)" }
        if Set(live.map { ByteKey(all[$0].key) }).count != count { return "a repeated key" }
        if let key = all.first(where: { !$0.key.isKey })?.key { return "a key stored as \(key)" }
        switch form {
        case .small:
            if positionCount > JSONObject.smallLimit { return "\(positionCount) members on one page" }
            return live.count == positionCount ? nil : "a tombstone in a small object"
        case .large(let large):
            if let fault = large.members.fault ?? large.index.fault { return fault }
            let fewest = Swift.max(JSONObject.smallLimit, positionCount) / 2 + 1
            if count < fewest { return "\(count) members in \(positionCount) positions" }
            let expected = live.map { HashIndex.pair(TextHash.of(all[$0].key), $0) }
            return large.index.pairs.sorted() == expected.sorted()
                ? nil : "the index and the members have different positions"
        }
    }
}

extension JSONArray {
    var fault: String? {
        switch form {
        case .small(let page): page.count <= JSONArray.smallLimit ? nil : "\(page.count) elements on one page"
        case .large(let large):
            count > JSONArray.smallLimit ? large.elements.fault : "a large array of \(count) elements"
        }
    }
}

extension JSON {
    /// The first violation anywhere in the tree.
    var fault: String? {
        switch self {
        case .array(let array): array.fault ?? array.lazy.compactMap(\.fault).first
        case .object(let object): object.fault ?? object.lazy.compactMap(\.value.fault).first
        default: nil
        }
    }
}

extension Text {
    /// Keys are never stored with escapes, and short ones always inline.
    fileprivate var isKey: Bool {
        switch self {
        case .short(let short): short.count <= ShortText.limit
        case .slice(let slice): slice.count > ShortText.limit
        case .escaped: false
        }
    }
}
