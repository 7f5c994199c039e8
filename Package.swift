// swift-tools-version: 6.2
import PackageDescription

// Targets are listed from the bottom of the house to the top: an arrow may only point to a target above it in this file.
// docs/architecture.md draws the same picture.

/// Every Swift target: Swift 6 language mode, warnings are errors.
let strict: [SwiftSetting] = [.swiftLanguageMode(.v6), .treatAllWarnings(as: .error)]

func library(_ name: String, _ dependencies: [Target.Dependency] = [], resources: [Resource]? = nil) -> Target {
    .target(name: name, dependencies: dependencies, resources: resources, swiftSettings: strict)
}

func executable(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
    .executableTarget(name: name, dependencies: dependencies, swiftSettings: strict)
}

func tests(_ name: String, _ dependencies: [Target.Dependency], resources: [Resource]? = nil) -> Target {
    .testTarget(
        name: name, dependencies: dependencies + ["FleetTestSupport"], resources: resources, swiftSettings: strict)
}

func systemLibrary(_ name: String, pkgConfig: String, apt: String) -> Target {
    .systemLibrary(name: name, pkgConfig: pkgConfig, providers: [.apt([apt])])
}

let cModules: [Target] = [
    // The C library's own header for adjtimex(2), which Swift's Glibc module leaves out.
    .systemLibrary(name: "CTimex"),
    systemLibrary("CYAML", pkgConfig: "yaml-0.1", apt: "libyaml-dev"),
    systemLibrary("CZlib", pkgConfig: "zlib", apt: "zlib1g-dev"),
    systemLibrary("CCrypto", pkgConfig: "libcrypto", apt: "libssl-dev"),
    systemLibrary("CSQLite", pkgConfig: "sqlite3", apt: "libsqlite3-dev"),
    systemLibrary("CPostgreSQL", pkgConfig: "libpq", apt: "libpq-dev"),
    systemLibrary("CCurl", pkgConfig: "libcurl", apt: "libcurl4-openssl-dev"),
    systemLibrary("CMosquitto", pkgConfig: "libmosquitto", apt: "libmosquitto-dev"),
    systemLibrary("CMicroHTTPD", pkgConfig: "libmicrohttpd", apt: "libmicrohttpd-dev"),
    systemLibrary("CGPSD", pkgConfig: "libgps", apt: "libgps-dev"),
    // OpenCV's own pkg-config file would link every module there is; the ones in use are named here instead.
    .target(
        name: "CVision",
        cxxSettings: [
            .unsafeFlags([
                "-I/usr/include/opencv4", "-O2", "-Wall", "-Wextra", "-Werror", "-Wno-deprecated-anon-enum-enum-conversion",
            ])
        ],
        linkerSettings: ["core", "imgproc", "imgcodecs", "videoio", "video", "dnn", "calib3d"].map {
            .linkedLibrary("opencv_\($0)")
        }
            + [.linkedLibrary("dl")]),
    // libosmium is headers alone; these are the libraries that it calls.
    .target(
        name: "CRoadMap", cxxSettings: [.unsafeFlags(["-Wall", "-Wextra", "-Werror"])],
        linkerSettings: ["expat", "z", "pthread"].map { .linkedLibrary($0) }),
]

let foundation: [Target] = [
    library("FleetModel"),
    library("FleetRuntime", ["FleetModel", "CTimex", "CYAML", "CCrypto"]),
    library("SQLite", ["CSQLite"]),
    library("PostgreSQL", ["CPostgreSQL"]),
    library("Imaging", ["CVision"]),
]

let engine: [Target] = [
    library("WorldModel", ["FleetModel"]),
    library("RoadMap", ["FleetModel", "FleetRuntime", "WorldModel", "SQLite", "CRoadMap"]),
    library("SpeedLimits", ["FleetModel", "FleetRuntime", "WorldModel", "RoadMap"]),
    library("SafetyRules", ["FleetModel", "WorldModel"]),
    library("Perception", ["FleetModel", "FleetRuntime", "WorldModel", "Imaging"], resources: [.copy("Models")]),
    library("Capture", ["FleetModel", "FleetRuntime", "WorldModel", "Imaging", "CGPSD"]),
    library(
        "VisionPipeline",
        ["FleetModel", "FleetRuntime", "WorldModel", "SpeedLimits", "SafetyRules", "Imaging", "Perception", "Capture"]),
]

