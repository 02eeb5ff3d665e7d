/// Arrays are decoded without the help of their own `Decodable`, which would ask for one element after the other through
/// three layers of types that are only known while the program runs.
protocol ArrayDecoding {
    init(_ run: DecodingRun, _ place: DecodingPlace) throws
}

extension Array: ArrayDecoding where Element: Decodable {
    init(_ run: DecodingRun, _ place: DecodingPlace) throws {
        guard let elements = place.value.array else { throw ScalarDecoding.mismatch("an array", [Any].self, place) }
        if let scalars = Self.fitting(elements) {
            self = scalars
            return
        }
        self.init()
        reserveCapacity(elements.count)
        for (index, value) in elements.enumerated() {
            append(try run.decode(Element.self, DecodingPlace(value, path: CodingPath(place.path, PathKey(index)))))
        }
    }

    /// The elements as scalars of the most common types; nil when one is something else, or for other types.
    private static func fitting(_ elements: JSONArray) -> [Element]? {
        if Element.self == String.self { return same(ScalarDecoding.all(elements) { $0.string }) }
        if Element.self == Int.self { return same(ScalarDecoding.all(elements) { $0.int }) }
        if Element.self == Double.self { return same(ScalarDecoding.all(elements) { $0.double }) }
        return nil
    }

    /// The two types are the same: the caller has compared them.
    private static func same<Scalar>(_ scalars: [Scalar]?) -> [Element]? {
        precondition(Scalar.self == Element.self, "one type under two names")
        return unsafeBitCast(scalars, to: [Element]?.self)
    }
}
