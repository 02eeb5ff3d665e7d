/// Makes the keyed containers of one type of keys.
///
/// Generic code looks up each generic type that it uses, which takes longer than to encode a member. An object knows the
/// types that its class was made of.
class KeyedContainerMaker<Key: CodingKey>: AnyKeyedContainerMaker {
    func container(of encoder: TreeEncoder) -> KeyedEncodingContainer<Key> { preconditionFailure("a subclass does") }
    func container(of decoder: TreeDecoder) -> KeyedDecodingContainer<Key> { preconditionFailure("a subclass does") }
}

class AnyKeyedContainerMaker {}

private final class MemberContainerMaker<Encoding: MemberEncoding, Decoding: MemberDecoding>: KeyedContainerMaker<
    Encoding.Key
>
where Encoding.Key == Decoding.Key {
    override func container(of encoder: TreeEncoder) -> KeyedEncodingContainer<Encoding.Key> {
        KeyedEncodingContainer(Encoding(encoder))
    }

    override func container(of decoder: TreeDecoder) -> KeyedDecodingContainer<Encoding.Key> {
        KeyedDecodingContainer(Decoding(decoder))
    }
}

/// Encodes the members of an object.
protocol MemberEncoding: KeyedEncodingContainerProtocol {
    init(_ encoder: TreeEncoder)
}

/// Decodes the members of an object.
protocol MemberDecoding: KeyedDecodingContainerProtocol {
    init(_ decoder: TreeDecoder)
}

/// The types of keys that one coder call has met, with what makes their containers.
struct KeyedContainerMakers {
    private struct Entry {
        let key: ObjectIdentifier
        var maker: AnyKeyedContainerMaker?
    }

    /// A type may drive out another one.
    private var entries = InlineArray<16, Entry?>(repeating: nil)

    /// nil if a type was not met before: most are met once, or very often.
    @inline(__always)
    mutating func maker<Key: CodingKey>(for type: Key.Type) -> KeyedContainerMaker<Key>? {
        let number = ObjectIdentifier(type).placeInTable
        guard let entry = entries[number], entry.key == ObjectIdentifier(type) else {
            entries[number] = Entry(key: ObjectIdentifier(type))
            return nil
        }
        return unsafeDowncast(entry.maker ?? addMaker(for: type, number), to: KeyedContainerMaker<Key>.self)
    }

    @inline(never)
    private mutating func addMaker<Key: CodingKey>(for type: Key.Type, _ number: Int) -> AnyKeyedContainerMaker {
        let maker = MemberContainerMaker<MemberEncoder<Key>, MemberDecoder<Key>>()
        entries[number]!.maker = maker
        return maker
    }
}