let delivery: [Target] = [
    library("DurableOutbox", ["FleetModel", "FleetRuntime", "SQLite"]),
    library("MQTTClient", ["FleetModel", "FleetRuntime", "CMosquitto"]),
    library("FleetStore", ["FleetModel", "FleetRuntime", "SQLite"]),
    library("SharedStore", ["FleetModel", "FleetRuntime", "FleetStore", "PostgreSQL"]),
    library("HTTPServer", ["FleetModel", "FleetRuntime", "CMicroHTTPD", "CZlib"]),
    library("HTTPClient", ["FleetRuntime", "CCurl"]),
]

let composition: [Target] = [
    library(
        "AgentCore",
        [
            "FleetModel", "FleetRuntime", "WorldModel", "RoadMap", "SpeedLimits", "SafetyRules", "Imaging", "Perception", "Capture",
            "VisionPipeline", "DurableOutbox", "MQTTClient", "HTTPServer",
        ], resources: [.copy("Preview/Web")]),
    library(
        "SyncCore",
        ["FleetModel", "FleetRuntime", "RoadMap", "FleetStore", "SharedStore", "MQTTClient", "HTTPServer", "HTTPClient"],
        resources: [.copy("Web")]),
    library("CLICore", ["FleetModel", "FleetRuntime", "WorldModel", "RoadMap", "FleetStore", "HTTPClient"]),
    library("FleetLoad", ["FleetModel", "FleetRuntime", "MQTTClient"]),
    library("SimCore", ["FleetModel", "FleetRuntime", "WorldModel", "Imaging", "Capture", "FleetLoad"]),
    executable("fleet-agent", ["AgentCore"]),
    executable("fleet-sync", ["SyncCore"]),
    executable("fleet-cli", ["CLICore"]),
    executable("fleet-sim", ["SimCore"]),
]

/// How a program of one's own uses the engine.
let examples: [Target] = [
    .executableTarget(
        name: "watch-drive", dependencies: ["FleetModel", "WorldModel", "Imaging", "Perception", "Capture", "VisionPipeline"],
        path: "Examples/watch-drive", swiftSettings: strict)
]

/// Programs that measure; `make bench` runs them.
let benchmarks: [Target] = [
    .executableTarget(
        name: "vision-bench",
        dependencies: [
            "FleetModel", "FleetRuntime", "WorldModel", "SafetyRules", "SpeedLimits", "Imaging", "Perception", "Capture",
            "VisionPipeline",
        ],
        path: "Benchmarks/vision-bench", swiftSettings: strict),
    .executableTarget(
        name: "delivery-bench",
        dependencies: [
            "FleetModel", "FleetRuntime", "DurableOutbox", "MQTTClient", "HTTPClient", "AgentCore", "FleetLoad", "FleetTestSupport",
        ],
        path: "Benchmarks/delivery-bench", swiftSettings: strict),
    .executableTarget(
        name: "warning-bench", dependencies: ["DriveTrials", "FleetRuntime", "Perception", "SimCore"],
        path: "Benchmarks/warning-bench", swiftSettings: strict),
    .executableTarget(
        name: "bare-subscriber", path: "Benchmarks/bare-subscriber", linkerSettings: [.linkedLibrary("mosquitto")]),
]

