internal import CLinux
internal import Glibc

extension Kernel: WritingCalls {
    package func write(
        _ bytes: UnsafeRawBufferPointer, to descriptor: Int32, at offset: Int
    ) throws(ErrorNumber) -> Int {
        try outcome(pwrite(descriptor, bytes.baseAddress, bytes.count, offset)).get()
    }

    package func setSize(of descriptor: Int32, to size: Int) throws(ErrorNumber) {
        _ = try outcome(ftruncate(descriptor, size)).get()
    }

    package func synchroniseData(of descriptor: Int32) throws(ErrorNumber) {
        _ = try outcome(fdatasync(descriptor)).get()
    }

    package var largestFile: Int { Int(clinux_largest_file()) }
}

extension Kernel: AttributeCalls {
    package func setOwner(of descriptor: Int32, user: UInt32?, group: UInt32) throws(ErrorNumber) {
        _ = try outcome(fchown(descriptor, user ?? .max, group)).get()
    }

    package func setPermissions(of descriptor: Int32, to permissions: UInt32) throws(ErrorNumber) {
        _ = try outcome(fchmod(descriptor, permissions)).get()
    }

    package func attributeNames(of descriptor: Int32) throws(ErrorNumber) -> [String] {
        try grown { clinux_attribute_names(descriptor, $0, $1) }
            .split(separator: 0).map { String(decoding: $0, as: UTF8.self) }
    }

    package func attribute(_ name: String, of descriptor: Int32) throws(ErrorNumber) -> [UInt8] {
        try grown { buffer, capacity in name.withCString { clinux_attribute(descriptor, $0, buffer, capacity) } }
    }

    package func setAttribute(_ name: String, of descriptor: Int32, to value: [UInt8]) throws(ErrorNumber) {
        _ = try name.withCString { outcome(clinux_attribute_set(descriptor, $0, value, value.count)) }.get()
    }

    package func removeAttribute(_ name: String, of descriptor: Int32) throws(ErrorNumber) {
        _ = try name.withCString { outcome(clinux_attribute_remove(descriptor, $0)) }.get()
    }

    package var user: UInt32 { geteuid() }

    /// What a call brings that says ERANGE where the room is too small for it.
    private func grown(
        _ call: (UnsafeMutablePointer<CChar>?, Int) -> Int
    ) throws(ErrorNumber) -> [UInt8] {
        var capacity = 256
        while true {
            var count = Result<Int, ErrorNumber>.success(0)
            let bytes = [UInt8](unsafeUninitializedCapacity: capacity) { buffer, filled in
                count = buffer.withMemoryRebound(to: CChar.self) { outcome(call($0.baseAddress, capacity)) }
                filled = (try? count.get()) ?? 0
            }
            if case .failure(let error) = count {
                // The kernel allows no more than 64 KiB.
                guard error.rawValue == ERANGE, capacity < 1 << 16 else { throw error }
                capacity = 1 << 16
            } else {
                return bytes
            }
        }
    }
}
