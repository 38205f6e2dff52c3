// swift-tools-version: 6.2
import PackageDescription

/// What every target of ours is compiled with: language mode 6, no warning let through, every
/// import and every existential spelled out.
///
/// Tests see what is internal, so that programs and tests are one build.
let strict: [SwiftSetting] = [
    .unsafeFlags(["-enable-testing"]),
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .treatAllWarnings(as: .error),
]

/// Most tests are compiled without optimization, which takes longer than it saves when they run,
/// and all without what a debugger reads.
let tests = strict + [.unsafeFlags(["-Onone", "-gnone"])]
/// Tests that compute much, and what all tests compute with, are optimized.
let computingTests = strict + [.unsafeFlags(["-gnone"])]

let crypto = Target.Dependency.product(name: "Crypto", package: "swift-crypto")
let cryptoExtras = Target.Dependency.product(name: "CryptoExtras", package: "swift-crypto")
let grdb = Target.Dependency.product(name: "GRDB", package: "GRDB.swift")
let sqlite = Target.Dependency.product(name: "GRDBSQLite", package: "GRDB.swift")
let yams = Target.Dependency.product(name: "Yams", package: "Yams")
let logging = Target.Dependency.product(name: "Logging", package: "swift-log")
let mustache = Target.Dependency.product(name: "Mustache", package: "swift-mustache")
let httpTypes = Target.Dependency.product(name: "HTTPTypes", package: "swift-http-types")
let jwt = Target.Dependency.product(name: "JWTKit", package: "jwt-kit")
let hummingbird = Target.Dependency.product(name: "Hummingbird", package: "hummingbird")
let hummingbirdCore = Target.Dependency.product(name: "HummingbirdCore", package: "hummingbird")
let nioCore = Target.Dependency.product(name: "NIOCore", package: "swift-nio")
let nioHTTP1 = Target.Dependency.product(name: "NIOHTTP1", package: "swift-nio")
let nioHTTPTypes = Target.Dependency.product(name: "NIOHTTPTypes", package: "swift-nio-extras")
let nioPosix = Target.Dependency.product(name: "NIOPosix", package: "swift-nio")
let nioSSL = Target.Dependency.product(name: "NIOSSL", package: "swift-nio-ssl")
let lifecycle = Target.Dependency.product(
    name: "ServiceLifecycle",
    package: "swift-service-lifecycle"
)
let unixSignals = Target.Dependency.product(
    name: "UnixSignals",
    package: "swift-service-lifecycle"
)
let serving = [
    httpTypes, hummingbird, hummingbirdCore, lifecycle, nioCore, nioHTTP1, nioHTTPTypes, nioPosix,
    nioSSL, unixSignals, crypto, logging,
]
let arguments = Target.Dependency.product(name: "ArgumentParser", package: "swift-argument-parser")

