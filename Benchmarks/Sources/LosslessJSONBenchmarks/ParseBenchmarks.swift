import BenchmarkHarness
import Foundation
import LosslessJSON

/// From bytes to a tree, the release of the tree included.
enum ParseBenchmarks {
    static func add() {
        for shape in Documents.Shape.allCases {
            for size in Documents.Size.allCases { add(shape, size) }
        }
        for size in Documents.Size.allCases {
            Benchmark.add("parse/mixed/\(size.rawValue)", by: "JSONDecoder") { run in
                let data = Data(Documents.bytes(.mixed, size))
                let decoder = JSONDecoder()
                run.measure { try! decoder.decode(Answer.self, from: data) }
                run.bytesPerIteration(data.count)
            }
        }
        for (keys, count, prepared) in KeyedObject.all where count == 100_000 {
            add("parse/\(count) \(keys.rawValue)") { prepared().text }
        }
        // Nothing takes more memory beside its text than containers of one small value.
        add("parse/smallest containers/1MB") { Array("[\(String(repeating: "[0],", count: 262_143))[0]]".utf8) }
    }

    private static func add(_ shape: Documents.Shape, _ size: Documents.Size) {
        // Ten times as much text that lies deep costs JSONSerialization a hundred times the time: minutes.
        let isEndless = shape == .deep && size == .tenMegabytes
        add("parse/\(shape)/\(size.rawValue)", besideFoundation: !isEndless) { Documents.bytes(shape, size) }
    }

    private static func add(
        _ title: String, besideFoundation: Bool = true, _ bytes: @escaping @Sendable () -> [UInt8]
    ) {
        let scalars = Prepared { try! JSONDocument(parsing: bytes()).value.scalars }
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
    /// How many values there are that hold no others.
    fileprivate var scalars: Int {
        switch self {
        case .array(let array): array.reduce(0) { $0 + $1.scalars }
        case .object(let object): object.reduce(0) { $0 + $1.value.scalars }
        default: 1
        }
    }
}
