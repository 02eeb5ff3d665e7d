import FileScripts
import SessionMirror

/// Publishes a number of versions in a tight loop, so that a test can compare the memory before and after.
enum PublishProbe {
    static func run(_ versions: Int) throws {
        let session = Session(inMemory: Tenant())
        func publish(_ count: Int) throws { for number in 1...count { try session.update { $0.number = number } } }
        try publish(50_000)
        say("begin")
        waitForLine()
        try publish(versions)
        say("published \(session.number)")
        waitForLine()
    }
}
