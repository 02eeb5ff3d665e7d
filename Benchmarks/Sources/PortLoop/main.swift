import SessionMirror

// A client of the library for disassemble.sh: loops that read one value of a session.

struct Server: Codable, Sendable {
    var port = 8080
    var greeting = "hello"
}

@inline(never) func sumOfPorts(_ session: Session<Server>, _ count: Int) -> Int {
    var sum = 0
    for _ in 0..<count { sum &+= session.port }
    return sum
}

@inline(never) func sumOfReads(_ session: Session<Server>, _ count: Int) -> Int {
    var sum = 0
    for _ in 0..<count { sum &+= session.read { $0.port } }
    return sum
}

let session = Session(inMemory: Server())
print(sumOfPorts(session, 1000) &+ sumOfReads(session, 1000))
