import LosslessJSON
import SessionMirror
import VisibleText

/// The problems of files, as lines of `FILE:LINE:COLUMN: error: MESSAGE` with the excerpt.
extension ViewState {
    var problemLines: [StyledLine] {
        files.flatMap { file -> [StyledLine] in
            guard let status = file.status else { return [] }
            var problems = status.warnings
            if case .invalid(let problem) = status.content { problems.insert(problem, at: 0) }
            return problems.flatMap { Self.lines(for: $0, of: file.title, columns: size.columns) }
        }
    }

    private static func lines(for problem: SessionProblem, of title: String, columns: Int) -> [StyledLine] {
        let color: Style.Color = problem.severity == .error ? .red : .yellow
        var lines = problem.headline(file: title).measurable.wrapped(to: columns).map {
            StyledLine($0, Style(color: color, isBold: true))
        }
        guard let excerpt = problem.excerpt else { return lines }
        let (text, caret) = visiblePart(of: excerpt, columns: columns)
        lines.append(StyledLine(text))
        lines.append(StyledLine(String(repeating: " ", count: caret) + "^", Style(color: color, isBold: true)))
        return lines
    }

    /// The line of an excerpt and the column of its caret; without the beginning if the caret would not be visible.
    private static func visiblePart(of excerpt: JSONExcerpt, columns: Int) -> (text: String, caret: Int) {
        let before = String(excerpt.line.unicodeScalars.prefix(excerpt.indentation)).measurable.columns
        let hidden = before + 10 <= columns ? 0 : max(0, before - columns / 2)
        let text = excerpt.line.measurable
        if hidden == 0 { return (text.shortened(to: columns), min(before, max(0, columns - 1))) }
        return (("…" + text.dropping(columns: hidden + 1)).shortened(to: columns), before - hidden)
    }
}
