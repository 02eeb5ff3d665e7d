extension Dictionary where Value: Defaulted {
    /// The value for `key`, or the default value if there is none.
    ///
    /// Reading does not insert anything; writing does, also to a property: `windows[defaulted: "main"].width = 800`
    /// adds a window of the default height. Key paths can contain it, unlike `subscript(_:default:)`:
    /// `\.windows[defaulted: "main"].width`.
    public subscript(defaulted key: Key) -> Value {
        get { self[key] ?? Value() }
        set { self[key] = newValue }
    }
}
