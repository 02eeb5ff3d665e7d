import DurableFiles
import Glibc
import ManualTiming

/// Measures replacements of one file size, alternating between all methods.
struct Measurement {
    let title: String
    let bytes: Int
    let rounds: Int

    func run(into results: inout Results) throws {
        let folder = TemporaryFolder()
        let minimal = MinimalReplacement(path: "\(folder.path)/least.json")
        let ours = DurableFile("\(folder.path)/ours.json")
        var times = Array(repeating: Times(), count: 4)
        let limit = bytes
        for round in 0..<rounds {
            // Different contents each time.
            let contents = [UInt8](repeating: UInt8(round % 26) + 97, count: bytes)
            times[0].add(try time { try ours.replace(limit: limit) { _ in contents } })
            times[1].add(time { minimal.replace(with: contents, waits: true) })
            times[2].add(try time { try ours.replace(limit: limit, options: .fast) { _ in contents } })
            times[3].add(time { minimal.replace(with: contents, waits: false) })
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
