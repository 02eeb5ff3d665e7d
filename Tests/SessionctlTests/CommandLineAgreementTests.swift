import TestSupport
import Testing

/// The help, the manual pages and the completion are made from one table.
@Suite("Help, manual pages and completion agree") struct CommandLineAgreementTests {
    private let folder: TemporaryFolder
    private let inventory: CommandLineInventory

    init() throws {
        folder = try TemporaryFolder()
        inventory = try CommandLineInventory(folder)
    }

    @Test("They name the same commands") func commands() throws {
        #expect(inventory.commands.count > 10)
        let page = try folder.sessionctl("manual").output
        let documented = page.split(separator: "\n").filter { $0.hasPrefix(".It Xr sessionctl-") }
        #expect(documented.map { $0.dropFirst(18).split(separator: " ")[0] } == inventory.commands.map { $0[...] })
        let completed = try folder.candidates("fish", "sessionctl ").map { $0.split(separator: "\t")[0] }
        #expect(completed == inventory.commands.map { $0[...] })
    }

    @Test("They name the same options of each command, with the same placeholders") func options() throws {
        for command in inventory.commands.map(Optional.some) + [nil] {
            let options = try inventory.options(inHelpOf: command)
            #expect(options.contains("--help") && options.contains("--version"))
            #expect(try inventory.options(inManualOf: command) == options, "\(command ?? "")")
            let names = options.map { option in
                option.firstIndex(of: "=").map { String(option[...$0]) } ?? option
            }
            #expect(try inventory.options(inCompletionOf: command) == names, "\(command ?? "")")
        }
    }

    @Test("No line of the help is wider than 80 columns") func width() throws {
        for command in inventory.commands {
            let help = try folder.sessionctl(command, "--help").output
            for line in help.split(separator: "\n") { #expect(line.count <= 80, "\(command): \(line)") }
        }
    }

    @Test("The synopsis of a manual page names the operands of the help") func operands() throws {
        for command in inventory.commands {
            let usage = try folder.sessionctl(command, "--help").output.prefix { $0 != "\n" }
            let operands = usage.split(separator: " ").dropFirst(3).joined(separator: " ").split { !$0.isLetter }
                .filter { $0.allSatisfy(\.isUppercase) && $0 != "OPTION" }
            let page = try folder.sessionctl("manual", command).output
            let synopsis = page.split(separator: "\n").drop { $0 != ".Sh SYNOPSIS" }.prefix { $0 != ".Sh DESCRIPTION" }
            let words = synopsis.joined(separator: " ").split { !$0.isLetter }
            #expect(operands.allSatisfy(words.contains), "\(usage)")
        }
    }
}
