internal import Locking

/// Which protocols that coding asks for a type conforms to.
///
/// Such a question searches the conformances of the whole program, so it is asked once for each type in a process. A
/// conformance that is loaded with a library after that is not seen.
struct TypeKind: @unchecked Sendable {  // only types, which never change
    let decodedCollection: (any CollectionDecoding.Type)?
    let encodedCollection: (any CollectionEncoding.Type)?
    let defaulted: (any Defaulted.Type)?
    let partlyDefaulted: (any PartlyDefaulted.Type)?

    private static let known = Lock<[ObjectIdentifier: TypeKind]>([:])

    static func of(_ type: Any.Type) -> TypeKind {
        let identifier = ObjectIdentifier(type)
        if let kind = known.withLock({ $0[identifier] }) { return kind }
        let kind = TypeKind(type)
        known.withLock { $0[identifier] = kind }
        return kind
    }

    private init(_ type: Any.Type) {
        decodedCollection = type as? any CollectionDecoding.Type
        encodedCollection = type as? any CollectionEncoding.Type
        defaulted = type as? any Defaulted.Type
        partlyDefaulted = type as? any PartlyDefaulted.Type
    }
}

extension ObjectIdentifier {
    /// The place of a type in a table of 16, which follows from its address: another type may have the same.
    @inline(__always) var placeInTable: Int { Int(bitPattern: self) &>> 4 & 15 }
}
