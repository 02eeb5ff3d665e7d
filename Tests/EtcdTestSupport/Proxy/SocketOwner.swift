import Foundation
import TestSupport

/// Finds out by `/proc` which process has a connection.
enum SocketOwner {
    /// Whether the process has the end at `port` of a connection to another port of 127.0.0.1.
    static func has(_ process: Int32, connectionFrom port: UInt16, to otherPort: UInt16) -> Bool {
        guard let socket = socket(from: port, to: otherPort) else { return false }
        let folder = "/proc/\(process)/fd"
        let descriptors = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return descriptors.contains {
            (try? FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/\($0)")) == "socket:[\(socket)]"
        }
    }

    /// The inode of the socket.
    private static func socket(from port: UInt16, to otherPort: UInt16) -> Substring? {
        let table = (try? Descriptor.contents(of: "/proc/net/tcp")) ?? []
        let ends = [address(port), address(otherPort)]
        for line in String(decoding: table, as: UTF8.self).split(separator: "\n") {
            // Number, local address, remote address, state, queues, timer, retransmissions, user, timeout, inode.
            let fields = line.split(separator: " ")
            if fields.count > 9, fields[1...2].elementsEqual(ends, by: ==) { return fields[9] }
        }
        return nil
    }

    private static func address(_ port: UInt16) -> String {
        let digits = String(port, radix: 16, uppercase: true)
        return "0100007F:" + String(repeating: "0", count: 4 - digits.count) + digits
    }
}
