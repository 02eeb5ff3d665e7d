// Measures how long an edit of one machine's file takes to reach the files of two others, beside how long etcdctl takes
// from a put to a watch of the same cluster, edit by edit in turns.
//
// FleetLatency ENDPOINTS EDITS
//
// ENDPOINTS are separated by commas. Prints the medians in milliseconds.

import FleetSession
import Glibc

struct Settings: Codable, Sendable {
    var number = 0
    var names: [String: String] = [:]
}

func fail(_ message: String) -> Never {
    let bytes = Array("FleetLatency: \(message)\n".utf8)
    _ = Glibc.write(2, bytes, bytes.count)
    exit(2)
}

func write(_ text: String, to path: String) {
    guard let file = fopen(path + ".new", "w") else { fail("cannot write \(path)") }
    fputs(text, file)
    fclose(file)
    rename(path + ".new", path)
}

func read(_ path: String) -> String {
    guard let file = fopen(path, "r") else { return "" }
    defer { fclose(file) }
    var buffer = [UInt8](repeating: 0, count: 1 << 21)
    let count = fread(&buffer, 1, buffer.count, file)
    return String(decoding: buffer[..<count], as: UTF8.self)
}

/// The output of `etcdctl watch`, line by line.
final class EtcdctlWatch {
    private let stream: UnsafeMutablePointer<FILE>

    init(_ key: String, _ endpoints: String) {
        guard let stream = popen("ETCDCTL_API=3 exec etcdctl --endpoints \(endpoints) watch \(key)", "r") else {
            fail("etcdctl cannot be started")
        }
        self.stream = stream
    }

    func wait(for text: String) {
        var buffer = [CChar](repeating: 0, count: 1 << 16)
        while fgets(&buffer, Int32(buffer.count), stream) != nil {
            if String(decoding: buffer.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self).contains(text) {
                return
            }
        }
        fail("etcdctl watch has ended")
    }
}

let arguments = CommandLine.arguments
guard arguments.count == 3, let edits = Int(arguments[2]) else { fail("usage: FleetLatency ENDPOINTS EDITS") }
var template = Array("/dev/shm/fleet-XXXXXX".utf8CString)
guard mkdtemp(&template) != nil else { fail("no temporary folder") }
let folder = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
let paths = (0..<3).map { "\(folder)/\($0)/settings.json" }
let names = (0..<20).map { "    \"name \($0)\": \"the value of number \($0)\"" }.joined(separator: ",\n")
func text(_ number: Int) -> String { "{\n  \"number\": \(number),\n  \"names\": {\n\(names)\n  }\n}\n" }
for (index, path) in paths.enumerated() {
    mkdir("\(folder)/\(index)", 0o700)
    write("// \(index)\n" + text(0), to: path)
}
let sessions = try paths.map { try Session(Settings(), at: $0) }
let etcd = EtcdOptions(endpoints: arguments[1].split(separator: ",").map(String.init))
let fleets = try sessions.map { try FleetSession($0, key: "/latency/settings", etcd: etcd) }
while !fleets.allSatisfy({ $0.status.connection == .connected }) { try await Task.sleep(for: .milliseconds(5)) }
let watch = EtcdctlWatch("/latency/plain", arguments[1])
try await Task.sleep(for: .seconds(1))

var ours: [Double] = []
var plain: [Double] = []
let clock = ContinuousClock()
for number in 1...edits {
    let from = number % 3
    // The edit begins with the write, as the put begins with its program's first step.
    let began = clock.now
    write("// \(from)\n" + text(number), to: paths[from])
    for index in 0..<3 where index != from {
        while !read(paths[index]).contains("\"number\": \(number),") { usleep(100) }
    }
    ours.append((clock.now - began) / .milliseconds(1))
    usleep(20_000)
    let put = clock.now
    guard system("ETCDCTL_API=3 etcdctl --endpoints \(arguments[1]) put /latency/plain value-\(number) >/dev/null") == 0
    else { fail("etcdctl put failed") }
    watch.wait(for: "value-\(number)")
    plain.append((clock.now - put) / .milliseconds(1))
    usleep(20_000)
}
func median(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }
print("edit to the last of two other files: \(median(ours)) ms; etcdctl put to watch: \(median(plain)) ms")
for fleet in fleets { await fleet.close() }
_ = system("pkill -P \(getpid()) etcdctl; rm -rf \(folder)")
exit(0)
