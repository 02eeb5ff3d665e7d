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

let package = Package(
    name: "SessionMirror",
    products: [
        .library(name: "LosslessJSON", targets: ["LosslessJSON"]),
        .executable(name: "sessionctl", targets: ["sessionctl"]),
    ],
    targets: [
        .target(name: "LosslessJSON", swiftSettings: settings),
        .target(
            name: "CArguments", path: "Examples/CArguments",
            cSettings: [.enableWarning("all"), .enableWarning("extra"), .treatAllWarnings(as: .error)]),
        .executableTarget(
            name: "sessionctl", dependencies: ["CArguments", "LosslessJSON"], path: "Examples/sessionctl",
            swiftSettings: settings),
        // Replaces malloc, so only programs for tests and measurements may link it.
        .target(name: "CAllocationCount", path: "Tests/CAllocationCount"),
        .testTarget(
            name: "LosslessJSONTests", dependencies: ["LosslessJSON", "CAllocationCount"],
            exclude: ["Agreement/dump.py"], swiftSettings: settings),
        .testTarget(name: "SessionctlTests", dependencies: ["sessionctl"], swiftSettings: settings),
    ]
)
