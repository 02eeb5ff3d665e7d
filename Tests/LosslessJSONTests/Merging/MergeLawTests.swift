import LosslessJSON
import TestSupport
import Testing

/// Properties of every merge, tested with random values and random edits.
@Suite("Properties of random merges") struct MergeLawTests {
    private struct Sides {
        let base: JSON
        let ours: JSON
        let theirs: JSON
    }

    /// Versions of one value or, alternately, values that share no storage.
    private func forEachCase(_ seed: UInt64, _ body: (Sides) -> Bool) throws {
        for number in 0..<RandomEditTests.count / 2 {
            var random = SeededGenerator(seed &* 7_919 &+ UInt64(number))
            let base = try JSON(parsing: RandomText(&random).text())
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

    private func edited(_ value: JSON, _ random: inout SeededGenerator) -> JSON {
        var edits = RandomEdit(seed: random.next())
        return (0..<random.below(4)).reduce(value) { value, _ in
            DifferenceModel.applying(edits.change(of: value), to: value)!
        }
    }

    @Test("Merging with an unchanged side yields the other side without conflicts", arguments: SeededGenerator.seeds)
    func nothing(seed: UInt64) throws {
        try forEachCase(seed) { sides in
            let theirs = JSON.merge(base: sides.base, ours: sides.base, theirs: sides.theirs)
            let ours = JSON.merge(base: sides.base, ours: sides.ours, theirs: sides.base)
            return theirs.value == sides.theirs && ours.value == sides.ours && theirs.conflicts.isEmpty
                && ours.conflicts.isEmpty && ours.value.description == sides.ours.description
        }
    }

    @Test("Identical changes on both sides do not conflict", arguments: SeededGenerator.seeds)
    func alike(seed: UInt64) throws {
        try forEachCase(seed) { sides in
            let merged = JSON.merge(base: sides.base, ours: sides.ours, theirs: sides.ours)
            return merged.value == sides.ours && merged.conflicts.isEmpty
        }
    }

    @Test(
        "Swapping the sides and the preference yields the same merge with mirrored conflicts",
        arguments: SeededGenerator.seeds)
    func order(seed: UInt64) throws {
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

    @Test(
        "Every change of an object member that does not conflict is in the merged value",
        arguments: SeededGenerator.seeds)
    func nothingIsLost(seed: UInt64) throws {
        try forEachCase(seed) { sides in
            let merged = JSON.merge(base: sides.base, ours: sides.ours, theirs: sides.theirs)
            let conflicts = merged.conflicts.map(\.path.tokens)
            for (side, isOurs) in [(sides.ours, true), (sides.theirs, false)] {
                for change in side.difference(from: sides.base) {
                    // Indices shift with the insertions of the other side; members do not.
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

    /// Whether a value contains everything of another: both sides may have created an object.
    private func isPart(_ part: JSON?, of whole: JSON) -> Bool {
        guard let part else { return false }
        guard let members = part.object, let all = whole.object else { return part == whole }
        return members.allSatisfy { key, value in all[key].map { isPart(value, of: $0) } ?? false }
    }

    @Test("A merged value can be written into the text of either side", arguments: SeededGenerator.seeds)
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
