import FoundationEssentials
import StoredValues
import TestSupport
import Testing

/// Values of scenes.
@Suite("Scenes: values of each window") struct SceneTests {
    private let folder: TemporaryFolder
    private let session: Session<JSON>

    init() throws {
        folder = try TemporaryFolder()
        session = try Session(JSON.object([:]), at: folder.path(of: "values.json"), options: Self.options)
    }

    private static var options: SessionOptions {
        var options = SessionOptions()
        // The tests edit the file at once after it was saved, as no person does.
        options.staleWriteWindow = .zero
        return options
    }

    private struct Rejection: Error {}

    private struct State: Sendable {
        @SceneStored("tab") var tab = 9
        @SceneStored("name") var name: String?
    }

    private struct Window: Sendable {
        let tab: SceneStored<Int>
        let ratings: Stored<[Int]>

        init(_ identifier: String, _ session: Session<JSON>) {
            tab = SceneStored("selectedTab", default: 9, in: Scene(identifier, in: session))
            ratings = Stored("ratings", default: [], in: session)
        }
    }

    @Test("Scenes share what is shared, and keep their own values, also after a restart and an edit in between")
    func windows() throws {
        let (left, right) = (Window("left", session), Window("right", session))
        left.tab.value = 2
        left.ratings.value = [4, 0]
        #expect(right.tab.value == 9 && right.ratings.value == [4, 0])
        right.tab.value = 3
        right.ratings.update { $0[1] = 5 }
        #expect(left.tab.value == 2 && left.ratings.value == [4, 5])
        try session.closeBlocking()
        let text = try folder.read("values.json")
        #expect(try JSON(parsing: text)["scenes", "left", "selectedTab"] == 2)
        try folder.write("values.json", text.replacing("\"selectedTab\": 3", with: "\"selectedTab\": 1 /* by hand */"))
        let next = try Session(JSON.object([:]), at: folder.path(of: "values.json"))
        let windows = Scene.all(in: next).map { Window($0.identifier, next) }
        #expect(windows.map(\.tab.value) == [2, 1])
        #expect(windows.map(\.ratings.value) == [[4, 5], [4, 5]])
    }

    @Test("A wrapper belongs to the scene that is current when it is made, or to the one that it names") func current()
        async
    {
        let (left, right) = (Scene("left", in: session), Scene("right", in: session))
        let leftState = left.run { State() }
        let rightState = await right.run { await Task { State() }.value }
        leftState.tab = 1
        rightState.name = "ann"
        #expect(leftState.tab == 1 && leftState.name == nil && rightState.tab == 9 && rightState.name == "ann")
        @SceneStored("tab", in: right) var tab = 5
        #expect(tab == 5)
        tab = 6
        #expect(rightState.tab == 6 && leftState.$tab.isSet)
        left.run {
            #expect(Scene.current == left)
            right.run { #expect(Scene.current == right) }
            #expect(Scene.current == left)
        }
        #expect(throws: Rejection.self) { try left.run { throw Rejection() } }
    }

    @Test("The last use is recorded with the first value, and again only after an hour") func lastUse() throws {
        let window = Window("left", session)
        #expect(session.snapshot.json == [:])
        window.tab.value = 1
        let recorded = try #require(session["scenes", "left", "$lastUsed"])
        let time = try #require(try recorded.value(Date.self, at: "", conversions: .standard))
        #expect(abs(time.timeIntervalSinceNow) < 60)
        window.tab.value = 2
        #expect(session["scenes", "left", "$lastUsed"] == recorded)
        try session.set("/scenes/left/$lastUsed", to: "2020-01-01T00:00:00Z")
        window.tab.value = 3
        #expect(session["scenes", "left", "$lastUsed"] != "2020-01-01T00:00:00Z")
        try session.set("/scenes/right", to: ["$lastUsed": "2020-01-01T00:00:00Z", "selectedTab": 4])
        let right = Window("right", session)
        eventually("opening a stored scene is recorded") {
            session["scenes", "right", "$lastUsed"] != "2020-01-01T00:00:00Z"
        }
        #expect(right.tab.value == 4)
    }
}

// The scenes of a file.
extension SceneTests {
    @Test("Discarding a scene removes its values, and setting one stores it again") func discarding() throws {
        let (left, right) = (Window("left", session), Window("right", session))
        (left.tab.value, right.tab.value) = (1, 2)
        #expect(Scene.all(in: session).map(\.identifier) == ["left", "right"])
        try Scene("left", in: session).discard()
        try Scene("left", in: session).discard()
        #expect(left.tab.value == 9 && right.tab.value == 2)
        #expect(Scene.all(in: session) == [Scene("right", in: session)])
        left.tab.value = 3
        #expect(Scene.all(in: session).count == 2)
        try session.closeBlocking()
        #expect(throws: SessionError.self) { try Scene("left", in: session).discard() }
    }

