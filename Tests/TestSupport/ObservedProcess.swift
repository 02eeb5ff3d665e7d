import Foundation

/// What the kernel tells of a process.
package struct ObservedProcess: Sendable {
    package struct Thread: Hashable, Sendable {
        package let number: String
        package let name: String
        /// How often it was switched away from, because it waited or because its time was up: a thread that sleeps is
        /// never switched away from.
        package let switches: Int
    }

    package let identifier: Int32

    package init(identifier: Int32) { self.identifier = identifier }

    private var folder: String { "/proc/\(identifier)" }

    /// All of its threads, the main one first.
    package func threads() throws -> [Thread] {
        let numbers = try FileManager.default.contentsOfDirectory(atPath: "\(folder)/task")
        return numbers.sorted { Int($0)! < Int($1)! }.compactMap { number in
            // A thread may end meanwhile.
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

    /// How many bytes of memory it occupies.
    package func residentBytes() throws -> Int {
        let sizes = try String(contentsOfFile: "\(folder)/statm", encoding: .utf8).split(separator: " ")
        return Int(sizes[1])! * Int(getpagesize())
    }

    /// How many files and folders it has the kernel watch, with all of its inotify descriptors.
    package func watches() throws -> Int {
        try FileManager.default.contentsOfDirectory(atPath: "\(folder)/fdinfo").reduce(0) { count, descriptor in
            // A descriptor may be closed meanwhile.
            guard let info = try? Descriptor.contents(of: "\(folder)/fdinfo/\(descriptor)") else { return count }
            let lines = String(decoding: info, as: UTF8.self).split(separator: "\n")
            return count + lines.count { $0.hasPrefix("inotify wd:") }
        }
    }

    /// How many descriptors it has open.
    package func descriptors() throws -> Int {
        try FileManager.default.contentsOfDirectory(atPath: "\(folder)/fd").count
    }
}
