import Glibc

/// Writes a line at once. `print` would keep it until there are more of them.
package func say(_ line: String) { write("\(line)\n", to: 1) }

package func fail(_ message: String) -> Never {
    write("\(message)\n", to: 2)
    exit(64)
}

private func write(_ text: String, to descriptor: Int32) {
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
        let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
        if count < 0 { exit(1) }
        rest = rest.dropFirst(count)
    }
}

/// Waits for the line that says to go on.
package func waitForLine() { _ = readLine() }
