import Glibc
import LosslessJSON
import VisibleText

extension Option {
    static let to = Option(name: "to", value: "DIRECTORY", help: "write all pages to files in DIRECTORY")
}

extension Command {
    static let manual = Command(
        name: "manual",
        summary: "print the manual page of a command",
        explanation: """
            Prints the manual page of COMMAND, or of the program, as source for man(1). The
            COMMAND sessionmirror stands for the page about the format of files. With --to,
            writes all pages to DIRECTORY: sessionctl.1, sessionctl-get.1 and so on, and
            sessionmirror.7. Existing files are replaced.

            To read a page that is not installed:
              sessionctl manual get | man -l -
            """,
        options: [.to],
        operands: [Operand(name: "COMMAND", isOptional: true)],
        run: manual,
        examples: """
            $ sessionctl manual get | sed -n 's/^.Nd //p'
            print the values at paths
            $ mkdir man1
            $ sessionctl manual --to=man1
            $ ls man1 | grep watch
            sessionctl-watch.1
            """)

    private static func manual(_ arguments: Arguments) throws(Failure) -> ExitCode {
        let operand = arguments.operands.first
        if let directory = arguments.value(of: .to) {
            if operand != nil { throw .usageError("--to writes the pages of all commands; COMMAND is not allowed") }
            for page in ManualPage.all { try write(page, to: directory) }
            return .success
        }
        try Output.standard.write(try operand.map(page(named:))?.text ?? ManualPage.overview.text)
        return .success
    }

    private static func page(named name: String) throws(Failure) -> ManualPage {
        if let page = ManualPage.named(name) { return page }
        let names = all.map(\.name) + [ManualPage.fileFormatName.name]
        let meant = NearestName(to: name).among(names, limit: 1).first.map { "; did you mean \($0)?" } ?? ""
        throw .usageError("unknown command \(name.visible(upTo: 60))\(meant)")
    }

    private static func write(_ page: ManualPage, to directory: String) throws(Failure) {
        let path = "\(directory)/\(page.fileName)"
        let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o666)
        if descriptor < 0 { throw .systemError(path.visible, errorNumber: errno) }
        defer { close(descriptor) }
        try Output(descriptor: descriptor, title: path.visible).write(page.text)
    }
}