let package = Package(
    name: "triptych",
    products: [
        .executable(name: "triptych", targets: ["triptych"]),
        .executable(name: "triptych-server", targets: ["triptych-server"]),
    ],
    traits: [
        .trait(
            name: "Libdeflate",
            description: "Expand gzip members of a bounded size with libdeflate (libdeflate-dev)."
        )
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/apple/swift-crypto", from: "4.5.2"),
        .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
        .package(url: "https://github.com/apple/swift-nio-extras", from: "1.35.2"),
        .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.37.6"),
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
        .package(
            url: "https://github.com/hummingbird-project/hummingbird",
            from: "2.28.1",
            traits: ["FullFoundation"]
        ),
        .package(url: "https://github.com/hummingbird-project/swift-mustache", from: "2.1.1"),
        .package(url: "https://github.com/jpsim/Yams", from: "6.2.2"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
        .package(url: "https://github.com/vapor/jwt-kit", from: "5.7.1"),
    ],
    targets: [
        .systemLibrary(
            name: "CZlib",
            pkgConfig: "zlib",
            providers: [.apt(["zlib1g-dev"])]
        ),
        // Without pkgConfig, which is asked for a library even where its trait is off.
        .systemLibrary(name: "CLibdeflate"),
        .systemLibrary(name: "CMalloc"),
        .systemLibrary(
            name: "CLibcrypto",
            pkgConfig: "libcrypto",
            providers: [.apt(["libssl-dev"])]
        ),
        .systemLibrary(
            name: "CSQLite",
            pkgConfig: "sqlite3",
            providers: [.apt(["libsqlite3-dev"])]
        ),
        .target(name: "TripCrypto", dependencies: ["CLibcrypto"], swiftSettings: strict),
        .target(name: "TripText", dependencies: ["TripDomain"], swiftSettings: strict),
        .target(name: "TripDomain", swiftSettings: strict),
        .target(name: "TripRules", dependencies: ["TripDomain"], swiftSettings: strict),
        .target(
            name: "TripEngine",
            dependencies: [
                "TripDomain", "TripRules", "TripCrypto", "CZlib",
                .target(name: "CLibdeflate", condition: .when(traits: ["Libdeflate"])),
            ],
            swiftSettings: strict
        ),
        .target(
            name: "TripSynthetic",
            dependencies: ["TripDomain", "TripText", "CZlib"],
            swiftSettings: strict
        ),
        .target(name: "TripDisclosure", dependencies: ["TripDomain"], swiftSettings: strict),
        .target(
            name: "TripMart",
            dependencies: ["TripDomain", "TripDisclosure", "TripCrypto", "CSQLite"],
            swiftSettings: strict
        ),
        .target(
            name: "TripPipeline",
            dependencies: ["TripDomain", "TripRules", "TripEngine", yams],
            swiftSettings: strict
        ),
        .target(
            name: "TripRuns",
            dependencies: [
                "TripDomain", "TripText", "TripRules", "TripEngine", "TripSynthetic", "TripMart",
                "TripPipeline",
            ],
            swiftSettings: strict
        ),
        .target(
            name: "TripReports",
            dependencies: [
                "TripDomain", "TripText", "TripRules", "TripMart", "TripPipeline", "TripRuns",
                mustache,
            ],
            swiftSettings: strict
        ),
        .executableTarget(
            name: "triptych",
            dependencies: [
                "TripDomain", "TripText", "TripCrypto", "TripMart", "TripRuns", "TripReports",
                "CMalloc", arguments,
            ],
            swiftSettings: strict
        ),
        .target(
            name: "TripIdentity",
            dependencies: [grdb, sqlite, crypto, cryptoExtras, jwt],
            swiftSettings: strict
        ),
        .target(
            name: "TripServer",
            dependencies: [
                "TripDomain", "TripText", "TripMart", "TripIdentity", "CZlib", "CMalloc", mustache,
            ]
                + serving,
            exclude: ["API/health-dashboard.yaml", "Dashboard", "SignIn/Pages"],
            swiftSettings: strict,
            plugins: ["EmbedFilesPlugin"]
        ),
        // What the server excludes becomes a part of it, as texts.
        .executableTarget(name: "embed-files", swiftSettings: strict),
        .plugin(
            name: "EmbedFilesPlugin",
            capability: .buildTool(),
            dependencies: ["embed-files"],
            path: "Sources/EmbedFilesPlugin"
        ),
        .executableTarget(
            name: "triptych-server",
            dependencies: [
                "TripDomain", "TripText", "TripCrypto", "TripServer", "TripIdentity", arguments,
                logging,
            ],
            swiftSettings: strict
        ),

        // What the tests of several targets share; no program depends on it.
        .target(
            name: "TestSupport",
            dependencies: ["TripDomain"],
            path: "Tests/TestSupport",
            swiftSettings: computingTests
        ),
        .testTarget(name: "TripTextTests", dependencies: ["TripText"], swiftSettings: tests),
        .testTarget(name: "TripCryptoTests", dependencies: ["TripCrypto"], swiftSettings: tests),
        .testTarget(
            name: "TripDomainTests",
            dependencies: ["TestSupport", "TripDomain"],
            swiftSettings: tests
        ),
        .testTarget(
            name: "TripRulesTests",
            dependencies: ["TestSupport", "TripRules", "TripEngine", "TripDomain", "CSQLite"],
            swiftSettings: tests
        ),
        .testTarget(
            name: "TripEngineTests",
            dependencies: [
                "TestSupport", "TripEngine", "TripRules", "TripDomain", "CZlib", "CSQLite",
            ],
            swiftSettings: tests
        ),
        .testTarget(
            name: "TripSyntheticTests",
            dependencies: ["TripSynthetic", "TripEngine", "TripDomain", "CZlib"],
            swiftSettings: tests
        ),
        .testTarget(
            name: "TripDisclosureTests",
            dependencies: ["TestSupport", "TripDisclosure", "TripDomain"],
            swiftSettings: computingTests
        ),
        .testTarget(
            name: "TripMartTests",
            dependencies: [
                "TestSupport", "TripMart", "TripDisclosure", "TripCrypto", "TripDomain", "CSQLite",
            ],
            swiftSettings: tests
        ),
        .testTarget(
            name: "TripPipelineTests",
            dependencies: ["TestSupport", "TripPipeline", "TripRules", "TripEngine", "TripDomain"],
            swiftSettings: tests
        ),
        .testTarget(
            name: "TripRunsTests",
            dependencies: [
                "TestSupport",
                "TripReports", "TripRuns", "TripPipeline", "TripMart", "TripDisclosure",
                "TripSynthetic", "TripEngine", "TripRules", "TripDomain",
            ],
            swiftSettings: tests
        ),
        .testTarget(
            name: "TripReportsTests",
            dependencies: [
                "TestSupport", "TripReports", "TripRuns", "TripMart", "TripRules", "TripDomain",
            ],
            swiftSettings: tests
        ),
        .testTarget(
            name: "TripIdentityTests",
            dependencies: ["TripIdentity", jwt],
            swiftSettings: tests
        ),
        .testTarget(
            name: "TripServerTests",
            dependencies: [
                "TripServer", "TripIdentity", "TripReports", "TripRuns", "TripMart", "TripDomain",
                "CZlib",
            ]
                + serving
                + [
                    .product(name: "NIOEmbedded", package: "swift-nio")
                ],
            swiftSettings: tests
        ),
        .testTarget(
            name: "CommandTests",
            dependencies: ["TestSupport", "triptych", "triptych-server"],
            exclude: ["Cases"],
            swiftSettings: tests
        ),
        .testTarget(name: "TidyTests", swiftSettings: tests),
    ]
)

// For the proof of traits (.ci/prove) alone: what no trait reaches is not built once more.
if Context.environment["ENGINE_ALONE"] != nil {
    let reached = [
        "CZlib", "CLibdeflate", "CLibcrypto", "CSQLite", "TripCrypto", "TripDomain",
        "TripRules", "TripEngine", "TestSupport",
        "TripDomainTests", "TripEngineTests",
    ]
    package.targets.removeAll { !reached.contains($0.name) }
    package.products = []
}

// Built by .ci/fuzz-bytes alone: libFuzzer brings its own way to begin a program.
if Context.environment["FUZZING"] != nil {
    package.targets.append(
        .executableTarget(
            name: "fuzz",
            dependencies: [
                "TripServer", "TripIdentity", "TripMart", "TripDomain", crypto, httpTypes,
                hummingbird, jwt,
            ],
            path: "Tests/Fuzz",
            swiftSettings: strict + [.unsafeFlags(["-parse-as-library"])]
        )
    )
}
