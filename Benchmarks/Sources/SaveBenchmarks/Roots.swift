/// A value of about 100 bytes.
struct SmallRoot: Codable, Sendable {
    var count = 0
    var greeting = "hello, everybody who reads this"
    var ratio = 0.5
    var isOn = true
}

/// A value of about 10 KB.
struct LargeRoot: Codable, Sendable {
    var count = 0
    var lines = (0..<200).map { "line \($0) of a text that is there to be carried along" }
}

/// A value of about 1 KB.
struct MediumRoot: Codable, Sendable {
    var count = 0
    var lines = (0..<18).map { "line \($0) of a text that is there to be carried along" }
}
