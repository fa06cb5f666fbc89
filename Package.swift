// swift-tools-version: 6.2
import PackageDescription

#if !os(Linux)
    #error("Sparring runs on Linux. On other systems, run its image: Sources/Packaging/Containerfile")
#endif

let strict: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .treatAllWarnings(as: .error),
]

let locks = Target.Dependency.target(name: "SparringLocks")
let loop = Target.Dependency.target(name: "SparringLoop")
let pattern = Target.Dependency.target(name: "SparringPattern")
let json = Target.Dependency.target(name: "SparringJSON")
let http = Target.Dependency.target(name: "SparringHTTP")
let client = Target.Dependency.target(name: "SparringClient")
let contract = Target.Dependency.target(name: "SparringContract")
let variation = Target.Dependency.target(name: "SparringVariation")
let tokens = Target.Dependency.target(name: "SparringTokens")
let journal = Target.Dependency.target(name: "SparringJournal")
let verdict = Target.Dependency.target(name: "SparringVerdict")
let sandbox = Target.Dependency.target(name: "SparringSandbox")
let engine = Target.Dependency.target(name: "SparringEngine")
let admin = Target.Dependency.target(name: "SparringAdmin")
let vendorKit = Target.Dependency.target(name: "SparringVendorKit")
let vendors = Target.Dependency.target(name: "SparringVendors")
let testKit = Target.Dependency.target(name: "SparringTestKit")
let support = Target.Dependency.target(name: "Support")
let parrotVendor = Target.Dependency.target(name: "ParrotVendor")
let birdSupport = Target.Dependency.target(name: "BirdSupport")
let fuzzTargets = Target.Dependency.target(name: "FuzzTargets")

let httpTypes = Target.Dependency.product(name: "HTTPTypes", package: "swift-http-types")
let grdb = Target.Dependency.product(name: "GRDB", package: "GRDB.swift")
let sqlite = Target.Dependency.product(name: "GRDBSQLite", package: "GRDB.swift")
let crypto = Target.Dependency.product(name: "Crypto", package: "swift-crypto")
let cryptoExtras = Target.Dependency.product(name: "CryptoExtras", package: "swift-crypto")
let x509 = Target.Dependency.product(name: "X509", package: "swift-certificates")
let asn1 = Target.Dependency.product(name: "SwiftASN1", package: "swift-asn1")
let yams = Target.Dependency.product(name: "Yams", package: "Yams")
let orderedCollections = Target.Dependency.product(name: "OrderedCollections", package: "swift-collections")
let deque = Target.Dependency.product(name: "DequeModule", package: "swift-collections")
let heap = Target.Dependency.product(name: "HeapModule", package: "swift-collections")
let unixSignals = Target.Dependency.product(name: "UnixSignals", package: "swift-service-lifecycle")
let argumentParser = Target.Dependency.product(name: "ArgumentParser", package: "swift-argument-parser")
let subprocess = Target.Dependency.product(name: "Subprocess", package: "swift-subprocess")
let systemPackage = Target.Dependency.product(name: "SystemPackage", package: "swift-system")
let jwtKit = Target.Dependency.product(name: "JWTKit", package: "jwt-kit")

/// A vendor: a folder that imports the kit alone, which brings what vendors are made of.
func vendor(_ name: String, in folder: String, exclude: [String] = []) -> Target {
    .target(
        name: "\(name)Vendor", dependencies: [vendorKit], path: "\(folder)/\(name)", exclude: exclude,
        // What the storeys share among themselves is not for vendors.
        packageAccess: false, swiftSettings: strict)
}

let vendorNames = ["ASAPP", "CXone", "IdentityProvider", "Khoros", "LivePerson", "Talkdesk"]
let vendorTargets = vendorNames.map { vendor($0, in: "Sources/Vendors") }
let eachVendor = vendorTargets.map { Target.Dependency.target(name: $0.name) }

