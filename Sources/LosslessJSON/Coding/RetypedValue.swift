/// Returns a value under another name of its type, in generic code where the compiler cannot tell that the two are one.
/// The caller has checked that; a cast would check again at run time.
@inline(__always)
func retyped<Value, Known>(_ value: Value) -> Known {
    precondition(Known.self == Value.self, "one type under two names")
    return unsafeBitCast(value, to: Known.self)
}
