import BenchmarkData
import BenchmarkHarness
import Contenders
import LosslessJSON
import SessionMirror

/// The root of the measured sessions: plain values, a nested value, and a string too long to be stored inline.
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

/// The same value in a session and behind a mutex.
struct SessionAndMutex<Root: Codable & Sendable>: Sendable {
    let session: Session<Root>
    let protected: MutexProtected<Root>

    init(_ root: Root) { (session, protected) = (Session(inMemory: root), MutexProtected(root)) }

    static func prepared(_ root: Root) -> LazyValue<SessionAndMutex> { LazyValue { SessionAndMutex(root) } }
}
