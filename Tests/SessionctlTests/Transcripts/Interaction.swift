/// What happens while a command of a transcript runs: edits of others, the work of the user in an editor, and answers.
struct Interaction {
    /// Shell commands, each run once when a line that begins so has been printed.
    var edits: [(after: String, command: String)] = []
    /// Shell scripts, one for each run of the editor; `$1` is the file.
    var editor: [String] = []
    /// Lines typed in answer to questions. They are shown after the question.
    var answers: [String] = []
    /// Whether the command runs until it is interrupted.
    var isInterrupted = false

    /// An edit by the user, who answers each question.
    static func editing(_ editor: String..., answers: String...) -> Interaction {
        Interaction(editor: editor, answers: answers)
    }

    /// A watch, and the edits it sees.
    static func watching(untilInterrupted isInterrupted: Bool = true, _ edits: (String, String)...) -> Interaction {
        Interaction(edits: edits.map { (after: $0.0, command: $0.1) }, isInterrupted: isInterrupted)
    }

    /// The script that stands in for the editor. It counts its runs in a file beside it.
    var editorScript: String {
        let cases = editor.enumerated().map { "\($0.offset + 1)) \($0.element) ;;\n" }.joined()
        return "echo >>\"$0.runs\"\ncase $(wc -l <\"$0.runs\") in\n\(cases)*) exit 1 ;; esac\n"
    }

    /// What a program without an echo prints where the transcript shows the answers.
    func withoutAnswers(_ output: String) -> String {
        var output = output
        for answer in answers {
            if let place = output.firstRange(of: ": \(answer)\n") { output.replaceSubrange(place, with: ": ") }
        }
        return output
    }
}
