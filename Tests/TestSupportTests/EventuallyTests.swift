import TestSupport
import Testing

@Suite("Waiting for a condition")
struct EventuallyTests {
    @Test("ends as soon as it holds")
    func holds() async {
        var count = 0
        let holds = await eventually("the count rises") {
            count += 1
            return count == 3
        }
        #expect(holds && count == 3)
    }

    @Test("ends as soon as it holds, also where nothing is asynchronous")
    func holdsBlocking() {
        var count = 0
        let holds = eventually("the count rises") {
            count += 1
            return count == 3
        }
        #expect(holds && count == 3)
    }

    @Test("fails in the words given when it never does")
    func never() async {
        await withKnownIssue {
            let holds = await eventually("pigs fly", within: .milliseconds(1)) { false }
            #expect(!holds)
        } matching: {
            "\($0)".contains("pigs fly: not within 0.001 seconds")
        }
    }
}
