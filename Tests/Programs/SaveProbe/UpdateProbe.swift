import FileScripts
import Glibc
import LosslessJSON
import SessionMirror

/// A process that updates one key after the other in memory, and lets the session save them.
struct UpdateProbe {
    let path: String
    let name: String

    func run(_ count: Int) throws {
        var options = SessionOptions()
        // Short delays, for many saves of several updates each while further updates are made.
        (options.savingDelay, options.savingLimit) = (.milliseconds(10), .milliseconds(50))
        let session = try Session(JSON.object([:]), at: path, options: options)
        for number in 0..<count {
            try session.update { $0["\(name)_\(number)"] = JSON(number) }
            usleep(.random(in: 0...20_000))
        }
        try session.close()
        say("saves \(session.mirror.metrics.saves)")
    }
}
