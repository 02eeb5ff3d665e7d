import Testing

@testable import SessionMirror

@Suite("Batches of retired objects")
struct RetirementQueueTests {
    private var retirement = RetirementQueue<Int>(fullBatch: 3)

    @Test("The first retired object schedules a batch for later, and further ones schedule nothing")
    mutating func gathers() {
        #expect(retirement.retired(1) == .beginLater)
        #expect(retirement.retired(2) == .nothing)
        #expect(retirement.begin(.beginLater) == [1, 2])
        #expect(retirement.released() == .nothing)
        #expect(retirement.retired(3) == .beginLater)
    }

    @Test("A full batch begins at once, and the batch scheduled before finds nothing")
    mutating func full() {
        #expect(retirement.retired(1) == .beginLater)
        #expect(retirement.retired(2) == .nothing)
        #expect(retirement.retired(3) == .beginNow)
        #expect(retirement.retired(4) == .nothing)
        #expect(retirement.begin(.beginNow) == [1, 2, 3, 4])
        #expect(retirement.begin(.beginLater) == [])
        #expect(retirement.released() == .nothing)
    }

    @Test("Only one batch is released at a time, and objects retired meanwhile form the next")
    mutating func oneAtATime() {
        for number in 1...3 { _ = retirement.retired(number) }
        #expect(retirement.begin(.beginNow) == [1, 2, 3])
        #expect(retirement.retired(4) == .nothing)
        #expect(retirement.begin(.beginLater) == [])
        #expect(retirement.count == 4)
        #expect(retirement.released() == .beginLater)
        for number in 5...7 { _ = retirement.retired(number) }
        #expect(retirement.begin(.beginNow) == [4, 5, 6, 7])
        for number in 8...11 { #expect(retirement.retired(number) == .nothing) }
        #expect(retirement.released() == .beginNow)
        #expect(retirement.begin(.beginNow) == [8, 9, 10, 11])
    }

    @Test("At most one batch is scheduled for later, however many batches fill up")
    mutating func oneMoment() {
        #expect(retirement.retired(0) == .beginLater)
        for _ in 0..<100 {
            for number in 1...5 { #expect(retirement.retired(number) != .beginLater) }
            #expect(retirement.begin(.beginNow).count >= 3)
            _ = retirement.retired(6)
            #expect(retirement.released() == .nothing)
        }
    }
}
