/// What decoding records about the keys that a type asks for.
///
/// Decoding a second time to find the unknown keys and their suggestions is simpler and cheaper than recording names
/// each time, as most values have no unknown key.
///
/// A struct because copying an enum with these cases takes more time, also where nothing is recorded.
struct KeyTracking {
    /// Whether to record which members a type asks for: one bit each, to find out whether any key is unknown.
    let isDetecting: Bool
    /// Records all names that a type asks for.
    let trace: KeyTrace?

    static var off: KeyTracking { KeyTracking(isDetecting: false, trace: nil) }
    static var detecting: KeyTracking { KeyTracking(isDetecting: true, trace: nil) }
    static func tracing(_ trace: KeyTrace) -> KeyTracking { KeyTracking(isDetecting: false, trace: trace) }

    /// The tracking of a member or an element.
    @inline(__always)
    func child(_ token: @autoclosure () -> String) -> KeyTracking {
        trace.map { .tracing($0.child(token())) } ?? self
    }

    /// Marks all keys of a value as known, but not those inside its members.
    ///
    /// - Parameter decoder: The decoder of the same value, if there is one.
    func markAllKeys(_ decoder: TreeDecoder?) {
        decoder?.markAllMembers()
        trace?.takesAllKeys = true
    }

    /// Marks all keys in a value as known.
    ///
    /// - Parameter decoder: The decoder of the same value, if there is one.
    func markValue(_ decoder: TreeDecoder?) {
        decoder?.markAllMembers()
        trace?.takesValue = true
    }
}

/// The members of an object that a type asks for, by position.
struct AskedMembers {
    /// Whether the type asks for members at all.
    var isKeyed = false
    var containAll = false
    private var first: UInt64 = 0
    /// Positions from 64. Empty until one of them is asked for.
    private var others: [UInt64] = []

    @inline(__always)
    mutating func insert(_ position: Int, of members: JSONObject) {
        if position < 64 {
            first |= 1 &<< UInt64(position)
        } else {
            insertOther(position - 64, count: members.positionCount - 64)
        }
    }

    @inline(never)
    private mutating func insertOther(_ position: Int, count: Int) {
        if others.isEmpty { others = Array(repeating: 0, count: (count + 63) / 64) }
        others[position / 64] |= 1 &<< UInt64(position % 64)
    }

    private func contains(_ position: Int) -> Bool {
        if position < 64 { return first >> UInt64(position) & 1 == 1 }
        return others.isEmpty ? false : others[position / 64 - 1] >> UInt64(position % 64) & 1 == 1
    }

    /// Whether a type that asks for members leaves some of them out, apart from those with exempt names.
    func lackAny(of members: JSONObject, except exemptNames: Set<String>) -> Bool {
        guard isKeyed && !containAll else { return false }
        let lacking = members.count - others.reduce(first.nonzeroBitCount) { $0 + $1.nonzeroBitCount }
        if lacking == 0 || lacking > exemptNames.count { return lacking > 0 }
        return exemptNames.count { name in members.located(name).map { !contains($0.position) } ?? false } < lacking
    }
}
