import Foundation
import MessageChecks
import ParserChecks

// Runs all checks on the given files and directories, to measure coverage or to examine a finding.
for argument in CommandLine.arguments.dropFirst() {
    let folder = URL(fileURLWithPath: argument)
    let names = (try? FileManager.default.contentsOfDirectory(atPath: argument)) ?? []
    for file in names.isEmpty ? [folder] : names.map({ folder.appending(path: $0) }) {
        let text = Array(try Data(contentsOf: file))
        ParserChecks.run(text)
        EditChecks.run(text)
        ReparseChecks.run(text)
        MessageChecks.run(text)
    }
}
