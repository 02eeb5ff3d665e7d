@testable import LosslessJSON

/// A model of ``JSONObject``: an ordered dictionary with byte-wise keys.
struct ObjectModel {
    private(set) var members: [(key: String, value: JSON)] = []

    init() {}

    init(_ keys: some Sequence<String>) {
        for (number, key) in keys.enumerated() { self[key] = JSON(number) }
    }

    private func place(of key: String) -> Int? {
        members.firstIndex { $0.key.utf8.elementsEqual(key.utf8) }
    }

    subscript(key: String) -> JSON? {
        get { place(of: key).map { members[$0].value } }
        set {
            switch (place(of: key), newValue) {
            case (let place?, let value?): members[place].value = value
            case (let place?, nil): members.remove(at: place)
            case (nil, let value?): members.append((key, value))
            case (nil, nil): break
            }
        }
    }

    /// Describes how the members of `object` differ, in one pass; nil if they do not.
    func change(in object: JSONObject) -> String? {
        var place = 0
        var isEqual = object.count == members.count
        object.forEachMember { key, value in
            isEqual = isEqual && key.string.utf8.elementsEqual(members[place].key.utf8) && value == members[place].value
            place += 1
        }
        return isEqual && place == members.count ? nil : "\(object) instead of \(members)"
    }

    /// Describes how `object` differs, using every accessor; nil if it does not.
    func fault(of object: JSONObject) -> String? {
        if let fault = object.fault { return fault }
        if object.count != members.count { return "\(object.count) members instead of \(members.count)" }
        var place = 0
        for (key, value) in object {
            let expected = members[place]
            guard expected.key.utf8.elementsEqual(key.utf8), expected.value == value else {
                return "\(key): \(value) instead of \(expected) at \(place)"
            }
            guard object[key] == value else { return "\(key) is not found" }
            place += 1
        }
        return place == members.count ? nil : "\(place) members in a walk instead of \(members.count)"
    }
}
