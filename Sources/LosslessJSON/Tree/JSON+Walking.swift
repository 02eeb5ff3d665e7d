extension JSON {
    /// The value two keys deep: what one subscript after the other gives, without copies on the way.
    public subscript(_ first: String, _ second: String) -> JSON? {
        guard case .object(let object) = self, let place = object.member(first) else { return nil }
        return JSON.member(second, in: place)?.pointee.value
    }

    /// The value three keys deep: what one subscript after the other gives, without copies on the way.
    public subscript(_ first: String, _ second: String, _ third: String) -> JSON? {
        guard case .object(let object) = self, let place = object.member(first),
            let inner = JSON.member(second, in: place)
        else { return nil }
        return JSON.member(third, in: inner)?.pointee.value
    }

    /// Valid as long as the outermost object is: nothing that was shared ever changes.
    @inline(__always)
    private static func member(_ key: String, in place: UnsafeMutablePointer<Member>) -> UnsafeMutablePointer<Member>? {
        guard case .object(let object)? = place.pointee.value else { return nil }
        return object.member(key)
    }
}
