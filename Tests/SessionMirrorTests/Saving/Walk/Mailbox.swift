import Locking

@testable import SessionMirror

/// Where the answers to requests arrive, to be taken out at once: shared by the copies of a world.
final class Mailbox: Sendable {
    struct Letter {
        let number: Int
        let error: (any Error)?
    }

    private let letters = Lock<[Letter]>([])

    func put(_ letter: Letter) { letters.withLock { $0.append(letter) } }

    func takeAll() -> [Letter] {
        letters.withLock { letters in
            defer { letters = [] }
            return letters
        }
    }
}