let package = Package(
    name: "sparring",
    products: [
        .executable(name: "sparring", targets: ["sparring"]),
        .library(name: "SparringTestKit", targets: ["SparringTestKit"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", exact: "1.8.2"),
        .package(url: "https://github.com/apple/swift-asn1", exact: "1.7.4"),
        .package(url: "https://github.com/apple/swift-certificates", exact: "1.21.1"),
        .package(url: "https://github.com/apple/swift-collections", exact: "1.6.0"),
        .package(url: "https://github.com/apple/swift-crypto", exact: "4.5.2"),
        .package(url: "https://github.com/apple/swift-http-types", exact: "1.8.0"),
        .package(url: "https://github.com/apple/swift-system", exact: "1.8.1"),
        .package(url: "https://github.com/groue/GRDB.swift", exact: "7.10.0"),
        .package(url: "https://github.com/jpsim/Yams", exact: "6.2.2"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", exact: "2.13.0"),
        .package(url: "https://github.com/swiftlang/swift-subprocess", exact: "1.0.2"),
        .package(url: "https://github.com/vapor/jwt-kit", exact: "5.7.1"),
        // What those need: named here so that it does not float.
        .package(url: "https://github.com/apple/swift-async-algorithms", exact: "1.1.4"),
        .package(url: "https://github.com/apple/swift-log", exact: "1.16.2"),
    ],
    targets: [
        .systemLibrary(
            name: "CMicrohttpd", pkgConfig: "libmicrohttpd", providers: [.apt(["libmicrohttpd-dev"])]),
        .systemLibrary(name: "CZlib", providers: [.apt(["zlib1g-dev"])]),
        // Its types only: the library is opened by the first call.
        .systemLibrary(name: "CCurl", providers: [.apt(["libcurl4-openssl-dev"])]),
        // For GRDB's, which brings the library.
        .systemLibrary(name: "CSQLite", providers: [.apt(["libsqlite3-dev"])]),
        .systemLibrary(name: "CMalloc"),
        .systemLibrary(name: "CLinux"),
        .target(name: "SparringLocks", swiftSettings: strict),
        .target(name: "SparringLoop", dependencies: ["CLinux", locks, heap], swiftSettings: strict),
        .target(name: "SparringPattern", swiftSettings: strict),
        .target(name: "SparringJSON", dependencies: [orderedCollections, httpTypes], swiftSettings: strict),
        .target(
            name: "SparringHTTP",
            dependencies: [
                "CMicrohttpd", "CZlib", locks, loop, json, journal, httpTypes, crypto, x509, asn1,
                systemPackage,
            ],
            swiftSettings: strict),
        .target(name: "SparringClient", dependencies: ["CCurl", locks, json, http, httpTypes], swiftSettings: strict),
        .target(name: "SparringContract", dependencies: [pattern, json, yams, httpTypes, crypto], swiftSettings: strict),
        .target(name: "SparringVariation", dependencies: [json, contract, crypto], swiftSettings: strict),
        .target(name: "SparringTokens", dependencies: [locks, json, crypto, cryptoExtras, asn1], swiftSettings: strict),
        .target(name: "SparringJournal", dependencies: [json, crypto, httpTypes], swiftSettings: strict),
        .target(name: "SparringVerdict", dependencies: [locks, json, contract, journal, deque], swiftSettings: strict),
        .target(
            name: "SparringSandbox",
            dependencies: [
                "CSQLite", locks, loop, json, contract, variation, journal, grdb, sqlite, crypto, heap, httpTypes, systemPackage,
            ],
            swiftSettings: strict
        ),
        .target(
            name: "SparringEngine",
            dependencies: [
                locks, json, http, client, contract, variation, journal, sandbox, grdb, httpTypes, x509, asn1,
            ],
            swiftSettings: strict),
        .target(
            name: "SparringAdmin",
            dependencies: [locks, json, http, client, contract, tokens, variation, journal, verdict, sandbox, engine, grdb, httpTypes],
            // Installed as they are: they are no part of the program.
            exclude: ["Page/files"], swiftSettings: strict),
        .target(
            name: "SparringVendorKit", dependencies: [pattern, json, contract, tokens, journal, sandbox, engine, grdb, httpTypes],
            packageAccess: false, swiftSettings: strict),
        .target(
            name: "SparringVendors", dependencies: [contract, tokens, sandbox, engine] + eachVendor, packageAccess: false,
            swiftSettings: strict),
        .target(
            name: "SparringTestKit",
            dependencies: [locks, json, http, contract, tokens, journal, verdict, sandbox, engine, admin, vendors, httpTypes],
            swiftSettings: strict),
        .executableTarget(
            name: "sparring",
            dependencies: [
                "CMalloc", locks, json, http, client, contract, variation, journal, verdict, sandbox, engine, admin, vendors, tokens,
                crypto,
                httpTypes,
                unixSignals, argumentParser, subprocess, systemPackage,
            ],
            swiftSettings: strict),
        .target(
            name: "Support",
            dependencies: [
                "CCurl", locks, json, http, client, journal, verdict, sandbox, engine, admin, testKit, httpTypes, subprocess, systemPackage,
                grdb,
            ],
            path: "Tests/Support", swiftSettings: strict),
        vendor("Parrot", in: "Tests", exclude: ["contracts", "scenarios"]),
        .target(
            name: "BirdSupport", dependencies: [parrotVendor, json, contract, sandbox, engine, admin, testKit, support, httpTypes, grdb],
            path: "Tests/BirdSupport", swiftSettings: strict),
        .target(
            name: "FuzzTargets",
            dependencies: [locks, json, http, contract, tokens, journal, verdict, sandbox, engine, admin, vendors, httpTypes, grdb],
            path: "Tests/FuzzTargets", swiftSettings: strict),
        .testTarget(name: "SparringFuzzTests", dependencies: [fuzzTargets, support], swiftSettings: strict),
        .testTarget(name: "SparringLoopTests", dependencies: ["CLinux", loop, locks, support], swiftSettings: strict),
        .testTarget(name: "SparringPatternTests", dependencies: [pattern], swiftSettings: strict),
        .testTarget(name: "SparringJSONTests", dependencies: [json], swiftSettings: strict),
        .testTarget(
            name: "SparringTokensTests", dependencies: [tokens, json, support, orderedCollections, cryptoExtras, jwtKit],
            swiftSettings: strict),
        .testTarget(
            name: "SparringHTTPTests", dependencies: [locks, http, journal, httpTypes, support], swiftSettings: strict),
        .testTarget(
            name: "SparringClientTests", dependencies: [client, http, engine, locks, testKit, support, httpTypes], swiftSettings: strict),
        .testTarget(name: "SparringJournalTests", dependencies: [journal], swiftSettings: strict),
        .testTarget(name: "SparringContractTests", dependencies: [contract, json, httpTypes], swiftSettings: strict),
        .testTarget(
            name: "SparringVariationTests", dependencies: [variation, contract, json, crypto, support, httpTypes], swiftSettings: strict),
        .testTarget(
            name: "SparringVerdictTests", dependencies: [verdict, contract, journal, json, support],
            exclude: ["Circumstances/circumstances.md"], swiftSettings: strict),
        .testTarget(
            name: "SparringSandboxTests", dependencies: [locks, loop, sandbox, journal, json, support, grdb], swiftSettings: strict),
        .testTarget(
            name: "SparringEngineTests",
            dependencies: [locks, sandbox, engine, admin, http, contract, journal, json, testKit, support, birdSupport, httpTypes, grdb],
            swiftSettings: strict),
        .testTarget(
            name: "SparringAdminTests",
            dependencies: [
                sandbox, engine, admin, http, contract, journal, verdict, json, testKit, support, parrotVendor, birdSupport, httpTypes,
                grdb,
            ],
            swiftSettings: strict),
        .testTarget(
            name: "SparringVendorsTests",
            dependencies: [
                locks, vendors, journal, sandbox, engine, admin, http, testKit, contract, tokens, json, support, httpTypes, jwtKit, grdb,
                sqlite, crypto, vendorKit,
            ] + eachVendor,
            swiftSettings: strict),
        .testTarget(
            name: "SparringTestKitTests", dependencies: [testKit, json, verdict, client, httpTypes], swiftSettings: strict),
        .testTarget(
            name: "SparringTests", dependencies: ["sparring", client, contract, engine, locks, json, support, httpTypes],
            swiftSettings: strict),
    ],
    swiftLanguageModes: [.v6]
)

package.targets += vendorTargets

// libFuzzer brings the main function, and only with its sanitizer: `make fuzz` builds this, and nothing else knows of it.
if Context.environment["SPARRING_FUZZ"] != nil {
    package.targets.append(
        .executableTarget(
            name: "SparringFuzz", dependencies: [fuzzTargets], path: "Tests/fuzz", sources: ["Fuzz.swift"],
            swiftSettings: strict + [.unsafeFlags(["-parse-as-library"])]))
}

// With this variable, which the Makefile sets for what the tests run, debug builds optimise the modules that every call, verdict and start goes through. The
// others would take three times as long to compile, and the tests would hardly be faster. As `whole` it compiles each of Sparring's modules in one piece: a
// fresh clone is built sooner, but each change builds all that depends on its module anew. It cannot be the default: SwiftPM refuses unsafe flags in a package
// that others depend on.
if let choice = Context.environment["SPARRING_OPTIMISED"] {
    let hot: Set = [
        "SparringContract", "SparringEngine", "SparringHTTP", "SparringJournal", "SparringJSON", "SparringLoop", "SparringPattern",
        "SparringSandbox", "SparringTokens", "SparringVerdict",
    ]
    for target in package.targets where target.type != .test && target.type != .system {
        let flags =
            (choice == "whole" ? ["-whole-module-optimization", "-num-threads", "2"] : []) + (hot.contains(target.name) ? ["-O"] : [])
        target.swiftSettings = (target.swiftSettings ?? []) + [.unsafeFlags(flags, .when(configuration: .debug))]
    }
    // By which an installation knows the build that has checked it (`sparring stamp`).
    for target in package.targets where target.name == "sparring" { target.linkerSettings = [.unsafeFlags(["-Xlinker", "--build-id"])] }
}

// Only `make docs` needs it.
if Context.environment["SPARRING_DOCS"] != nil {
    package.dependencies.append(.package(url: "https://github.com/swiftlang/swift-docc-plugin", exact: "1.5.0"))
}

// Sources/Packaging/build sets it: an object file that must be linked before Foundation's static libraries, which have the same symbol.
if let data = Context.environment["SPARRING_ICU_DATA"] {
    for target in package.targets where target.name == "sparring" { target.linkerSettings = [.unsafeFlags([data])] }
}
