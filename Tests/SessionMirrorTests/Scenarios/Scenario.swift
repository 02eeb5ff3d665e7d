import TestSupport
import Testing

/// A way in which programs change a file, and what must be seen of it: one entry of the files in Tests/Scenarios, whose
/// README says how they are written.
struct Scenario: Sendable {
    enum Step: Sendable, Equatable {
        case run(String)
        case beside(String)
        case expect(Expectation)
    }

    enum Expectation: Sendable, Equatable {
        case value(String)
        case missing
        case problem(code: String, place: String?)
        case recovered
        case looked
    }

    let name: String
    private(set) var needs: [Need] = []
    private(set) var file = "server.json"
    private(set) var before: String?
    private(set) var steps: [Step] = []
    /// The numbers for which the steps from the given one on are done.
    private(set) var loop: (first: Int, numbers: ClosedRange<Int>)?

    init(name: String) { self.name = name }

    /// All steps in their order, each with the number that it is done for.
    var course: [(step: Step, number: Int?)] {
        guard let loop else { return steps.map { ($0, nil) } }
        let once = steps[..<loop.first].map { ($0, nil as Int?) }
        return once + loop.numbers.flatMap { number in steps[loop.first...].map { ($0, number) } }
    }
}

extension Scenario: CustomTestStringConvertible {
    var testDescription: String { name }
}

extension Scenario {
    /// Takes in what one word of the format says.
    mutating func add(_ word: String, _ text: String) throws {
        switch word {
        case "needs": needs = try text.split(separator: " ").map { try Need(String($0)) }
        case "file": file = text
        case "before": before = text
        case "run": steps.append(.run(text))
        case "beside": steps.append(.beside(text))
        case "expect": steps.append(.expect(try Expectation(text)))
        case "for": loop = (steps.count, try Self.numbers(text))
        default: throw SystemRefusal("\(name): there is no word \(word)")
        }
    }

    private static func numbers(_ text: String) throws -> ClosedRange<Int> {
        let words = text.split(separator: " ")
        guard words.count == 4, words[..<2] == ["N", "in"], let first = Int(words[2]), let last = Int(words[3]) else {
            throw SystemRefusal("not \"for N in 2 101\": for \(text)")
        }
        return first...last
    }
}

extension Scenario.Expectation {
    init(_ text: String) throws {
        let words = text.split(separator: " ").map(String.init)
        switch words.first {
        case "missing": self = .missing
        case "recovered": self = .recovered
        case "looked": self = .looked
        case "problem" where (2...3).contains(words.count):
            self = .problem(code: words[1], place: words.dropFirst(2).first)
        case "{": self = .value(text)
        default: throw SystemRefusal("this cannot be expected: \(text)")
        }
    }
}
