// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("ImmutableWeakCaptures"),
    .enableUpcomingFeature("InferIsolatedConformances"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
]

// Only CostTests are optimized like the library: optimizing all tests would double the time of a build.
let testSettings = settings + [.unsafeFlags(["-Onone"], .when(configuration: .release))]

// `SESSIONMIRROR_VIEW=0 swift build` builds sessionctl without `watch --view`, and so without ncurses. Not a trait: the build
// system gives the names of several enabled traits to the compiler in an order that changes from build to build, and then
// compiles everything again.
let hasView = Context.environment["SESSIONMIRROR_VIEW"] != "0"
let viewSettings = settings + (hasView ? [.define("Curses")] : [])

let strictC: [CSetting] = [.enableWarning("all"), .enableWarning("extra"), .treatAllWarnings(as: .error)]

let package = Package(
    name: "SessionMirror",
    products: [
        .library(name: "SessionMirror", targets: ["SessionMirror"]),
        .library(name: "StoredValues", targets: ["StoredValues"]),
        .library(name: "StandardFolders", targets: ["StandardFolders"]),
        .library(name: "ObjectStore", targets: ["ObjectStore"]),
        .library(name: "FleetSession", targets: ["FleetSession"]),
        .library(name: "FileWatching", targets: ["FileWatching"]),
        .library(name: "DurableFiles", targets: ["DurableFiles"]),
        .library(name: "LosslessJSON", targets: ["LosslessJSON"]),
        .executable(name: "sessionctl", targets: ["sessionctl"]),
        .executable(name: "sessionctl-fleet", targets: ["sessionctl-fleet"]),
    ],
    traits: [
        .trait(
            name: "InotifyTools",
            description: "Watch by libinotifytools (GPL-2). Without it the kernel's inotify is used directly."),
        .default(enabledTraits: ["InotifyTools"]),
    ],
    targets: [
        // A library target depends only on targets below it.
        .target(
            name: "StoredValues", dependencies: ["Locking", "SessionMirror", "StandardFolders"], swiftSettings: settings
        ),
        .target(
            name: "ObjectStore",
            dependencies: [
                "DurableFiles", "Locking", "LosslessJSON", "SessionMirror", "StandardFolders", "VisibleText",
            ],
            swiftSettings: settings),
        .target(
            name: "SessionMirror",
            dependencies: [
                "CReadCopyUpdate", "CLinux", "DurableFiles", "FileWatching", "Locking", "LosslessJSON", "VisibleText",
            ],
            swiftSettings: settings),
        .target(
            name: "FileWatching",
            dependencies: [
                .target(name: "CInotifyTools", condition: .when(traits: ["InotifyTools"])), "CLinux", "Locking",
                "VisibleText",
            ], swiftSettings: settings),
        .target(
            name: "FleetSession",
            dependencies: [
                "CLinux", "DurableFiles", "EtcdClient", "FileWatching", "Locking", "LosslessJSON", "SessionMirror",
            ], swiftSettings: settings),
        .target(
            name: "StandardFolders", dependencies: ["CLinux", "DurableFiles", "Locking", "VisibleText"],
            swiftSettings: settings),
        .target(
            name: "EtcdClient", dependencies: ["CCurl", "Locking", "LosslessJSON", "VisibleText"],
            swiftSettings: settings),
        .target(name: "DurableFiles", dependencies: ["CLinux", "Locking", "VisibleText"], swiftSettings: settings),
        .target(name: "LosslessJSON", dependencies: ["Locking", "VisibleText"], swiftSettings: settings),
        .target(name: "VisibleText", swiftSettings: settings),
        .target(name: "Locking", dependencies: ["CLinux"], swiftSettings: settings),
        .target(name: "CLinux", cSettings: strictC),
        .systemLibrary(name: "CCurl", providers: [.apt(["libcurl4-openssl-dev"])]),
        .systemLibrary(name: "CInotifyTools", providers: [.apt(["libinotifytools0-dev"])]),
        .systemLibrary(name: "CReadCopyUpdate", providers: [.apt(["liburcu-dev"])]),

        .target(name: "CArguments", path: "Examples/CArguments", cSettings: strictC),
        .systemLibrary(name: "CCurses", path: "Examples/CCurses", providers: [.apt(["libncurses-dev"])]),
        .executableTarget(
            name: "sessionctl",
            dependencies: [
                "CArguments", "CLinux", "DurableFiles", "Locking", "LosslessJSON", "SessionMirror", "StandardFolders",
                "VisibleText",
            ] + (hasView ? ["CCurses"] : []),
            path: "Examples/sessionctl", swiftSettings: viewSettings),
        // The commands of sessionctl that need libcurl.
        .executableTarget(
            name: "sessionctl-fleet", dependencies: ["FleetSession", "Locking", "LosslessJSON", "VisibleText"],
            path: "Examples/sessionctl-fleet", swiftSettings: settings),
        .executableTarget(
            name: "livesettings", dependencies: ["LosslessJSON", "SessionMirror"], path: "Examples/livesettings",
            swiftSettings: settings),
        .executableTarget(
            name: "columns", dependencies: ["StoredValues"], path: "Examples/columns", swiftSettings: settings),
        .executableTarget(
            name: "exercise", dependencies: ["StoredValues"], path: "Examples/exercise", swiftSettings: settings),
        .executableTarget(
            name: "fleet", dependencies: ["FleetSession"], path: "Examples/fleet", swiftSettings: settings),
        .executableTarget(
            name: "folders", dependencies: ["StandardFolders"], path: "Examples/folders", swiftSettings: settings),
        .executableTarget(
            name: "objects", dependencies: ["ObjectStore"], path: "Examples/objects", swiftSettings: settings),
        .executableTarget(
            name: "profile", dependencies: ["StoredValues"], path: "Examples/profile", swiftSettings: settings),
        .executableTarget(
            name: "ratings", dependencies: ["StoredValues"], path: "Examples/ratings", swiftSettings: settings),

        // Replaces malloc, so only programs for tests and measurements may link it.
        .target(name: "CAllocationCount", path: "Tests/CAllocationCount"),
        .target(
            name: "TestSupport", dependencies: ["CAllocationCount", "Locking"], path: "Tests/TestSupport",
            swiftSettings: settings),
        .testTarget(
            name: "TestSupportTests", dependencies: ["Locking", "TestSupport"], swiftSettings: testSettings),
        .target(
            name: "EtcdTestSupport", dependencies: ["CLinux", "Locking", "TestSupport"], path: "Tests/EtcdTestSupport",
            swiftSettings: settings),
        .testTarget(
            name: "EtcdTestSupportTests", dependencies: ["EtcdTestSupport", "TestSupport"], swiftSettings: testSettings),
        .executableTarget(
            name: "SessionProbe",
            dependencies: ["DurableFiles", "FileScripts", "LosslessJSON", "SessionMirror"],
            path: "Tests/Programs/SessionProbe", swiftSettings: settings),
        .testTarget(
            name: "LosslessJSONTests", dependencies: ["CAllocationCount", "LosslessJSON", "TestSupport"],
            exclude: ["Agreement/dump.py"], swiftSettings: testSettings),
        .testTarget(
            name: "CostTests", dependencies: ["CAllocationCount", "LosslessJSON", "TestSupport"],
            swiftSettings: settings),
        .testTarget(name: "LockingTests", dependencies: ["Locking", "TestSupport"], swiftSettings: testSettings),
        .target(
            name: "FileScripts", dependencies: ["DurableFiles"], path: "Tests/Programs/FileScripts",
            swiftSettings: settings),
        .executableTarget(
            name: "ReplaceProbe", dependencies: ["DurableFiles", "FileScripts"], path: "Tests/Programs/ReplaceProbe",
            swiftSettings: settings),
        .testTarget(
            name: "DurableFilesTests",
            dependencies: ["CLinux", "DurableFiles", "FileScripts", "ReplaceProbe", "TestSupport"],
            swiftSettings: testSettings),
        .executableTarget(
            name: "EtcdProbe", dependencies: ["EtcdClient", "FileScripts"], path: "Tests/Programs/EtcdProbe",
            swiftSettings: settings),
        .testTarget(
            name: "EtcdClientTests", dependencies: ["EtcdClient", "EtcdProbe", "EtcdTestSupport", "TestSupport"],
            swiftSettings: testSettings),
        .executableTarget(
            name: "WatchProbe",
            dependencies: ["CAllocationCount", "DurableFiles", "FileScripts", "FileWatching", "Locking"],
            path: "Tests/Programs/WatchProbe", swiftSettings: settings),
        .testTarget(
            name: "FileWatchingTests",
            dependencies: ["FileWatching", "Locking", "TestSupport", "WatchProbe"],
            swiftSettings: testSettings),
        .executableTarget(
            name: "SaveProbe", dependencies: ["FileScripts", "Locking", "LosslessJSON", "SessionMirror"],
            path: "Tests/Programs/SaveProbe",
            swiftSettings: settings),
        .executableTarget(
            name: "StepProbe",
            dependencies: ["CAllocationCount", "DurableFiles", "FileScripts", "LosslessJSON", "SessionMirror"],
            path: "Tests/Programs/StepProbe", swiftSettings: settings),
        .testTarget(
            name: "SessionMirrorTests",
            dependencies: [
                "CAllocationCount", "CLinux", "CReadCopyUpdate", "DurableFiles", "FileScripts", "FileWatching",
                "Locking",
                "LosslessJSON", "SaveProbe", "SessionMirror", "SessionProbe", "StepProbe", "TestSupport", "sessionctl",
            ],
            swiftSettings: testSettings),
        .executableTarget(
            name: "FleetProbe", dependencies: ["FleetSession"], path: "Tests/Programs/FleetProbe",
            swiftSettings: settings),
        .executableTarget(
            name: "FleetLatency", dependencies: ["FleetSession"], path: "Tests/Programs/FleetLatency",
            swiftSettings: settings),
        .executableTarget(
            name: "FleetCrowd",
            dependencies: [
                "CAllocationCount", "DurableFiles", "EtcdClient", "FileScripts", "FleetSession", "LosslessJSON",
            ],
            path: "Tests/Programs/FleetCrowd", swiftSettings: settings),
        .testTarget(
            name: "FleetSessionTests",
            dependencies: [
                "EtcdTestSupport", "FleetCrowd", "FleetProbe", "FleetSession", "LosslessJSON", "SessionMirror",
                "TestSupport",
            ], swiftSettings: testSettings),
        .executableTarget(
            name: "StoredProbe", dependencies: ["FileScripts", "StoredValues"], path: "Tests/Programs/StoredProbe",
            swiftSettings: settings),
        .testTarget(
            name: "StoredValuesTests",
            dependencies: [
                "SessionMirror", "StandardFolders", "StoredProbe", "StoredValues", "TestSupport", "columns", "exercise",
                "profile",
                "ratings",
            ],
            swiftSettings: testSettings),
        .executableTarget(
            name: "ObjectProbe", dependencies: ["FileScripts", "ObjectStore"], path: "Tests/Programs/ObjectProbe",
            swiftSettings: settings),
        .testTarget(
            name: "ObjectStoreTests",
            dependencies: ["LosslessJSON", "ObjectProbe", "ObjectStore", "StandardFolders", "TestSupport", "objects"],
            swiftSettings: testSettings),
        .testTarget(
            name: "StandardFoldersTests",
            dependencies: ["DurableFiles", "StandardFolders", "TestSupport", "folders"], swiftSettings: testSettings),
        .testTarget(
            name: "SessionctlTests",
            dependencies: [
                "DurableFiles", "EtcdTestSupport", "LosslessJSON", "SessionMirror", "TestSupport", "livesettings",
                "sessionctl", "sessionctl-fleet",
            ],
            swiftSettings: testSettings + (hasView ? [.define("Curses")] : [])),
    ]
)

// The targets to build, with all that they need: SESSIONMIRROR_TARGETS="FileWatchingTests sessionctl"; all by default.
let chosen = Context.environment["SESSIONMIRROR_TARGETS"]?.split(separator: " ").map(String.init) ?? []
if !chosen.isEmpty, chosen != ["all"] {
    var needed = Set(chosen)
    for name in chosen where !package.targets.contains(where: { $0.name == name }) {
        fatalError("SESSIONMIRROR_TARGETS: there is no target \(name)")
    }
    // Each round adds the dependencies of the last one.
    for _ in package.targets {
        for target in package.targets where needed.contains(target.name) {
            for case .byNameItem(let name, _) in target.dependencies { needed.insert(name) }
            for case .targetItem(let name, _) in target.dependencies { needed.insert(name) }
        }
    }
    package.targets.removeAll { !needed.contains($0.name) }
    package.products.removeAll { product in
        let targets = (product as? Product.Library)?.targets ?? (product as? Product.Executable)?.targets ?? []
        return !needed.isSuperset(of: targets)
    }
}
