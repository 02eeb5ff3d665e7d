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

/// Compares saves in a store of many objects with saves in one of few.
struct CrowdMeasurement {
    let count: Int
    let rounds: Int

    func run(into results: inout Results) throws {
        let folder = TemporaryFolder()
        let crowd = ObjectStore(in: folder.path(of: "crowd"), durability: .fast)
        let few = ObjectStore(in: folder.path(of: "few"), durability: .fast)
        try fill(crowd)
        var portrait = Portrait(bytes: 1_000)
        // One object in each part of the store, so that both have all parts open.
        for number in 0..<1_000 { try few.saveBlocking(portrait, as: "few/\(number)") }
        var times = (crowd: Times(), few: Times())
        for round in 0..<rounds {
            portrait.version = round + 1
            times.crowd.add(try time { try crowd.saveBlocking(portrait, as: "crowd/\(round * 7 % count)") })
            times.few.add(try time { try few.saveBlocking(portrait, as: "few/\(round * 7 % 1_000)") })
        }
        results.add("save/\(count) objects", times.crowd)
        results.add("save/\(count) objects", by: "1000 objects", times.few)
    }

    private func fill(_ store: ObjectStore) throws {
        let portrait = Portrait(bytes: 1_000)
        for number in 0..<count { try store.saveBlocking(portrait, as: "crowd/\(number)") }
    }
}

private func time(_ work: () throws -> Void) rethrows -> Int { try timed(work).nanoseconds }

private func timed<Result>(_ work: () throws -> Result) rethrows -> (nanoseconds: Int, result: Result) {
    let begin = now()
    let result = try work()
    return (now() - begin, result)
}
