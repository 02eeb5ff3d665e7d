import LosslessJSON
import Testing

/// What is true of every merge, tried on random values and random edits of them.
@Suite("Laws of merging") struct MergeLawTests {
    private struct Sides {
        let base: JSON
        let ours: JSON
        let theirs: JSON
    }

    /// Versions of one value, or, every other time, values that share nothing.
    private func forEachCase(_ seed: UInt64, _ body: (Sides) -> Bool) throws {
        for number in 0..<RandomEditTests.count / 2 {
            var random = Seeded(seed &* 7_919 &+ UInt64(number))
            let base = try JSON(parsing: Sketch(&random).text())
            let sides = Sides(base: base, ours: edited(base, &random), theirs: edited(base, &random))
            let isRight =
                number % 2 == 0
                ? body(sides)
                : body(Sides(base: base, ours: try apart(sides.ours), theirs: try apart(sides.theirs)))
            guard isRight else {
                Issue.record("seed \(seed), case \(number): \(sides)")
                return
            }
        }
    }

    private func apart(_ value: JSON) throws -> JSON { try JSON(parsing: value.description) }

    private func edited(_ value: JSON, _ random: inout Seeded) -> JSON {
        var edits = RandomEdit(seed: random.next())
        return (0..<random.below(4)).reduce(value) { value, _ in
            DifferenceModel.applying(edits.change(of: value), to: value)!
        }
    }

    @Test("merging with nothing changes nothing", arguments: Seeded.seeds) func nothing(seed: UInt64) throws {
        try forEachCase(seed) { sides in
            let theirs = JSON.merge(base: sides.base, ours: sides.base, theirs: sides.theirs)
            let ours = JSON.merge(base: sides.base, ours: sides.ours, theirs: sides.base)
            return theirs.value == sides.theirs && ours.value == sides.ours && theirs.conflicts.isEmpty
                && ours.conflicts.isEmpty && ours.value.description == sides.ours.description
        }
    }

    @Test("what both changed alike is no conflict", arguments: Seeded.seeds) func alike(seed: UInt64) throws {
        try forEachCase(seed) { sides in
            let merged = JSON.merge(base: sides.base, ours: sides.ours, theirs: sides.ours)
            return merged.value == sides.ours && merged.conflicts.isEmpty
        }
    }

    @Test("which side is which matters in conflicts only", arguments: Seeded.seeds) func order(seed: UInt64) throws {
        try forEachCase(seed) { sides in
            let merged = JSON.merge(base: sides.base, ours: sides.ours, theirs: sides.theirs)
            let swapped = JSON.merge(
                base: sides.base, ours: sides.theirs, theirs: sides.ours, preferring: .theirs)
            let mirrored = swapped.conflicts.map {
                JSONConflict(path: $0.path, base: $0.base, ours: $0.theirs, theirs: $0.ours)
            }
            return merged.value == swapped.value && Set(merged.conflicts) == Set(mirrored)
        }
    }

    @Test("what a side did is there wherever there is no conflict", arguments: Seeded.seeds)
    func nothingIsLost(seed: UInt64) throws {
        try forEachCase(seed) { sides in
            let merged = JSON.merge(base: sides.base, ours: sides.ours, theirs: sides.theirs)
            let conflicts = merged.conflicts.map(\.path.tokens)
            for (side, isOurs) in [(sides.ours, true), (sides.theirs, false)] {
                for change in side.difference(from: sides.base) {
                    // Indexes move with what the other side inserts; members stay where they are.
                    if hasIndex(change.path, in: sides.base) { continue }
                    let isDisputed = conflicts.contains {
                        change.path.tokens.starts(with: $0) || $0.starts(with: change.path.tokens)
                    }
                    if isDisputed { continue }
                    let isThere =
                        merged.value[at: change.path].map { isPart(change.new, of: $0) } ?? (change.new == nil)
                    guard isThere else { return false }
                }
                for conflict in merged.conflicts
                where conflict.value(of: isOurs ? .ours : .theirs) != side[at: conflict.path] {
                    return false
                }
            }
            return true
        }
    }

    private func hasIndex(_ path: JSONPointer, in value: JSON) -> Bool {
        var here: JSON? = value
        for token in path.tokens {
            if here?.array != nil { return true }
            here = here?[at: JSONPointer([token])]
        }
        return false
    }

    /// Whether a value holds everything of another: both sides may have begun an object.
    private func isPart(_ part: JSON?, of whole: JSON) -> Bool {
        guard let part else { return false }
        guard let members = part.object, let all = whole.object else { return part == whole }
        return members.allSatisfy { key, value in all[key].map { isPart(value, of: $0) } ?? false }
    }

    @Test("a merge can be written into the text of either side", arguments: Seeded.seeds)
    func text(seed: UInt64) throws {
        try forEachCase(seed) { sides in
            let merged = JSON.merge(base: sides.base, ours: sides.ours, theirs: sides.theirs).value
            guard let document = try? JSONDocument(parsing: JSONPrinter().bytes(sides.theirs)),
                let edited = try? document.applying(merged.difference(from: document.value)),
                let read = try? JSON(parsing: edited.text)
            else { return false }
            return read == merged && edited.value == merged
        }
    }
}
