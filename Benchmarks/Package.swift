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
    name: "Benchmarks",
    dependencies: [.package(name: "SessionMirror", path: "..")],
    targets: [
        .target(name: "CAllocationCount"),
        .target(
            name: "CGoogleBenchmark",
            cxxSettings: [.treatAllWarnings(as: .error)],
            linkerSettings: [.linkedLibrary("benchmark")]),
        .target(
            name: "BenchmarkHarness",
            dependencies: ["CAllocationCount", "CGoogleBenchmark"],
            swiftSettings: settings),
        // The texts and values that several programs measure with.
        .target(
            name: "BenchmarkData", dependencies: [.product(name: "LosslessJSON", package: "SessionMirror")],
            swiftSettings: settings),
        .executableTarget(
            name: "LosslessJSONBenchmarks",
            dependencies: [
                "BenchmarkData", "BenchmarkHarness", .product(name: "LosslessJSON", package: "SessionMirror"),
            ],
            swiftSettings: settings),
        // What programs use instead of a session, to read a value by several threads.
        .target(name: "Contenders", dependencies: ["CReadCopyUpdateCell"], swiftSettings: settings),
        .target(
            name: "CReadCopyUpdateCell",
            linkerSettings: [.linkedLibrary("urcu-bp"), .linkedLibrary("urcu-common")]),
        .executableTarget(
            name: "ReadBenchmarks",
            dependencies: [
                "BenchmarkData", "BenchmarkHarness", "Contenders",
                .product(name: "LosslessJSON", package: "SessionMirror"),
                .product(name: "SessionMirror", package: "SessionMirror"),
                .product(name: "StoredValues", package: "SessionMirror"),
            ],
            swiftSettings: settings),
        // The program whose instructions, allocations and system calls counts.py counts.
        .target(name: "CCounting", dependencies: ["CAllocationCount"], cSettings: [.treatAllWarnings(as: .error)]),
        .executableTarget(
            name: "CountedCases",
            dependencies: [
                "BenchmarkData", "CCounting", "ManualTiming",
                .product(name: "LosslessJSON", package: "SessionMirror"),
                .product(name: "SessionMirror", package: "SessionMirror"),
                .product(name: "StoredValues", package: "SessionMirror"),
            ],
            swiftSettings: settings),
        // The program that disassemble.sh inspects.
        .executableTarget(
            name: "PortLoop", dependencies: [.product(name: "SessionMirror", package: "SessionMirror")],
            swiftSettings: settings),
        // For measurements with several processes or a disk, which Google Benchmark cannot interleave.
        .target(name: "ManualTiming", swiftSettings: settings),
        .executableTarget(
            name: "ReplaceBenchmarks",
            dependencies: ["ManualTiming", .product(name: "DurableFiles", package: "SessionMirror")],
            swiftSettings: settings),
        .executableTarget(
            name: "SaveBenchmarks",
            dependencies: [
                "CSQLite", "ManualTiming",
                .product(name: "LosslessJSON", package: "SessionMirror"),
                .product(name: "SessionMirror", package: "SessionMirror"),
            ],
            swiftSettings: settings),
        .systemLibrary(name: "CSQLite", providers: [.apt(["libsqlite3-dev"])]),
        .executableTarget(
            name: "ObjectBenchmarks",
            dependencies: ["CSQLite", "ManualTiming", .product(name: "ObjectStore", package: "SessionMirror")],
            swiftSettings: settings),
        .executableTarget(
            name: "ScaleBenchmarks",
            dependencies: [
                "Contenders", "ManualTiming",
                .product(name: "LosslessJSON", package: "SessionMirror"),
                .product(name: "SessionMirror", package: "SessionMirror"),
            ],
            swiftSettings: settings),
        .target(name: "CCycleCounter"),
        .executableTarget(
            name: "LatencyBenchmarks",
            dependencies: [
                "CCycleCounter", "Contenders", "ManualTiming",
                .product(name: "LosslessJSON", package: "SessionMirror"),
                .product(name: "SessionMirror", package: "SessionMirror"),
            ],
            swiftSettings: settings),
    ],
    cxxLanguageStandard: .cxx17
)
