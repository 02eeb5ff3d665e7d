import StoredValues
import TestSupport
import Testing

/// Where wrappers may be declared: compiled in Swift 6 mode without a warning.
@Suite("Places of property wrappers") struct StoredPlacesTests {
    private static let session = Session(inMemory: JSON.object([:]))

    private struct Settings: Sendable {
        @Stored("count", in: StoredPlacesTests.session) var count = 0
        @Stored("name", in: StoredPlacesTests.session) var name: String?
    }

    private actor Counter {
        @Stored("actor", in: StoredPlacesTests.session) var count = 0
        func increment() { count += 1 }
    }

    @MainActor private final class Model {
        @Stored("model", in: StoredPlacesTests.session) var count = 0
    }

    private final class Service: Sendable {
        let settings = Settings()
        let ratings = Stored("ratings", default: [Int](), in: StoredPlacesTests.session)
    }

    private static let shared = Settings()

    @Test("Structures, actors, classes of an actor, and a let of a Sendable class or a type") func places() async {
        let counter = Counter()
        await counter.increment()
        #expect(await counter.count == 1)
        await MainActor.run {
            let model = Model()
            model.count += 1
            #expect(model.count == 1)
        }
        let service = Service()
        service.settings.count += 1
        service.ratings.value.append(4)
        Self.shared.name = "ann"
        #expect(Self.shared.count == 1 && service.ratings.value == [4] && service.settings.name == "ann")
        await Task.detached { service.settings.count += 1 }.value
        #expect(Self.shared.count == 2 && service.settings.$count == Self.shared.$count)
    }
}
