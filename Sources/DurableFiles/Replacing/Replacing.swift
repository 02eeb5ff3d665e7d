internal import Glibc

/// Replacing a file so that nobody's edit is lost: the steps, and what is done when a step finds that others were there.
///
/// ``attempt(at:)`` is the protocol from its beginning to its end. A try that finds the file changed is given up without
/// a trace and begun anew, with what is there by then.
struct Replacing<Calls: FileCalls> {
    typealias Caller = (FoundFile) throws -> [UInt8]?

    let path: String
    let limit: Int
    let options: ReplaceOptions
    let calls: Calls
    let note: SideNote?
    let caller: Caller

    var result = Replacement()
    /// What of ours has been in the file for all to see.
    var confirmed: [UInt8]?
    /// What others wrote that has to go into the next version.
    var carried: [Carried] = []
    /// The names with marks in the folder when this is done.
    var marks: [String] = []
    /// The best way that has not proved impossible here.
    var way = Way.exchange

    /// Whether a file that was created without a name can be given one.
    var takesUnnamed = true

    /// How often a try was given up because somebody wanted to open the file.
    var disturbances = 0

    /// From the one that loses nothing to the one that works nearly everywhere.
    enum Way { case exchange, rename, overwrite }

    /// How a try ended.
    enum Outcome {
        case done
        /// Others wrote meanwhile.
        case again
        /// The path leads to another folder by now.
        case elsewhere
    }

    private static var mostFolders: Int { 10 }
    private static var mostTries: Int { 1_000 }
    static var mostDisturbances: Int { 10 }

    init(
        _ path: String, limit: Int, options: ReplaceOptions, calls: Calls, note: SideNote? = nil,
        caller: @escaping Caller
    ) {
        (self.path, self.limit, self.options, self.calls) = (path, limit, options, calls)
        (self.note, self.caller) = (note, caller)
    }

    mutating func run() throws -> Replacement {
        for _ in 0..<Self.mostFolders {
            var place = try Place.find(path, createsFolders: options.createsFolders, calls: calls)
            result.lock = lockWaiting(&place.folder)
            if try replace(at: place) { return result }
            moveOn()
        }
        throw FileError(.restless, path, .open)
    }

    /// Under the lock of the folder. False when the path leads elsewhere by now.
    private mutating func replace(at place: borrowing Place<Calls>) throws -> Bool {
        way = calls.onlyGrows(place.folder.descriptor) ? .overwrite : .exchange
        var isCleared = false
        for _ in 0..<Self.mostTries {
            do {
                if !isCleared { try clearAway(at: place) }
                isCleared = true
                switch try attempt(at: place) {
                case .again: continue
                case .elsewhere: return false
                case .done:
                    remember(place)
                    return true
                }
            } catch is PathMoved {
                return false
            } catch is NeedsName {
                takesUnnamed = false
            }
        }
        throw FileError(ErrorNumber(EAGAIN), path, .exchange)
    }

    private mutating func attempt(at place: borrowing Place<Calls>) throws -> Outcome {
        guard var found = try FoundVersion.find(place.name, at: place, limit: limit) else {
            return try create(at: place)
        }
        if result.lease != .writerStayed { result.lease = found.lease }
        note?.read(from: found.file)
        guard let bytes = try ask(describe(found.contents)) else { return leave(found.contents) }
        if bytes == found.bytes { return try keep(found, at: place) }
        try requireWritable(at: place)
        if way != .overwrite, !keepsLinks(found.status) {
            do {
                return try supersede(&found, by: bytes, at: place)
            } catch is NamesAreFixed {
                // Nothing has changed, so that the caller's answer is still good.
                way = .overwrite
            }
        }
        return try overwrite(found, with: bytes, at: place)
    }

    /// Puts a file of its own in the place of the one that was found.
    private mutating func supersede(
        _ found: inout FoundVersion<Calls>, by bytes: [UInt8], at place: borrowing Place<Calls>
    ) throws -> Outcome {
        var lost: Set<Replacement.Attribute> = []
        var new = try prepare(bytes, like: found, &lost, at: place)
        guard try isUntouched(&found, at: place) else { return .again }
        guard try leads(to: found.status, at: place) else { return .elsewhere }
        let mark = try mark(&new, against: found, at: place)
        withhold(&new)
        guard try putInPlace(&new, marked: mark, of: &found, at: place) else { return .again }

        new.file.giveBackLease()
        let problem = synchroniseName(at: place)
        written(bytes, isSafe: problem == nil, at: place)
        result.lostAttributes.formUnion(lost)
        try lookAfter(&found, marked: way == .exchange ? mark : nil, at: place)
        if let problem { throw problem }
        try report(new, over: found.status)
        if !carried.isEmpty { return .again }
        return (try? leads(to: new.status, at: place)) == false ? .elsewhere : .done
    }
}