    @Test("Discarding old scenes keeps those that are open, and those whose last use is not known") func discardingOld()
        throws
    {
        let old = "2020-01-01T00:00:00Z"
        let young = try JSON(parsing: "\"\(Date.now.addingTimeInterval(-3_000).formatted(.iso8601))\"")
        for (name, time) in [("old", .init(old)), ("young", young), ("open", .init(old))] as [(String, JSON)] {
            try session.set(JSONPointer(["scenes", name]), to: ["$lastUsed": time, "tab": 1])
        }
        try session.set("/scenes/written", to: ["tab": 2])
        let open = Scene.all(in: session).filter { $0.identifier == "open" }.map { scene in
            SceneStored("tab", default: 9, in: scene)
        }
        #expect(try Scene.discard(olderThan: .seconds(1), in: session) == ["old"])
        #expect(Scene.all(in: session).map(\.identifier) == ["young", "open", "written"])
        #expect(open.map(\.value) == [1])
        #expect(session["scenes", "open", "$lastUsed"]?.string != old)
        #expect(session["scenes", "written", "$lastUsed"] != nil)
        #expect(try Scene.discard(olderThan: .seconds(7_200), in: session) == [])
    }

    @Test("Several kinds of scenes have members of their own; a text in place of the scenes is rejected and reported")
    func members()
        throws
    {
        let tenants = Scene("acme", in: session, under: "tenants")
        SceneStored("limit", default: 1, in: tenants).value = 5
        #expect(session["tenants", "acme", "limit"] == 5)
        #expect(Scene.all(in: session).isEmpty && Scene.all(in: session, under: "tenants") == [tenants])
        try session.set("/scenes", to: "text")
        let window = Window("left", session)
        window.tab.value = 2
        #expect(window.tab.value == 9 && Scene.all(in: session).isEmpty)
        #expect(try Scene.discard(olderThan: .zero, in: session) == [])
        try session.set("/scenes", to: ["left": 3])
        window.tab.value = 2
        #expect(window.tab.value == 9)
    }

    @Test("A scene that is opened while old ones are discarded is either removed before, or stays")
    func openedMeanwhile()
        async throws
    {
        let rounds = 300
        var kept = 0
        try await withThrowingTaskGroup(of: Void.self) { [session] group in
            group.addTask {
                while !Task.isCancelled { try Scene.discard(olderThan: .zero, in: session) }
            }
            for round in 1...rounds {
                try session.set("/scenes/old", to: ["$lastUsed": "2020-01-01T00:00:00Z", "tab": JSON(round)])
                let tab = SceneStored("tab", default: 0, in: Scene("old", in: session))
                // Waits for a change that has begun before the scene was opened.
                try session.update { _ in }
                if tab.value == 0 { continue }
                kept += 1
                try Scene.discard(olderThan: .zero, in: session)
                #expect(tab.value == round)
                try Scene("old", in: session).discard()
            }
            #expect(kept > 0)
            group.cancelAll()
        }
    }

