import Foundation

/// Statistics of a process from `/proc`.
package struct ObservedProcess: Sendable {
    package struct Thread: Hashable, Sendable {
        package let number: String
        package let name: String
        /// The number of voluntary and involuntary context switches. It does not grow while a thread sleeps.
        package let switches: Int
    }

    package let identifier: Int32

    package init(identifier: Int32) { self.identifier = identifier }

    private var folder: String { "/proc/\(identifier)" }

    /// All threads, the main one first.
    package func threads() throws -> [Thread] {
        let numbers = try FileManager.default.contentsOfDirectory(atPath: "\(folder)/task")
        return numbers.sorted { Int($0)! < Int($1)! }.compactMap { number in
            // The thread may have ended.
            guard let status = try? Descriptor.contents(of: "\(folder)/task/\(number)/status") else { return nil }
            let fields = Self.fields(String(decoding: status, as: UTF8.self))
            let switches = ["voluntary_ctxt_switches", "nonvoluntary_ctxt_switches"].map { Int(fields[$0] ?? "")! }
            return Thread(number: number, name: fields["Name"] ?? "", switches: switches.reduce(0, +))
        }
    }

    private static func fields(_ status: String) -> [String: String] {
        let pairs = status.split(separator: "\n").map { $0.split(separator: ":", maxSplits: 1) }
        return Dictionary(pairs.map { (String($0[0]), $0.last!.trimmingCharacters(in: .whitespaces)) }) { first, _ in
            first
        }
    }

    /// The resident memory in bytes.
    package func residentBytes() throws -> Int {
        let sizes = try String(contentsOfFile: "\(folder)/statm", encoding: .utf8).split(separator: " ")
        return Int(sizes[1])! * Int(getpagesize())
    }

    /// The number of inotify watches, over all inotify descriptors.
    package func watches() throws -> Int {
        try FileManager.default.contentsOfDirectory(atPath: "\(folder)/fdinfo").reduce(0) { count, descriptor in
            // The descriptor may have been closed.
            guard let info = try? Descriptor.contents(of: "\(folder)/fdinfo/\(descriptor)") else { return count }
            let lines = String(decoding: info, as: UTF8.self).split(separator: "\n")
            return count + lines.count { $0.hasPrefix("inotify wd:") }
        }
    }

    /// The number of open descriptors.
    package func descriptors() throws -> Int {
        try FileManager.default.contentsOfDirectory(atPath: "\(folder)/fd").count
    }
}
