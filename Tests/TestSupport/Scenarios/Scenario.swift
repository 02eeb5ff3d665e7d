import Testing

/// A sequence of shell commands that change a file, and the expected results: one entry of the files in
/// Tests/Scenarios.
///
/// Tests/Scenarios/README.md describes the format.
package struct Scenario: Sendable {
    package enum Step: Sendable, Equatable {
        case run(String)
        /// Runs in the background until the end.
        case beside(String)
        /// Runs while the watching process is stopped.
        case held(String)
        /// Runs and must cause no notification.
        case silent(String)
        case expect(Expectation)
        /// The inotify events of the last `held` step.
        case events([InotifyLine])
    }

    package enum Expectation: Sendable, Equatable {
        case value(String)
        case missing
        case problem(code: String, location: String?)
        case recovered
        case reloaded
        case live
        case polling
    }

    package let name: String
    package private(set) var needs: [Requirement] = []
    package private(set) var file = "server.json"
    /// Whether the watch gets a relative path, and then changes its working directory.
    package private(set) var isRelative = false
    package private(set) var before: String?
    package private(set) var steps: [Step] = []
    package private(set) var after: String?
    /// The steps from `first` on are repeated for each of the numbers.
    private(set) var loop: (first: Int, numbers: ClosedRange<Int>)?

    init(name: String) { self.name = name }

    /// All steps in order with the loop unrolled; each has its loop number.
    package var unrolledSteps: [(step: Step, number: Int?)] {
        guard let loop else { return steps.map { ($0, nil) } }
        let once = steps[..<loop.first].map { ($0, nil as Int?) }
        return once + loop.numbers.flatMap { number in steps[loop.first...].map { ($0, number) } }
    }

    package func needs(_ requirement: Requirement) -> Bool { needs.contains(requirement) }
}

extension Scenario: CustomTestStringConvertible {
    package var testDescription: String { name }
}

extension Scenario {
    /// Adds the entry of one keyword.
    mutating func add(_ word: String, _ text: String) throws {
        switch word {
        case "needs": needs = try text.split(separator: " ").map { try Requirement(String($0)) }
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
        default: throw TestSupportError("\(name): unknown keyword \(word)")
        }
    }

    private static func numbers(_ text: String) throws -> ClosedRange<Int> {
        let words = text.split(separator: " ")
        guard words.count == 4, words[..<2] == ["N", "in"], let first = Int(words[2]), let last = Int(words[3]) else {
            throw TestSupportError("expected \"for N in 2 101\", found: for \(text)")
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
        case "reloaded": self = .reloaded
        case "live": self = .live
        case "polling": self = .polling
        case "problem" where (2...3).contains(words.count):
            self = .problem(code: words[1], location: words.dropFirst(2).first)
        case "{": self = .value(text)
        default: throw TestSupportError("unknown expectation: \(text)")
        }
    }
}
