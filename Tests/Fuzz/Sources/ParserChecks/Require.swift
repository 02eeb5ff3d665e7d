/// Traps with the description of the failure if the condition is false.
func require(_ condition: Bool, _ failure: String) {
    if !condition { fatalError(failure) }  // unlike a precondition, it prints the text in an optimized build, too
}
