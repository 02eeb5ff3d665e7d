/// An edit that was displaced, on its way to the caller and into the next version.
struct Carried {
    let edit: DisplacedEdit
    /// Where it lies meanwhile.
    var lies: Lying
    /// Whether it was left by somebody else, rather than met by this replacement.
    let isInherited: Bool

    enum Lying {
        case nowhere
        /// Under a mark in the folder of the file, which goes when the edit has been written.
        case here(String)
        /// The same, but somebody still writes to it: then it is remembered that so much of it has been written.
        case open(String, Mark.Version)
        /// In the rescue folder.
        case elsewhere(String)
    }

    /// The mark in the folder of the file.
    var mark: String? {
        switch lies {
        case .here(let mark), .open(let mark, _): mark
        case .nowhere, .elsewhere: nil
        }
    }
}

extension Replacing {
    /// What the caller is told.
    func describe(_ contents: FileContents?) -> FoundFile {
        FoundFile(contents: contents, confirmed: confirmed, displaced: carried.map(\.edit))
    }

    /// To be given to the caller with the next question.
    mutating func displace(
        _ bytes: [UInt8], madeOf base: [UInt8]?, _ lies: Carried.Lying, isInherited: Bool = false,
        at place: borrowing Place<Calls>
    ) {
        var carried = Carried(
            edit: DisplacedEdit(base: base, bytes: bytes), lies: lies, isInherited: isInherited)
        if let mark = carried.mark {
            carried = Carried(
                edit: DisplacedEdit(base: base, bytes: bytes, path: place.path(of: mark)), lies: lies,
                isInherited: isInherited)
            if !marks.contains(mark) { marks.append(mark) }
        }
        self.carried.append(carried)
    }

    /// The edits are in the file: they need not lie anywhere else.
    mutating func dropMerged(at place: borrowing Place<Calls>) {
        let merged = carried
        carried = []
        for edit in merged {
            switch edit.lies {
            case .nowhere: break
            case .here(let mark):
                remove(mark, at: place)
                marks.removeAll { $0 == mark }
            case .open(let mark, let version): _ = try? keepLate(mark, version, at: place)
            case .elsewhere(let name): removeElsewhere(name, at: place)
            }
        }
    }

    /// Nothing is written, so that they stay where they are.
    mutating func leaveCarried() {
        for edit in carried { if let path = edit.edit.path { result.leftOvers.append(path) } }
        carried = []
    }

    /// The path leads elsewhere by now. What was met on the way there is still to be written; what lay there already is
    /// for those who come there.
    mutating func moveOn() {
        confirmed = nil
        marks = []
        carried = carried.filter { !$0.isInherited }.map { carried in
            var carried = carried
            carried.lies = .nowhere
            return carried
        }
    }

    /// What somebody still writes to lies under a mark that says how much of it is known, for a later replacement.
    mutating func keepLate(
        _ mark: String, _ version: Mark.Version, at place: borrowing Place<Calls>
    ) throws(FileError) -> String {
        let (name, folder) = (Mark(.late(version)).name(for: place.name), place.folder.descriptor)
        try tell(path, .exchange) { () throws(ErrorNumber) in
            try calls.rename(mark, toFree: name, in: folder)
        }
        marks.removeAll { $0 == mark }
        marks.append(name)
        result.leftOvers = result.leftOvers.map { $0 == place.path(of: mark) ? place.path(of: name) : $0 }
        return name
    }

    /// Somebody did not close it in time.
    mutating func writerStayed(_ mark: String?, at place: borrowing Place<Calls>) {
        result.lease = .writerStayed
        if let mark { result.leftOvers.append(place.path(of: mark)) }
    }
}
