import CCounting

/// Repeats pieces of work whose costs are counted.
///
/// Each case is the same work in every run: the same data, one step after the other, nothing that depends on time.
struct CaseCounter {
    /// Whether each case is repeated less often.
    let isFew: Bool
    let scopes: [counting_scope]
    let isChosen: (String) -> Bool

    /// Counts the costs of `work` in a loop.
    @inline(__always)
    func count<Result>(_ name: String, times: Int = 1_000, _ work: () throws -> Result) rethrows {
        guard scopes.contains(.thread), isChosen(name) else { return }
        for _ in 0..<(isFew ? 1 : 2) { keep(try work()) }
        counting_resume(.thread)
        for _ in 0..<times { keep(try work()) }
        counting_pause(.thread)
        counting_report(name, .thread, UInt64(times))
    }

    /// Counts the costs of `work` without those of the preparation of each repetition, and reports each repetition by
    /// itself.
    ///
    /// - Parameters:
    ///   - scope: Whose costs are counted.
    ///   - prepare: Called before each repetition; its result is passed to `work`.
    func count<Input, Result>(
        _ name: String, times: Int, of scope: counting_scope = .thread, after prepare: () throws -> Input,
        work: (Input) throws -> Result
    ) rethrows {
        guard scopes.contains(scope), isChosen(name) else { return }
        // The first repetitions fill caches, start threads and allocate what is kept.
        for repetition in (isFew ? -1 : -2)..<times {
            let input = try prepare()
            if repetition >= 0 { counting_resume(scope) }
            let result = try work(input)
            if repetition >= 0 {
                counting_pause(scope)
                counting_report(name, scope, 1)
            }
            keep(result)
        }
    }

    @inline(__always)
    private func keep<Value>(_ value: Value) { withUnsafePointer(to: value) { counting_keep($0) } }
}
