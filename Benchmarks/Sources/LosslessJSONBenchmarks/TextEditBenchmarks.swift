import BenchmarkData
import BenchmarkHarness
import LosslessJSON

/// Changing one value in the middle of a text, compared with a copy of the text, the lower bound, and with a fresh
/// parse.
enum TextEditBenchmarks {
    static func add() {
        for size in Documents.Size.allCases {
            let edited = LazyValue { EditedVersion(size) }
            Benchmark.add("edit/one value/\(size.rawValue)") { run in
                let edited = edited()
                run.measure { try! edited.document.applying([edited.change]) }
                run.bytesPerIteration(edited.text.count)
            }
            Benchmark.add("edit/one value/\(size.rawValue)", by: "copy of the text") { run in
                let edited = edited()
                run.measure {
                    Array(unsafeUninitializedCapacity: edited.text.count) { buffer, count in
                        count = edited.text.count
                        _ = buffer.initialize(from: edited.text)
                    }
                }
                run.bytesPerIteration(edited.text.count)
            }
            Benchmark.add("edit/one value/\(size.rawValue)", by: "fresh parse") { run in
                let edited = edited()
                run.measure { try! JSONDocument(parsing: edited.text) }
                run.bytesPerIteration(edited.text.count)
            }
        }
    }
}

/// A document and a change of one number in its middle.
private struct EditedVersion {
    let document: JSONDocument
    let text: [UInt8]
    let change: JSONChange

    init(_ size: Documents.Size) {
        let versions = DocumentVersions(size)
        document = versions.base
        text = versions.base.bytes
        change = versions.reparsed.value.difference(from: versions.base.value)[0]
    }
}
