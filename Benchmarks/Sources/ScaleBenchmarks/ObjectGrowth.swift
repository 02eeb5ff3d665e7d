import LosslessJSON

/// Measures an object of one number of keys, beside a `Dictionary`: lookups, and replacing or inserting a value while the
/// previous version stays alive; and merging two versions of it.
struct ObjectGrowth {
    private let size: Size
    private let object: JSON
    private let dictionary: [String: Int]
    /// 1,024 keys that the object has, in random order.
    private let keys: [String]
    /// As many keys that it does not have.
    private let newKeys: [String]

    init(_ keys: Int) {
        size = Size(keys, .keys)
        let names = (0..<keys).map { "panel_\($0)" }
        object = .object(JSONObject(names.enumerated().map { ($1, JSON($0)) }))
        dictionary = Dictionary(uniqueKeysWithValues: zip(names, 0...))
        newKeys = (0..<1_024).map { "new_panel_\($0)" }
        // The same in every run; the increment makes the generator's sequence long.
        var number: UInt64 = 7
        self.keys = (0..<1_024).map { _ in
            number = number &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return names[Int((number >> 33) % UInt64(keys))]
        }
    }

    func run(into growth: inout Growth) throws {
        try growth.measure(
            "lookup", size,
            [
                .init("ours") {
                    each(of: keys[...]) { if object[$0] == nil { preconditionFailure("a key is missing") } }
                },
                .init("Dictionary") {
                    each(of: keys[...]) { if dictionary[$0] == nil { preconditionFailure("a key is missing") } }
                },
            ])
        try measureSetting("replace", keys, into: &growth)
        try measureSetting("insert", newKeys, into: &growth)
        try growth.measure("merge", size, [merge()])
    }

    private func measureSetting(_ operation: String, _ keys: [String], into growth: inout Growth) throws {
        // A dictionary is copied as a whole.
        let copies = max(1, min(keys.count, 1_000_000 / size.number))
        try growth.measure(
            operation, size,
            [
                .init("ours") {
                    each(of: keys[...]) { key in
                        var edited = object
                        edited[key] = -1
                        withExtendedLifetime(edited) {}
                    }
                },
                .init("Dictionary") {
                    each(of: keys.prefix(copies)) { key in
                        var edited = dictionary
                        edited[key] = -1
                        withExtendedLifetime(edited) {}
                    }
                },
            ])
    }

    /// Merges two versions that differ from the object in one value each.
    private func merge() -> Growth.Implementation {
        let changed = [keys[0], keys.first { $0 != keys[0] } ?? keys[0]].map { key in
            var edited = object
            edited[key] = -1
            return edited
        }
        return .init("ours") { time { JSON.merge(base: object, ours: changed[0], theirs: changed[1]) } }
    }

    /// The time for one key.
    @inline(__always)
    private func each(of keys: ArraySlice<String>, _ work: (String) -> Void) -> Double {
        time { for key in keys { work(key) } } / Double(keys.count)
    }
}
