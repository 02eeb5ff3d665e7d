import Glibc
import ManualTiming
import ObjectStore

/// Measures saving and loading of objects of one size, alternating between all implementations.
struct ObjectMeasurement {
    let title: String
    let bytes: Int
    let rounds: Int

    func run(into results: inout Results) throws {
        let folder = TemporaryFolder()
        let stores = (
            durable: ObjectStore(in: folder.path(of: "durable")),
            fast: ObjectStore(in: folder.path(of: "fast"), durability: .fast)
        )
        let files = PlainFiles(folder: try folder.newFolder("files"))
        let databases = (
            durable: Database(at: folder.path(of: "durable.sqlite"), isDurable: true),
            fast: Database(at: folder.path(of: "fast.sqlite"), isDurable: false)
        )
        let implementations: [(title: String, name: String, save: (Portrait) throws -> Void)] = [
            ("save/\(title)/durable", "ours", { try stores.durable.saveBlocking($0, as: "portrait") }),
            ("save/\(title)/durable", "SQLite", { try databases.durable.save($0, as: "portrait") }),
            ("save/\(title)/fast", "ours", { try stores.fast.saveBlocking($0, as: "portrait") }),
            ("save/\(title)/fast", "SQLite", { try databases.fast.save($0, as: "portrait") }),
            ("save/\(title)/fast", "JSONEncoder, atomic write", { try files.save($0, as: "portrait") }),
        ]
        let readers: [(name: String, load: () throws -> Portrait?)] = [
            ("ours", { try stores.fast.load(Portrait.self, "portrait") }),
            ("SQLite", { try databases.fast.load("portrait") }),
            ("JSONDecoder", { try files.load("portrait") }),
        ]
        var portrait = Portrait(bytes: bytes)
        var saves = Array(repeating: Times(), count: implementations.count)
        var loads = Array(repeating: Times(), count: readers.count)
        for round in 0..<rounds {
            portrait.version = round
            for (number, implementation) in implementations.enumerated() {
                saves[number].add(try time { try implementation.save(portrait) })
            }
            for (number, reader) in readers.enumerated() {
                let (time, loaded) = try timed(reader.load)
                if loaded?.version != round { fail("\(reader.name) has loaded another version") }
                loads[number].add(time)
            }
            // Pending writes must not slow down the next measurement.
            sync()
        }
        for (implementation, times) in zip(implementations, saves) {
            results.add(implementation.title, by: implementation.name, times)
        }
        for (reader, times) in zip(readers, loads) { results.add("load/\(title)", by: reader.name, times) }
    }
}

/// Compares saves among many objects with saves among few, for each implementation: file systems and databases grow slower,
/// too.
struct CrowdMeasurement {
    let count: Int
    let rounds: Int
    private static let few = 1_000

    func run(into results: inout Results) throws {
        let folder = TemporaryFolder()
        let implementations: [(name: String, saves: [Int: (Portrait, String) throws -> Void])] = [
            (
                "ours",
                try saves { number in
                    let store = ObjectStore(in: folder.path(of: "store-\(number)"), durability: .fast)
                    return { try store.saveBlocking($0, as: $1) }
                }
            ),
            (
                "SQLite",
                try saves { number in
                    let database = Database(at: folder.path(of: "\(number).sqlite"), isDurable: false)
                    return { try database.save($0, as: $1) }
                }
            ),
            (
                "JSONEncoder, atomic write",
                try saves { number in
                    let files = PlainFiles(folder: try folder.newFolder("files-\(number)"))
                    return { try files.save($0, as: $1) }
                }
            ),
        ]
        var times = Array(repeating: [Self.few: Times(), count: Times()], count: implementations.count)
        for round in 1...rounds {
            for (index, implementation) in implementations.enumerated() {
                for (number, save) in implementation.saves {
                    let portrait = Portrait(bytes: 1_000, version: round)
                    times[index][number]!.add(try time { try save(portrait, name(round * 7 % number)) })
                }
            }
        }
        for (implementation, times) in zip(implementations, times) {
            for number in [Self.few, count] {
                results.add("save/\(number) objects", by: implementation.name, times[number]!)
            }
        }
    }

    private func saves(
        _ make: (Int) throws -> (Portrait, String) throws -> Void
    ) throws -> [Int: (Portrait, String) throws -> Void] {
        var saves: [Int: (Portrait, String) throws -> Void] = [:]
        for number in [Self.few, count] {
            let save = try make(number)
            for object in 0..<number { try save(Portrait(bytes: 1_000), name(object)) }
            saves[number] = save
        }
        return saves
    }

    private func name(_ number: Int) -> String { "portrait-\(number)" }
}

private func time(_ work: () throws -> Void) rethrows -> Int { try timed(work).nanoseconds }

private func timed<Result>(_ work: () throws -> Result) rethrows -> (nanoseconds: Int, result: Result) {
    let begin = now()
    let result = try work()
    return (now() - begin, result)
}
