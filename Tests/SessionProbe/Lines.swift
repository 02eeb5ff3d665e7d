import Glibc

/// Writes a line at once. `print` would keep it until there are more of them.
func say(_ line: String) { write("\(line)\n", to: 1) }

func fail(_ message: String) -> Never {
    write("\(message)\n", to: 2)
    exit(64)
}

private func write(_ text: String, to descriptor: Int32) {
    let bytes = Array(text.utf8)
    guard Glibc.write(descriptor, bytes, bytes.count) == bytes.count else { exit(1) }
}

/// Waits for the line that says to go on.
func waitForLine() { _ = readLine() }