    @Test("A scene is open for all sessions of its file, and by a wrapper that shares its pointer with another one")
    func openForAll() throws {
        struct Server: Codable, Sendable { var port = 8080 }
        let path = folder.path(of: "shared.json")
        let old: JSON = ["$lastUsed": "2020-01-01T00:00:00Z", "tab": 2]
        try folder.write("shared.json", JSON.object(["scenes": ["left": old, "right": old]]).description)
        let (typed, tree) = (
            try SharedFiles.shared.session(Server(), at: path, options: Self.options, check: nil),
            try SharedFiles.shared.session(JSON.object([:]), at: path, options: Self.options, check: nil)
        )
        let plain = Stored(wrappedValue: 9, at: "/scenes/left/tab", in: tree)
        let left = SceneStored("tab", default: 9, in: Scene("left", in: tree))
        try tree.set("/scenes/left/$lastUsed", to: "2020-01-01T00:00:00Z")
        #expect(try Scene.discard(olderThan: .zero, in: typed) == ["right"])
        #expect(left.value == 2 && plain.value == 2)
        // Saves now, because saving later would create the folder of this test again.
        try typed.flushBlocking()
    }

    @Test("The key of the last use is reserved") func reserved() async {
        await #expect(processExitsWith: .failure) {
            _ = SceneStored("$lastUsed", default: 1, in: Scene("a", in: Session(inMemory: JSON.object([:]))))
        }
    }

    @Test("Threads that read, set, observe and discard lose nothing of the other scenes") func threads() async throws {
        let rounds = 200
        let count = Stored("count", default: 0, in: session)
        try await withThrowingTaskGroup(of: Void.self) { [session] group in
            for number in 0..<4 {
                group.addTask {
                    let window = Window("kept \(number)", session)
                    let changes = Received<Int>()
                    let token = window.tab.projectedValue.observe { changes.add($0.new) }
                    for round in 1...rounds {
                        window.tab.value = round
                        count.update { $0 += 1 }
                        #expect(window.tab.value == round)
                    }
                    await eventually("the last change arrives") { changes.items.last == rounds }
                    withExtendedLifetime(token) {}
                }
                group.addTask {
                    for round in 1...rounds {
                        Window("short \(number)", session).tab.value = round
                        try Scene("short \(number)", in: session).discard()
                        _ = try Scene.discard(olderThan: .zero, in: session)
                        _ = count.value
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(count.value == 4 * rounds)
        #expect(Scene.all(in: session).map(\.identifier).sorted() == (0..<4).map { "kept \($0)" })
        try session.closeBlocking()
        #expect(try JSON(parsing: folder.read("values.json")) == session.snapshot.json)
    }

    @Test("Two processes that set, observe and discard scenes of one file keep their own, and every change")
    func processes() throws {
        let programs = try (0..<2).map { _ in try ProbeRun(["HOME=\(folder.path)"], in: folder) }
        for (number, program) in programs.enumerated() { try program.send("scenes 100 \(number)") }
        for (number, program) in programs.enumerated() {
            let scenes = try program.answer()
            // The other process may have stored the short one again.
            #expect(scenes.contains("kept \(number)"))
        }
        for program in programs {
            let end = try program.end("exit")
            #expect(end.code == 0 && !end.messages.contains("known key"), "\(end)")
        }
        let saved = try JSON(parsing: folder.read(".local/state/StoredProbe/session.json"))
        #expect((0..<2).allSatisfy { saved["scenes", "kept \($0)", "tab"] == 100 } && saved["scenes", "short"] == nil)
    }

    @Test("Scenes of a read-only session are served; a change has no effect, and discarding throws") func readOnly()
        throws
    {
        try folder.write("fixed.json", #"{ "scenes": { "left": { "tab": 3, "$lastUsed": "2020-01-01T00:00:00Z" } } }"#)
        var options = Self.options
        options.isReadOnly = true
        let session = try Session(JSON.object([:]), at: folder.path(of: "fixed.json"), options: options)
        let tab = SceneStored("tab", default: 9, in: Scene("left", in: session))
        tab.value = 4
        #expect(tab.value == 3)
        #expect(throws: SessionError.self) { try Scene("left", in: session).discard() }
        #expect(throws: SessionError.self) { try Scene.discard(olderThan: .zero, in: session) }
        #expect(session["scenes", "left", "$lastUsed"] == "2020-01-01T00:00:00Z")
    }
}
