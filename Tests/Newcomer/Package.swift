// swift-tools-version: 6.2
import PackageDescription

// What a newcomer writes in the first hour, from the documentation alone: each program checks what it was promised, and
// imports nothing of the library but one product.
let session = Target.Dependency.product(name: "SessionMirror", package: "SessionMirror")
let storedValues = Target.Dependency.product(name: "StoredValues", package: "SessionMirror")
let standardFolders = Target.Dependency.product(name: "StandardFolders", package: "SessionMirror")
let fleetSession = Target.Dependency.product(name: "FleetSession", package: "SessionMirror")
let objectStore = Target.Dependency.product(name: "ObjectStore", package: "SessionMirror")
let settings: [SwiftSetting] = [
    .swiftLanguageMode(.v6), .treatAllWarnings(as: .error), .enableUpcomingFeature("MemberImportVisibility"),
]

let package = Package(
    name: "Newcomer",
    dependencies: [.package(name: "SessionMirror", path: "../..")],
    targets: ["Service", "TwoWriters", "Preferences", "Concurrency", "UserTests", "CommandLineTool", "Secrets"].map {
        .executableTarget(name: $0, dependencies: [session], swiftSettings: settings)
    } + [
        .executableTarget(name: "ComingFrom", dependencies: [storedValues], swiftSettings: settings),
        .executableTarget(name: "Objects", dependencies: [objectStore], swiftSettings: settings),
        .executableTarget(name: "Fleets", dependencies: [fleetSession], swiftSettings: settings),
        .executableTarget(name: "Folders", dependencies: [standardFolders], swiftSettings: settings),
    ]
)
