import LosslessJSON

extension JSONPointer {
    /// A path that stands on the command line.
    init(operand text: String) throws(Failure) {
        do throws(JSONPointerError) {
            try self.init(parsing: text)
        } catch {
            throw .misused("PATH: \(error.description.visible)")
        }
    }
}
