import Foundation

extension Scenario {
    /// The scenarios in Tests/Scenarios, ordered by file name, for sessions and for watches.
    package static func all() throws -> [Scenario] { try inFolder("") }

    /// The scenarios in Tests/Scenarios/Watching, for watches only.
    package static func watchOnly() throws -> [Scenario] { try inFolder("Watching") }

    private static func inFolder(_ name: String) throws -> [Scenario] {
        try files(name).flatMap { file in
            let scenarios = try parse(String(contentsOf: file, encoding: .utf8))
            return switch selection {
            case nil: scenarios
            case firstOfEachFile: Array(scenarios.prefix(1))
            case let text?: scenarios.filter { $0.name.contains(text) }
            }
        }
    }

    private static func files(_ name: String) throws -> [URL] {
        let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../Scenarios/\(name)")
            .standardized
        return try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
            .filter { $0.pathExtension == "scenario" }.sorted { $0.path < $1.path }
    }

    /// The number of scenarios by the lines that begin one, to check that parsing loses none.
    package static func countInFiles() throws -> Int {
        try ["", "Watching"].flatMap(files).reduce(0) { count, file in
            try count
                + String(contentsOf: file, encoding: .utf8).split(separator: "\n").count { $0.hasPrefix("scenario:") }
        }
    }

    /// Whether all scenarios are played.
    package static var areAllSelected: Bool { selection == nil }

    /// Selects the scenarios whose names contain the text, or with `firstOfEachFile` one of each kind.
    private static let selection = ProcessInfo.processInfo.environment["SESSIONMIRROR_SCENARIO"]
    private static let firstOfEachFile = "first of each file"

    /// The scenarios of one file.
    package static func parse(_ text: String) throws -> [Scenario] {
        var scenarios: [Scenario] = []
        for (word, text) in try entries(of: text) {
            if word == "scenario" {
                scenarios.append(Scenario(name: text))
            } else if scenarios.isEmpty {
                throw TestSupportError("\(word) before the first scenario")
            } else {
                try scenarios[scenarios.count - 1].add(word, text)
            }
        }
        return scenarios
    }

    /// The entries of a file: a keyword, and the text after it with its indented continuation lines.
    private static func entries(of text: String) throws -> [(word: String, text: String)] {
        var entries: [(word: String, text: String)] = []
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            if line.hasPrefix("    "), !entries.isEmpty {
                entries[entries.count - 1].text += "\n" + line.dropFirst(4)
            } else if !line.isEmpty, !line.hasPrefix("#") {
                entries.append(try entry(String(line)))
            }
        }
        return entries
    }

    private static func entry(_ line: String) throws -> (word: String, text: String) {
        let separator: Character = line.hasPrefix("for ") ? " " : ":"
        guard let end = line.firstIndex(of: separator) else {
            throw TestSupportError("missing keyword and colon: \(line)")
        }
        let text = line[line.index(after: end)...].drop { $0 == " " }
        return (String(line[..<end]), String(text))
    }
}
