import TestSupport
import Testing

@testable import FileWatching

@Suite struct PathSetTests {
    private func members(_ set: PathSet) -> [Int] {
        var result: [Int] = []
        set.visit { result.append($0.number) }
        return result.sorted()
    }

    @Test("A path set behaves like Set")
    func agreesWithSet() {
        var generator = SeededGenerator(5)
        for largest in [1, 2, 3, 50] {
            var (set, model) = (PathSet(), Set<Int>())
            for _ in 0..<500 {
                let number = Int.random(in: 1...largest, using: &generator)
                if Bool.random(using: &generator) {
                    set.insert(PathID(number: number))
                    model.insert(number)
                } else {
                    set.remove(PathID(number: number))
                    model.remove(number)
                }
                #expect(members(set) == model.sorted())
                #expect(set.isEmpty == model.isEmpty)
            }
        }
    }
}
