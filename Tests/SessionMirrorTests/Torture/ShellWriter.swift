import TestSupport

/// Another process that edits the files one after the other.
struct ShellWriter {
    private let program: RunningProgram

    /// `mv` of coreutils 9.1 sometimes takes a file that is deleted meanwhile for a directory, so it is repeated.
    init(_ paths: [String], rounds: Int, in folder: TemporaryFolder) throws {
        let script = """
            rounds=$1 even='\(PairedValue(2_000_000).text)' odd='\(PairedValue(2_000_001).text)'
            shift
            while [ "$rounds" -gt 0 ]; do
                rounds=$((rounds - 1))
                for file; do
                    printf %s "$even" >"$file"
                    printf %s "$odd" >"$file.shell"
                    until mv "$file.shell" "$file" 2>/dev/null; do :; done
                done
            done
            """
        program = try Program.shell.start(["-c", script, "sh", "\(rounds)"] + paths, in: folder)
    }

    /// Waits until it ends.
    func end() throws -> Program.Result { try program.end(within: .seconds(600)) }
}
