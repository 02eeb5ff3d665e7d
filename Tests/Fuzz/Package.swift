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
    name: "Fuzz",
    dependencies: [.package(name: "SessionMirror", path: "../..")],
    targets: [
        .target(
            name: "ParserChecks", dependencies: [.product(name: "LosslessJSON", package: "SessionMirror")],
            swiftSettings: settings),
        .target(
            name: "MessageChecks",
            dependencies: ["DurableFiles", "FileWatching", "LosslessJSON", "SessionMirror"].map {
                .product(name: $0, package: "SessionMirror")
            }, swiftSettings: settings),
        .executableTarget(name: "MessageFuzz", dependencies: ["MessageChecks"], swiftSettings: settings),
        .executableTarget(name: "ParserFuzz", dependencies: ["ParserChecks"], swiftSettings: settings),
        .executableTarget(name: "EditFuzz", dependencies: ["ParserChecks"], swiftSettings: settings),
        .executableTarget(name: "ReparseFuzz", dependencies: ["ParserChecks"], swiftSettings: settings),
        .executableTarget(
            name: "CorpusReplay", dependencies: ["MessageChecks", "ParserChecks"], swiftSettings: settings),
    ]
)
