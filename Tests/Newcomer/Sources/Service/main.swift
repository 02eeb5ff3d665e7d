import Glibc
import SessionMirror

// A service with a validated configuration: it must not start with a broken file, and it survives broken edits.

struct Server: Codable, Equatable, Sendable {
    var port = 8080
    var timeout = Duration.seconds(5)
    var upstreams: [Upstream] = []

    struct Upstream: PartlyDefaulted, Equatable, Sendable {
        var host: String
        var retries: Int
        static let defaults: JSON = ["retries": 3]
    }

    func check() throws {
        guard port >= 1024 else { throw ValidationError("must be 1024 or more", at: "port") }
        for (index, upstream) in upstreams.enumerated() where upstream.retries < 0 {
            throw ValidationError("must not be negative", at: "upstreams.\(index).retries")
        }
    }
}

let path = CommandLine.arguments[1] + "/server.json"

func write(_ text: String) throws {
    guard let file = fopen(path, "w") else { fatalError("cannot write \(path)") }
    fputs(text, file)
    fclose(file)
}

func open() throws -> Session<Server> {
    try Session(Server(), at: path, options: SessionOptions(start: .requireValid)) { try $0.check() }
}

// A broken file at the start.
try write(#"{ "port": 80 }"#)
do {
    _ = try open()
    fatalError("the service started without TLS")
} catch let error as SessionError {
    print(error)
    precondition(error.code == .invalidFile && error.problem?.path == "port")
}

// A good one, with a misspelled key.
try write(
    """
    {
      "port": 9090, // of the proxy
      "timout": "1m",
      "upstreams": [ { "host": "a.example" } ]
    }
    """)
let session = try open()
precondition(session.port == 9090 && session.timeout == .seconds(5))
precondition(session[\.upstreams[at: 0]?.retries] == 3)
precondition(session.mirror.status.warnings.first?.code == .unknownKey(suggestion: "timeout"))

// A broken edit while it runs. An observer begins with the current problems: here with the warning.
try write(#"{ "port": 9090, "upstreams": [ { "host": "a.example", "retries": -1 } ] }"#)
for await problem in session.mirror.problems where problem.severity == .error {
    print(problem.fullDescription)
    precondition(problem.path == "upstreams.0.retries" && problem.location?.line == 1)
    break
}
precondition(session.port == 9090, "the last valid value stays")

// It is fixed, and the service ends.
try write(#"{ "port": 9091 }"#)
for await port in session.values(of: \.port) where port == 9091 { break }
try await session.close()
print("closed")
