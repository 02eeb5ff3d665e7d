import BenchmarkData
import BenchmarkHarness
import Foundation
import LosslessJSON

/// Coding of a typical root, from and to JSON values and text.
enum CodingBenchmarks {
    private static let root = TypicalRoot()
    private static let json = LazyValue { try! JSONValueEncoder().encode(root) }
    private static let text = LazyValue { JSONPrinter().bytes(json()) }

    static func add() {
        addDecoding()
        addEncoding()
    }

    private static func addDecoding() {
        Benchmark.add("decode/typical root/value") { run in
            let json = json()
            run.measure { try! JSONValueDecoder().decode(TypicalRoot.self, from: json) }
        }
        Benchmark.add("decode/typical root/value with defaults") { run in
            let json = json()
            run.measure { try! JSONValueDecoder().decode(TypicalRoot.self, from: json, defaults: json) }
        }
        Benchmark.add("decode/typical root/bytes") { run in
            let text = text()
            run.measure { try! JSONDocument(parsing: text).decode(TypicalRoot.self) }
            run.bytesPerIteration(text.count)
        }
        Benchmark.add("decode/typical root/bytes", by: "JSONDecoder") { run in
            let data = Data(text())
            let decoder = JSONDecoder()
            run.measure { try! decoder.decode(TypicalRoot.self, from: data) }
            run.bytesPerIteration(data.count)
        }
    }

    private static func addEncoding() {
        Benchmark.add("encode/typical root/value") { run in
            let root = root
            run.measure { try! JSONValueEncoder().encode(root) }
        }
        Benchmark.add("encode/typical root/value with defaults") { run in
            let (root, defaults) = (root, json())
            run.measure { try! JSONValueEncoder().encode(root, defaults: defaults) }
        }
        Benchmark.add("encode/typical root/bytes") { run in
            let root = root
            run.measure { JSONPrinter().bytes(try! JSONValueEncoder().encode(root)) }
        }
        Benchmark.add("encode/typical root/bytes", by: "JSONEncoder") { run in
            let root = root
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.prettyPrinted, .withoutEscapingSlashes]
            run.measure { try! encoder.encode(root) }
        }
    }
}
