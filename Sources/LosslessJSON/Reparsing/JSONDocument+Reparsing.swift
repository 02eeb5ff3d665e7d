extension JSONDocument {
    /// Parses the next version of this text. Unchanged parts keep their identity, so that comparing the two values
    /// costs only what changed and both versions share memory.
    ///
    /// Both ends that the versions have in common are compared, not parsed.
    ///
    /// - Throws: ``JSONSyntaxError`` for the first error in the text, with its location.
    public func reparsed(_ bytes: RawSpan) throws(JSONSyntaxError) -> JSONDocument {
        try bytes.withUnsafeBytes { bytes throws(JSONSyntaxError) in
            try reparsed(bytes, in: Source.scannable(bytes))
        }
    }

    /// Parses the next version of this text, which `source` contains.
    func reparsed(
        _ bytes: UnsafeRawBufferPointer, in source: @autoclosure () -> Source
    ) throws(JSONSyntaxError) -> JSONDocument {
        if let document = reparsedInPart(bytes, in: source()) { return document }
        let parsed = try JSONDocument(parsing: bytes, in: source(), options)
        let limit = pinnedLimit(parsed.source.count)
        let shared = SubtreeSharing.rebuild(parsed.value, from: value, copying: limit)
        guard let shared else { return parsed }
        return JSONDocument(parsed, shared.value, pinnedBytes: pinnedBytes + shared.copiedBytes)
    }

    /// Parses the next version of this text; unchanged parts keep their identity.
    ///
    /// - Throws: ``JSONSyntaxError`` for the first error in the text, with its location.
    public func reparsed(_ bytes: [UInt8]) throws(JSONSyntaxError) -> JSONDocument { try reparsed(bytes.span.bytes) }

    /// Parses the next version of this text; unchanged parts keep their identity.
    ///
    /// - Throws: ``JSONSyntaxError`` for the first error in the text, with its location.
    public func reparsed(_ text: String) throws(JSONSyntaxError) -> JSONDocument { try reparsed(text.utf8.span.bytes) }

    /// How many bytes of texts the value of a version of `count` bytes may keep alive beyond those that it keeps
    /// already. It is replaced by a fresh parse before it keeps more than one and a half times the size of its text.
    private func pinnedLimit(_ count: Int) -> Int { count * 3 / 2 - pinnedBytes }
}

extension JSONDocument {
    /// Parses only the items that changed; nil if that is not possible.
    ///
    /// The text before the items of a changed place is that of a valid version, and so is the text from the comma or
    /// bracket after them. So the new version is valid if the items of each place are valid by themselves between these
    /// two, and its value differs only there.
    func reparsedInPart(
        _ text: UnsafeRawBufferPointer, in newSource: @autoclosure () -> Source
    ) -> JSONDocument? {
        defer { extendLifetime(source) }
        let oldText = UnsafeRawBufferPointer(source.bytes)
        let difference = TextDifference(from: oldText, to: text)
        if difference.old.isEmpty, difference.growth == 0 { return self }
        var marks = marks
        // With keys that occur twice, positions in the text are not positions in the value. A byte order mark has three
        // bytes.
        guard PartialWork.isEnabled, !isBlank, warnings.isEmpty, text.count <= options.sizeLimit,
            difference.old.lowerBound >= 3
        else { return nil }
        let parts = difference.parts(from: oldText, to: text)
        guard parts.reduce(0, { $0 + $1.old.count + $1.growth }) <= text.count / 2,
            var places = ChangedPlace.all(containing: parts, in: source.bytes, &marks),
            places.reduce(0, { $0 + $1.newBytes.count }) <= text.count / 2
        else { return nil }
        var replacements: [SubtreeSharing.Replacement] = []
        for index in places.indices {
            let (changed, newBytes) = (places[index].items, places[index].newBytes)
            guard let container = value.container(along: changed.path),
                let items = JSONDocument.items(
                    UnsafeRawBufferPointer(rebasing: text[newBytes]), changed, in: container, options)
            else { return nil }
            replacements.append(
                SubtreeSharing.Replacement(path: changed.path, positions: changed.positions, items: items))
            places[index].itemGrowth = items.positionCount - changed.positions.count
        }
        guard let shared = SubtreeSharing.replacing(replacements, in: value, copying: pinnedLimit(text.count)) else {
            return nil
        }
        return JSONDocument(
            newSource(), of: shared.value, after: self, pinnedBytes: pinnedBytes + shared.copiedBytes,
            marks.moved(by: places))
    }

    /// Parses items between stand-ins for their neighbors, so that the commas are checked too; nil if they are not
    /// valid, or if a key occurs twice.
    private static func items(
        _ bytes: UnsafeRawBufferPointer, _ changed: ChangedItems, in container: JSON, _ options: Options
    ) -> JSON? {
        let isObject = if case .object = container { true } else { false }
        let source =
            switch (isObject, changed.hasPredecessor, changed.hasSuccessor) {
            case (true, false, false): Source.scannable(bytes, after: "{", before: "}")
            case (true, false, true): Source.scannable(bytes, after: "{", before: ",\"\":0}")
            case (true, true, false): Source.scannable(bytes, after: "{\"\":0,", before: "}")
            case (true, true, true): Source.scannable(bytes, after: "{\"\":0,", before: ",\",\":0}")
            case (false, false, false): Source.scannable(bytes, after: "[", before: "]")
            case (false, false, true): Source.scannable(bytes, after: "[", before: ",0]")
            case (false, true, false): Source.scannable(bytes, after: "[0,", before: "]")
            case (false, true, true): Source.scannable(bytes, after: "[0,", before: ",0]")
            }
        var options = options
        options.depthLimit -= changed.path.count
        var builder = TreeBuilder(source)
        defer { builder.dispose() }
        let parsed = try? Scanner(source, options).run(&builder, isPart: true)
        guard let parsed, !builder.hadDuplicateKeys else { return nil }
        let (first, last) = (changed.hasPredecessor ? 1 : 0, changed.hasSuccessor ? 1 : 0)
        return parsed.items(at: first..<parsed.positionCount - last)
    }
}
