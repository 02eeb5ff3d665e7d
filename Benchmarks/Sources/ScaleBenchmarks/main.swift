// Measures how costs grow: with the size of a file, the number of keys, subscribers, sessions and threads. Prints the
// results in the format of Google Benchmark; `axis` and `size` of a case say what has grown, and to which number.
//
//     ScaleBenchmarks [--short]
import ManualTiming

let arguments = CommandLine.arguments.dropFirst()
guard arguments.isEmpty || Array(arguments) == ["--short"] else { fail("usage: ScaleBenchmarks [--short]") }
let isShort = !arguments.isEmpty

/// Powers of ten.
func sizes(from first: Int, to last: Int, short shortLast: Int) -> [Int] {
    let limit = isShort ? shortLast : last
    return Array(sequence(first: first) { $0 < limit ? $0 * 10 : nil })
}

var growth = Growth(isShort: isShort)
for bytes in sizes(from: 1_000, to: 100_000_000, short: 1_000_000) { try FileGrowth(bytes).run(into: &growth) }
for count in sizes(from: 10, to: 100_000, short: 1_000) {
    let root = RootGrowth<TenantDictionary<Tenant>>(count)
    try root.measureCoding(into: &growth)
    try root.measureReloading("reload typed root", into: &growth)
    try root.measureSaving("save typed root", into: &growth)
    try RootGrowth<TenantDictionary<UnmarkedTenant>>(count).measureSaving("save unmarked root", into: &growth)
    let array = RootGrowth<TenantArray<Tenant>>(count)
    try array.measureReloading("reload typed array", into: &growth)
    try array.measureSaving("save typed array", into: &growth)
    try RootGrowth<TenantArray<UnmarkedTenant>>(count).measureSaving("save unmarked array", into: &growth)
}
for keys in sizes(from: 10, to: 1_000_000, short: 10_000) { try ObjectGrowth(keys).run(into: &growth) }
for subscribers in sizes(from: 1, to: 10_000, short: 1_000) {
    try SubscriberGrowth(subscribers: subscribers).run(into: &growth)
}
for sessions in sizes(from: 1, to: 10_000, short: 1_000) { try SessionGrowth(sessions).run(into: &growth) }
for threads in [1, 2, 4, 16, 100, 1_000, 10_000] where !isShort || threads <= 100 {
    try ThreadGrowth(threads: threads, milliseconds: isShort ? 10 : 50).run(into: &growth)
}
try growth.results.print()
