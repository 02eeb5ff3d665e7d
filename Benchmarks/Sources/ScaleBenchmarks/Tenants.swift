import LosslessJSON

/// A struct that takes about 130 bytes in a file.
protocol TenantValue: Codable, Sendable {
    var host: String { get set }
    var port: Int { get set }
    var isEnabled: Bool { get set }
    var weight: Double { get set }

    init(number: Int)
}

extension TenantValue {
    /// Changes each of the values.
    mutating func change() {
        host = String(host.reversed())
        port += 1
        isEnabled.toggle()
        weight += 0.5
    }
}

struct Tenant: TenantValue, BytewiseEquatable {
    var host: String
    var port = 8_000
    var isEnabled = true
    var weight = 0.5

    init(number: Int) { host = "node-\(number).example.org" }
}

/// The same, except that it does not say that it may be compared by its bytes.
struct UnmarkedTenant: TenantValue {
    var host: String
    var port = 8_000
    var isEnabled = true
    var weight = 0.5

    init(number: Int) { host = "node-\(number).example.org" }
}

/// A root with many structs, of which one in the middle changes.
protocol TenantRoot: Codable, Sendable {
    init(_ count: Int)

    var count: Int { get }
    var changedPort: Int? { get }
    mutating func changeOne()

    /// Changes all values of the structs with these numbers.
    mutating func changeStructs(_ numbers: some Sequence<Int>)

    /// Inserts a struct, or removes it again.
    mutating func insertOrRemoveOne()
}

extension TenantRoot {
    /// Changes all values of one in so many structs, the middle one among them.
    mutating func changeStructs(oneIn step: Int) {
        changeStructs(stride(from: count / 2 % step, to: count, by: step))
    }

    /// Changes all values of a tenth of the structs, from the middle one on.
    mutating func changeTenthInRow() { changeStructs(count / 2..<count / 2 + count / 10) }
}

/// Structs by their keys. Their number is even, so that the middle stays the same if one more is there.
struct TenantDictionary<Value: TenantValue>: TenantRoot {
    private var tenants: [String: Value] = [:]

    init(_ count: Int) {
        for number in 0..<count { tenants[Self.key(number)] = Value(number: number) }
    }

    private static func key(_ number: Int) -> String { "tenant-\(1_000_000 + number)" }

    private var middle: String { Self.key(count / 2) }

    var count: Int { tenants.count }

    var changedPort: Int? { tenants[middle]?.port }

    mutating func changeOne() { tenants[middle]!.port += 1 }

    mutating func changeStructs(_ numbers: some Sequence<Int>) {
        for number in numbers { tenants[Self.key(number)]?.change() }
    }

    mutating func insertOrRemoveOne() {
        let key = "\(middle)-new"
        if tenants.removeValue(forKey: key) == nil { tenants[key] = Value(number: 0) }
    }
}

/// The same structs without keys.
struct TenantArray<Value: TenantValue>: TenantRoot {
    private var tenants: [Value]
    private var hasOneMore = false

    private enum CodingKeys: CodingKey { case tenants }

    init(_ count: Int) { tenants = (0..<count).map(Value.init) }

    private var middle: Int { count / 2 }

    var count: Int { tenants.count }

    var changedPort: Int? { tenants.isEmpty ? nil : tenants[middle].port }

    mutating func changeOne() { tenants[middle].port += 1 }

    mutating func changeStructs(_ numbers: some Sequence<Int>) {
        for number in numbers { tenants[number].change() }
    }

    mutating func insertOrRemoveOne() {
        if hasOneMore { tenants.remove(at: middle) } else { tenants.insert(Value(number: 0), at: middle) }
        hasOneMore.toggle()
    }
}
