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

let strictC: [CSetting] = [.enableWarning("all"), .enableWarning("extra"), .treatAllWarnings(as: .error)]

let package = Package(
    name: "SessionMirror",
    products: [
        .library(name: "SessionMirror", targets: ["SessionMirror"]),
        .library(name: "FileWatching", targets: ["FileWatching"]),
        .library(name: "DurableFiles", targets: ["DurableFiles"]),
        .library(name: "LosslessJSON", targets: ["LosslessJSON"]),
        .executable(name: "sessionctl", targets: ["sessionctl"]),
    ],
    traits: [
        .trait(
            name: "InotifyTools",
            description: "Watch by libinotifytools (GPL-2). Without it the kernel's inotify is used directly."),
        .default(enabledTraits: ["InotifyTools"]),
    ],
    targets: [
        // Arrows go down only.
        .target(
            name: "SessionMirror",
            dependencies: ["CReadCopyUpdate", "CLinux", "DurableFiles", "FileWatching", "Locking", "LosslessJSON"],
            swiftSettings: settings),
        .target(
            name: "FileWatching",
            dependencies: [
                .target(name: "CInotifyTools", condition: .when(traits: ["InotifyTools"])), "CLinux", "Locking",
            ], swiftSettings: settings),
        .target(name: "DurableFiles", dependencies: ["CLinux", "Locking"], swiftSettings: settings),
        .target(name: "LosslessJSON", swiftSettings: settings),
        .target(name: "Locking", dependencies: ["CLinux"], swiftSettings: settings),
        .target(name: "CLinux", cSettings: strictC),
        .systemLibrary(name: "CInotifyTools", providers: [.apt(["libinotifytools0-dev"])]),
        .systemLibrary(name: "CReadCopyUpdate", providers: [.apt(["liburcu-dev"])]),

        .target(name: "CArguments", path: "Examples/CArguments", cSettings: strictC),
        .executableTarget(
            name: "sessionctl",
            dependencies: ["CArguments", "DurableFiles", "Locking", "LosslessJSON", "SessionMirror"],
            path: "Examples/sessionctl", swiftSettings: settings),
        .executableTarget(
            name: "livesettings", dependencies: ["LosslessJSON", "SessionMirror"], path: "Examples/livesettings",
            swiftSettings: settings),

        // Replaces malloc, so only programs for tests and measurements may link it.
        .target(name: "CAllocationCount", path: "Tests/CAllocationCount"),
        .target(
            name: "TestSupport", dependencies: ["CAllocationCount"], path: "Tests/TestSupport", swiftSettings: settings),
        .testTarget(name: "TestSupportTests", dependencies: ["TestSupport"], swiftSettings: settings),
        .executableTarget(
            name: "SessionProbe",
            dependencies: ["DurableFiles", "FileScripts", "FileWatching", "LosslessJSON", "SessionMirror"],
            path: "Tests/SessionProbe", swiftSettings: settings),
        .testTarget(
            name: "LosslessJSONTests", dependencies: ["CAllocationCount", "LosslessJSON", "TestSupport", "sessionctl"],
            exclude: ["Agreement/dump.py"], swiftSettings: settings),
        .testTarget(name: "LockingTests", dependencies: ["Locking", "TestSupport"], swiftSettings: settings),
        .target(
            name: "FileScripts", dependencies: ["DurableFiles"], path: "Tests/FileScripts", swiftSettings: settings),
        .executableTarget(
            name: "ReplaceProbe", dependencies: ["DurableFiles", "FileScripts"], path: "Tests/ReplaceProbe",
            swiftSettings: settings),
        .testTarget(
            name: "DurableFilesTests",
            dependencies: ["CLinux", "DurableFiles", "FileScripts", "ReplaceProbe", "TestSupport"],
            swiftSettings: settings),
        .executableTarget(
            name: "HubProbe",
            dependencies: ["CAllocationCount", "DurableFiles", "FileScripts", "FileWatching", "Locking"],
            path: "Tests/HubProbe", swiftSettings: settings),
        .testTarget(
            name: "FileWatchingTests",
            dependencies: ["FileWatching", "HubProbe", "Locking", "LosslessJSON", "SessionProbe", "TestSupport"],
            swiftSettings: settings),
        .executableTarget(
            name: "SaveProbe", dependencies: ["FileScripts", "Locking", "LosslessJSON", "SessionMirror"],
            path: "Tests/SaveProbe",
            swiftSettings: settings),
        .testTarget(
            name: "SessionMirrorTests",
            dependencies: [
                "CAllocationCount", "DurableFiles", "FileScripts", "Locking", "LosslessJSON", "SaveProbe",
                "SessionMirror", "SessionProbe", "TestSupport",
            ],
            swiftSettings: settings),
        .testTarget(
            name: "SessionctlTests", dependencies: ["LosslessJSON", "TestSupport", "sessionctl"],
            swiftSettings: settings),
    ]
)
