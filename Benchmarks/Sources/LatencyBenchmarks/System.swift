import Glibc
import HandTimed

/// How many bytes of memory this process occupies.
func residentBytes() -> Int {
    guard let file = fopen("/proc/self/statm", "r") else { fail("no /proc/self/statm") }
    defer { fclose(file) }
    var line = [CChar](repeating: 0, count: 256)
    fgets(&line, Int32(line.count), file)
    let words = String(decoding: line.prefix { $0 != 0 }.map { UInt8($0) }, as: UTF8.self).split(separator: " ")
    return Int(words[1])! * Int(getpagesize())
}
