import MessageChecks

/// Called by libFuzzer with each input. A trap is a finding.
@_cdecl("LLVMFuzzerTestOneInput")
public func messageFuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    MessageChecks.run(Array(UnsafeBufferPointer(start: start, count: count)))
    return 0
}
