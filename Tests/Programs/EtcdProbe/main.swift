// A process with a client of etcd alone, whose threads and memory tests and people can observe.
//
//   EtcdProbe watch ENDPOINT COUNT
//     opens watches of the key "watched", prints "ready" when all are created, and waits for an event in each. Prints "done"
//     after each round.
//   EtcdProbe measure ENDPOINT COUNT
//     prints the median time of puts and gets of values of several sizes.
import EtcdClient
import FileScripts
import Glibc

func say(_ line: String) {
    print(line)
    fflush(nil)
}

let arguments = Array(CommandLine.arguments.dropFirst())
guard arguments.count == 3, let count = Int(arguments[2]) else {
    fail("usage: EtcdProbe watch | measure ENDPOINT COUNT")
}
let client = try EtcdClient(EtcdOptions(endpoints: [arguments[1]]))

func watch() async throws {
    let revision = try await client.get("watched").revision
    var watches = (0..<count).map { _ in client.watch("watched", from: revision + 1).makeAsyncIterator() }
    for index in watches.indices { _ = try await watches[index].next() }
    say("ready")
    while true {
        for index in watches.indices { _ = try await watches[index].next() }
        say("done")
    }
}

func measure() async throws {
    for size in [100, 1_000, 100_000, 1_000_000] {
        let value = [UInt8](repeating: 7, count: size)
        let put = try await median { _ = try await client.put("measured", value) }
        let get = try await median { _ = try await client.get("measured") }
        let swap = try await median {
            let reading = try await client.get("measured")
            let condition = EtcdTransaction.Condition.modRevision(of: "measured", equals: reading.keyValue!.modRevision)
            _ = try await client.transaction(
                EtcdTransaction(conditions: [condition], success: [.put("measured", value, lease: nil)]))
        }
        say("\(size) bytes: put \(put), get \(get), get and transaction \(swap)")
    }
}

func median(_ body: () async throws -> Void) async throws -> Duration {
    var times: [Duration] = []
    for _ in 0..<count { times.append(try await ContinuousClock().measure(body)) }
    return times.sorted()[count / 2]
}

switch arguments[0] {
case "watch": try await watch()
case "measure": try await measure()
default: fail("unknown command \(arguments[0])")
}
