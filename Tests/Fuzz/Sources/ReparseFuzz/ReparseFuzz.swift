import ParserChecks

/// Called by libFuzzer with each input. A trap is a finding.
@_cdecl("LLVMFuzzerTestOneInput")
public func reparseFuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    ReparseChecks.run(Array(UnsafeBufferPointer(start: start, count: count)))
    return 0
}
