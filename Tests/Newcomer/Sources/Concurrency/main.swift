import SessionMirror

// Tasks, actors and loops around one session.

struct Limits: Codable, Equatable, Sendable {
    var burst = 100
    var rate = 10
}

actor Limiter {
    private(set) var burst = 0
    private var token: Subscription?

    func start(_ session: Session<Limits>) {
        token = session.observe(\.burst, initial: true, on: self) { limiter, change in limiter.burst = change.new }
    }
}

let session = try Session(Limits(), at: CommandLine.arguments[1] + "/limits.json")
let limiter = Limiter()
await limiter.start(session)

// A loop per consumer, each of which begins with the current value.
let rates = Task {
    var received: [Int] = []
    for await rate in session.values(of: \.rate) { received.append(rate) }
    return received
}

// Commits of many tasks are all kept.
try await withThrowingTaskGroup { group in
    for _ in 0..<50 { group.addTask { try await session.commit { $0.burst += 1 } } }
    try await group.waitForAll()
}
precondition(session.burst == 150)
while await limiter.burst != 150 { await Task.yield() }

// A value that is not Sendable may leave an update, which runs at once and here.
final class Note { var text = "" }
let note = try session.update { limits in
    limits.rate = 20
    let note = Note()
    note.text = "rate is \(limits.rate)"
    return note
}
print(note.text)

try await session.waitUntil(within: .seconds(10)) { $0.rate == 20 }
try await session.close()
let received = await rates.value
print("rates \(received)")
precondition(received.last == 20, "closing ends the loop after the last value")
do {
    try session.update { $0.rate = 30 }
    fatalError("a closed session was changed")
} catch let error as SessionError {
    print(error)
    precondition(error.code == .closed)
}
