/// Traps with the words for what is not true.
func require(_ condition: Bool, _ statement: String) {
    if !condition { fatalError(statement) }  // unlike a precondition it says so in an optimised build too
}
