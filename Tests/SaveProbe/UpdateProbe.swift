import Glibc
import LosslessJSON
import SessionMirror

/// A process that changes one key after the other in memory, and leaves the saving to the session.
struct UpdateProbe {
    let path: String
    let name: String

    func run(_ count: Int) throws {
        let session = try Session(JSON.object([:]), at: path)
        for number in 0..<count {
            try session.update { $0["\(name)_\(number)"] = JSON(number) }
            usleep(.random(in: 0...20_000))
        }
        try session.close()
        say("saves \(session.mirror.metrics.saves)")
    }
}
