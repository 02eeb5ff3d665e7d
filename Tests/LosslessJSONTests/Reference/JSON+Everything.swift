import LosslessJSON

extension JSON {
    /// The values inside this one with their paths, in breadth-first order, at most `limit`.
    func everything(atMost limit: Int) -> [(path: JSONPointer, value: JSON)] {
        var found: [(path: JSONPointer, value: JSON)] = [(JSONPointer(), self)]
        var next = 0
        while next < found.count, found.count < limit {
            let (path, value) = found[next]
            next += 1
            for (index, element) in (value.array ?? []).enumerated() { found.append((path.appending(index), element)) }
            for (key, member) in value.object ?? [:] { found.append((path.appending(key), member)) }
        }
        return Array(found.prefix(limit))
    }
}
