internal import CLinux
internal import Glibc

extension Kernel: WritingCalls {
    package func write(
        _ bytes: UnsafeRawBufferPointer, to descriptor: Int32, at offset: Int
    ) throws(ErrorNumber) -> Int {
        try errnoResult(pwrite(descriptor, bytes.baseAddress, bytes.count, offset)).get()
    }

    package func setSize(of descriptor: Int32, to size: Int) throws(ErrorNumber) {
        _ = try errnoResult(ftruncate(descriptor, size)).get()
    }

    package func synchronizeData(of descriptor: Int32) throws(ErrorNumber) {
        _ = try errnoResult(fdatasync(descriptor)).get()
    }

    package var largestFile: Int { Int(clinux_largest_file()) }
}

extension Kernel: AttributeCalls {
    package func setOwner(of descriptor: Int32, user: UInt32?, group: UInt32) throws(ErrorNumber) {
        _ = try errnoResult(fchown(descriptor, user ?? .max, group)).get()
    }

    package func setPermissions(of descriptor: Int32, to permissions: UInt32) throws(ErrorNumber) {
        _ = try errnoResult(fchmod(descriptor, permissions)).get()
    }

    package func attributeNames(of descriptor: Int32) throws(ErrorNumber) -> [String] {
        try withGrowingBuffer { clinux_attribute_names(descriptor, $0, $1) }
            .split(separator: 0).map { String(decoding: $0, as: UTF8.self) }
    }

    package func attribute(_ name: String, of descriptor: Int32) throws(ErrorNumber) -> [UInt8] {
        try withGrowingBuffer { buffer, capacity in
            name.withCString { clinux_attribute(descriptor, $0, buffer, capacity) }
        }
    }

    package func setAttribute(_ name: String, of descriptor: Int32, to value: [UInt8]) throws(ErrorNumber) {
        _ = try name.withCString { errnoResult(clinux_attribute_set(descriptor, $0, value, value.count)) }.get()
    }

    package func removeAttribute(_ name: String, of descriptor: Int32) throws(ErrorNumber) {
        _ = try name.withCString { errnoResult(clinux_attribute_remove(descriptor, $0)) }.get()
    }

    package var user: UInt32 { geteuid() }

    package func overridesPermissions(_ user: UInt32) -> Bool { clinux_overrides_permissions(user) }

    /// Returns the result of a call that fails with ERANGE if its buffer is too small, and enlarges the buffer then.
    private func withGrowingBuffer(
        _ call: (UnsafeMutablePointer<CChar>?, Int) -> Int
    ) throws(ErrorNumber) -> [UInt8] {
        var capacity = 256
        while true {
            var count = Result<Int, ErrorNumber>.success(0)
            let bytes = [UInt8](unsafeUninitializedCapacity: capacity) { buffer, filled in
                count = buffer.withMemoryRebound(to: CChar.self) { errnoResult(call($0.baseAddress, capacity)) }
                filled = (try? count.get()) ?? 0
            }
            if case .failure(let error) = count {
                // The kernel limits the value to 64 KiB.
                guard error.rawValue == ERANGE, capacity < 1 << 16 else { throw error }
                capacity = 1 << 16
            } else {
                return bytes
            }
        }
    }
}
