import Foundation
import Glibc
import TestSupport
import Testing

@Suite("Standard input from a pipe")
struct PipeTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test(
        "Standard input that arrives in pieces is read to its end, in blocking and non-blocking mode",
        arguments: [false, true])
    func pieces(isNonBlocking: Bool) throws {
        let (reader, writer) = try Descriptor.newPipe()
        try #require(fcntl(reader, F_SETFL, isNonBlocking ? O_NONBLOCK : 0) == 0)
        let watched = fcntl(reader, F_DUPFD_CLOEXEC, 0)
        let feeding = Thread {
            for piece in ["{\"a\": ", "[1, ", "2]}"] {
                _ = write(writer, piece, piece.utf8.count)
                // The next read finds the pipe empty, and fails or blocks.
                PipeTests.waitUntilEmpty(watched)
            }
            close(writer)
            close(watched)
        }
        feeding.start()
        let result = try Program.sessionctl.run(["get", "-", "a"], in: folder, input: .descriptor(reader))
        #expect(result == Program.Result(code: 0, output: "[1, 2]\n"))
    }

    private static func waitUntilEmpty(_ descriptor: Int32) {
        let limit = ContinuousClock.now + .seconds(100)
        var count: Int32 = 1
        while count > 0, ContinuousClock.now < limit, ioctl(descriptor, UInt(FIONREAD), &count) == 0 { sched_yield() }
    }
}
