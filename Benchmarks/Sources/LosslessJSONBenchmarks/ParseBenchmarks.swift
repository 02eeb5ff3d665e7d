import BenchmarkData
import BenchmarkHarness
import Foundation
import LosslessJSON

/// Parsing of bytes to a tree, including the release of the tree.
enum ParseBenchmarks {
    static func add() {
        for shape in Documents.Shape.allCases {
            for size in Documents.Size.allCases { add(shape, size) }
        }
        for size in Documents.Size.allCases {
            Benchmark.add("parse/mixed/\(size.rawValue)", by: "JSONDecoder") { run in
                let data = Data(Documents.bytes(.mixed, size))
                let decoder = JSONDecoder()
                run.measure { try! decoder.decode(AccountsResponse.self, from: data) }
                run.bytesPerIteration(data.count)
            }
        }
        for (keys, count, prepared) in KeyedObject.all where count == 100_000 {
            add("parse/\(count) \(keys.rawValue)") { prepared().text }
        }
        // Containers with one small value have the largest ratio of memory to text.
        add("parse/smallest containers/1MB") { Array("[\(String(repeating: "[0],", count: 262_143))[0]]".utf8) }
    }

    private static func add(_ shape: Documents.Shape, _ size: Documents.Size) {
        // JSONSerialization needs minutes: its time grows quadratically for deeply nested text.
        let isTooSlow = shape == .deep && size == .tenMegabytes
        add("parse/\(shape)/\(size.rawValue)", besideFoundation: !isTooSlow) { Documents.bytes(shape, size) }
    }

    private static func add(
        _ title: String, besideFoundation: Bool = true, _ bytes: @escaping @Sendable () -> [UInt8]
    ) {
        let scalars = LazyValue { try! JSONDocument(parsing: bytes()).value.scalars }
        Benchmark.add(title) { run in
            let bytes = bytes()
            run.measure { try! JSONDocument(parsing: bytes) }
            run.bytesPerIteration(bytes.count)
            run.report("scalars", scalars())
        }
        guard besideFoundation else { return }
        Benchmark.add(title, by: "JSONSerialization") { run in
            let data = Data(bytes())
            run.measure { try! JSONSerialization.jsonObject(with: data) }
            run.bytesPerIteration(data.count)
        }
    }
}

extension JSON {
    /// The number of values that are not containers.
    fileprivate var scalars: Int {
        switch self {
        case .array(let array): array.reduce(0) { $0 + $1.scalars }
        case .object(let object): object.reduce(0) { $0 + $1.value.scalars }
        default: 1
        }
    }
}
