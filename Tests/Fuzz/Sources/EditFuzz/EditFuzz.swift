import ParserChecks

/// Called by libFuzzer with each input. A trap is a finding.
@_cdecl("LLVMFuzzerTestOneInput")
public func editFuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    EditChecks.run(Array(UnsafeBufferPointer(start: start, count: count)))
    return 0
}
