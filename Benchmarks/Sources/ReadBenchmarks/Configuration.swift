import BenchmarkHarness
import LosslessJSON
import SessionMirror
import Synchronization

/// What the sessions of these benchmarks hold: plain values, a string too long to lie in its own two words, a part.
struct Configuration: Codable, Sendable {
    var port = 8080
    var limits = Limits()
    var greeting = "a greeting that is too long to need no memory of its own"
    var flags = [true, false, true]

    struct Limits: Codable, Sendable {
        var burst = 5
        var rate = 0.5
    }
}

/// The same value in the two ways to be compared.
struct Contenders<Root: Codable & Sendable>: Sendable {
    let session: Session<Root>
    let guarded: Guarded<Root>

    init(_ root: Root) { (session, guarded) = (Session(inMemory: root), Guarded(root)) }

    static func prepared(_ root: Root) -> Prepared<Contenders> { Prepared { Contenders(root) } }
}

/// What a program does that has no session: a value behind a mutex.
final class Guarded<Root: Sendable>: Sendable {
    let root: Mutex<Root>

    init(_ root: Root) { self.root = Mutex(root) }
}
