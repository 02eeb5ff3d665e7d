// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InferIsolatedConformances"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
]

// A package of its own, so that building SessionMirror does not need libmicrohttpd.
let package = Package(
    name: "LiveService",
    dependencies: [.package(name: "SessionMirror", path: "../..")],
    targets: [
        .systemLibrary(name: "CMicroHTTPD", pkgConfig: "libmicrohttpd", providers: [.apt(["libmicrohttpd-dev"])]),
        .target(name: "HTTPServer", dependencies: ["CMicroHTTPD"], swiftSettings: settings),
        .executableTarget(
            name: "liveservice",
            dependencies: [
                "HTTPServer",
                .product(name: "LosslessJSON", package: "SessionMirror"),
                .product(name: "SessionMirror", package: "SessionMirror"),
                .product(name: "StandardFolders", package: "SessionMirror"),
                .product(name: "StoredValues", package: "SessionMirror"),
            ],
            // The page is embedded in the program.
            resources: ["page.html", "page.css", "values.js", "rows.js", "tree.js", "events.js"].map {
                .embedInCode("Page/\($0)")
            },
            swiftSettings: settings),
    ]
)
