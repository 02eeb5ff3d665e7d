import Testing

/// A way in which programs change a file, and what must be seen of it: one entry of the files in Tests/Scenarios, whose
/// README says how they are written.
package struct Scenario: Sendable {
    package enum Step: Sendable, Equatable {
        case run(String)
        case beside(String)
        /// Done while whoever watches stands still.
        case held(String)
        /// Done without anybody's being woken.
        case silent(String)
        case expect(Expectation)
        /// What inotify told of the step that was done held.
        case events([InotifyLine])
    }

    package enum Expectation: Sendable, Equatable {
        case value(String)
        case missing
        case problem(code: String, place: String?)
        case recovered
        case looked
        case live
        case polling
    }

    package let name: String
    package private(set) var needs: [Need] = []
    package private(set) var file = "server.json"
    /// Whether the file is named by a path from the working directory, which is another one afterwards.
    package private(set) var isRelative = false
    package private(set) var before: String?
    package private(set) var steps: [Step] = []
    package private(set) var after: String?
    /// The numbers for which the steps from the given one on are done.
    private(set) var loop: (first: Int, numbers: ClosedRange<Int>)?

    init(name: String) { self.name = name }

    /// All steps in their order, each with the number that it is done for.
    package var course: [(step: Step, number: Int?)] {
        guard let loop else { return steps.map { ($0, nil) } }
        let once = steps[..<loop.first].map { ($0, nil as Int?) }
        return once + loop.numbers.flatMap { number in steps[loop.first...].map { ($0, number) } }
    }

    package func needs(_ need: Need) -> Bool { needs.contains(need) }
}

extension Scenario: CustomTestStringConvertible {
    package var testDescription: String { name }
}

extension Scenario {
    /// Takes in what one word of the format says.
    mutating func add(_ word: String, _ text: String) throws {
        switch word {
        case "needs": needs = try text.split(separator: " ").map { try Need(String($0)) }
        case "file": file = text
        case "relative":
            file = text
            isRelative = true
        case "before": before = text
        case "run": steps.append(.run(text))
        case "beside": steps.append(.beside(text))
        case "held": steps.append(.held(text))
        case "silent": steps.append(.silent(text))
        case "expect": steps.append(.expect(try Expectation(text)))
        case "events": steps.append(.events(try InotifyLine.lines(of: text)))
        case "after": after = text
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
        case "live": self = .live
        case "polling": self = .polling
        case "problem" where (2...3).contains(words.count):
            self = .problem(code: words[1], place: words.dropFirst(2).first)
        case "{": self = .value(text)
        default: throw SystemRefusal("this cannot be expected: \(text)")
        }
    }
}
