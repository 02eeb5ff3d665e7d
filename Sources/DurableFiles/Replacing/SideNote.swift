/// A few bytes that lie with one version of a file: an extended attribute, which is gone when somebody else puts a version
/// of their own in its place.
///
/// Programs that write in place leave it as it was, so what it says should tell which bytes it belongs to. Where the file
/// system has no such attributes, or no room, there is no note, and nobody minds.
package final class SideNote {
    /// Such as `user.program`.
    package let name: String
    /// With what was found last; nil where there was none.
    package internal(set) var found: [UInt8]?
    /// To lie with what is written next.
    package var next: [UInt8]?

    package init(_ name: String) { self.name = name }

    func read(from file: borrowing OpenFile<some FileCalls>) {
        let (calls, descriptor) = (file.calls, file.descriptor)
        found = try? uninterrupted { () throws(ErrorNumber) in try calls.attribute(name, of: descriptor) }
    }

    func write(to file: borrowing OpenFile<some FileCalls>) {
        guard let next else { return }
        let (calls, descriptor) = (file.calls, file.descriptor)
        try? uninterrupted { () throws(ErrorNumber) in try calls.setAttribute(name, of: descriptor, to: next) }
    }
}
