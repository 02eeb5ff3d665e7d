// A program whose declarations belong to the main actor by default (-default-isolation MainActor).
import StoredValues

nonisolated enum Preferences: StandardSession {
    struct Values: Codable, Sendable {
        var showColumn = true
    }
    static let session = standard(Values())
}

struct RatingView {
    @Stored("ratings") var ratings: [Int] = []
    @SceneStored("selectedTab") var selectedTab = 9

    func tap(_ rating: Int) { $ratings.update { $0.append(rating) } }
}

final class Window {
    @Stored var count: Int

    init(in session: Session<JSON>) { _count = Stored(wrappedValue: 0, "count", in: session) }
}

RatingView().tap(5)
Window(in: Session(inMemory: [:])).count += 1
Preferences.showColumn = false
