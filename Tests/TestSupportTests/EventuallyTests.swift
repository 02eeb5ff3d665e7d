import TestSupport
import Testing

@Suite("Waiting for a condition")
struct EventuallyTests {
    @Test("An asynchronous wait ends as soon as its condition holds")
    func holds() async {
        var count = 0
        let holds = await eventually("the count rises") {
            count += 1
            return count == 3
        }
        #expect(holds && count == 3)
    }

    @Test("A blocking wait ends as soon as its condition holds")
    func holdsBlocking() {
        var count = 0
        let holds = eventually("the count rises") {
            count += 1
            return count == 3
        }
        #expect(holds && count == 3)
    }

    @Test("A wait whose condition never holds records the given description")
    func never() async {
        await withKnownIssue {
            let holds = await eventually("one equals two", within: .milliseconds(1)) { false }
            #expect(!holds)
        } matching: {
            "\($0)".contains("one equals two: not within 0.001 seconds")
        }
    }
}