let checks: [Target] = [
    library("FleetTestSupport", ["FleetModel", "FleetRuntime", "MQTTClient"]),
    // Simulated drives with noisy boxes or with pictures, judged: for tests and for `make bench-warnings`.
    .target(
        name: "DriveTrials",
        dependencies: [
            "FleetModel", "FleetRuntime", "WorldModel", "SafetyRules", "SpeedLimits", "Perception", "VisionPipeline", "SimCore",
        ],
        path: "Tests/DriveTrials", swiftSettings: strict),
    // The kill matrix; `make chaos` runs it, and a short run is one of the integration tests.
    .executableTarget(
        name: "fleet-chaos",
        dependencies: [
            "FleetModel", "FleetRuntime", "DurableOutbox", "FleetStore", "SharedStore", "AgentCore", "FleetLoad",
            "FleetTestSupport",
        ],
        path: "Tests/fleet-chaos", swiftSettings: strict),
    tests("FleetModelTests", ["FleetModel"], resources: [.copy("Golden")]),
    tests("FleetRuntimeTests", ["FleetRuntime"]),
    tests("SQLiteTests", ["SQLite"]),
    tests("ImagingTests", ["Imaging"]),
    tests("WorldModelTests", ["WorldModel", "FleetModel"]),
    tests("RoadMapTests", ["RoadMap", "FleetModel", "WorldModel", "FleetRuntime"]),
    tests("SpeedLimitsTests", ["SpeedLimits", "RoadMap", "FleetModel", "WorldModel", "FleetRuntime"]),
    tests("SafetyRulesTests", ["SafetyRules", "FleetModel", "WorldModel"]),
    tests("PerceptionTests", ["Perception", "Imaging", "WorldModel", "FleetModel", "FleetRuntime"]),
    tests("CaptureTests", ["Capture", "Imaging", "WorldModel", "FleetModel", "FleetRuntime"]),
    tests(
        "VisionPipelineTests",
        [
            "VisionPipeline", "Capture", "Perception", "SafetyRules", "SpeedLimits", "WorldModel", "Imaging", "FleetModel",
            "FleetRuntime", "SimCore",
        ]),
    tests("DurableOutboxTests", ["DurableOutbox", "SQLite", "FleetModel", "FleetRuntime"]),
    tests("MQTTClientTests", ["MQTTClient", "FleetModel", "FleetRuntime"]),
    tests("FleetStoreTests", ["FleetStore", "SharedStore", "SQLite", "PostgreSQL", "FleetModel", "FleetRuntime"]),
    tests("HTTPTests", ["HTTPServer", "HTTPClient", "FleetModel", "FleetRuntime"]),
    tests(
        "AgentCoreTests",
        ["AgentCore", "DurableOutbox", "MQTTClient", "Capture", "Imaging", "WorldModel", "FleetModel", "FleetRuntime"]),
    tests(
        "SyncCoreTests",
        ["SyncCore", "RoadMap", "FleetStore", "SharedStore", "MQTTClient", "HTTPServer", "FleetModel", "FleetRuntime"]),
    // The fleet view in a real browser.
    tests("BrowserTests", ["SyncCore", "RoadMap", "FleetStore", "HTTPServer", "FleetModel", "FleetRuntime", "Imaging"]),
    tests("CLICoreTests", ["CLICore", "FleetStore", "HTTPClient", "FleetModel", "FleetRuntime"]),
    tests("SimCoreTests", ["SimCore", "Capture", "WorldModel", "Imaging", "FleetModel", "FleetRuntime"]),
    tests("DriveTrialTests", ["DriveTrials", "SimCore", "Perception", "FleetModel"]),
    tests("FleetLoadTests", ["FleetLoad", "Imaging", "FleetModel", "FleetRuntime", "MQTTClient"]),
    tests("ChaosTests", ["fleet-chaos", "FleetStore", "FleetModel", "FleetRuntime"]),
    // Spawned binaries, a real broker, a real gpsd.
    tests(
        "IntegrationTests",
        [
            "DurableOutbox", "FleetModel", "FleetRuntime", "WorldModel", "SafetyRules", "Imaging", "Capture", "MQTTClient",
            "HTTPClient",
        ]),
]

let package = Package(
    name: "fleet-safety",
    products: [
        .library(name: "FleetModel", targets: ["FleetModel"]),
        .library(name: "SafetyRules", targets: ["SafetyRules"]),
        .library(name: "Perception", targets: ["Perception"]),
        // With what its inputs and outputs are made of.
        .library(
            name: "VisionPipeline",
            targets: [
                "VisionPipeline", "Capture", "Perception", "SafetyRules", "SpeedLimits", "WorldModel", "Imaging", "FleetModel",
            ]),
    ],
    targets: cModules + foundation + engine + delivery + composition + examples + benchmarks + checks,
    cxxLanguageStandard: .cxx17
)
