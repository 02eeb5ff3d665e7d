import DurableFiles
import Glibc
import ManualTiming

/// Measures replacements of one file size, alternating between all methods. Each of them begins equally often.
struct Measurement {
    let title: String
    let bytes: Int
    let rounds: Int

    func run(into results: inout Results) throws {
        let folder = TemporaryFolder()
        let minimal = MinimalReplacement(path: "\(folder.path)/least.json")
        let ours = DurableFile("\(folder.path)/ours.json")
        let limit = bytes
        let methods: [([UInt8]) throws -> Void] = [
            { bytes in _ = try ours.replace(limit: limit) { _ in bytes } },
            { bytes in minimal.replace(with: bytes, waits: true) },
            { bytes in _ = try ours.replace(limit: limit, options: .fast) { _ in bytes } },
            { bytes in minimal.replace(with: bytes, waits: false) },
        ]
        var times = methods.map { _ in Times() }
        for round in 0..<rounds {
            // Different contents each time.
            let contents = [UInt8](repeating: UInt8(round % 26) + 97, count: bytes)
            for index in methods.indices.rotated(by: round) {
                times[index].add(try time { try methods[index](contents) })
            }
            // Pending writes must not slow down the next measurement.
            sync()
        }
        results.add("replace/\(title)/durable", times[0])
        results.add("replace/\(title)/durable", by: "bare minimum", times[1])
        results.add("replace/\(title)/fast", times[2])
        results.add("replace/\(title)/fast", by: "bare minimum", times[3])
    }

    private func time(_ work: () throws -> some Any) rethrows -> Int {
        let begin = now()
        _ = try work()
        return now() - begin
    }
}
