import FleetRuntime
import FleetTestSupport
import Foundation
import Testing

@testable import Perception

@Suite("Model descriptions")
struct ModelDescriptionTests {
    @Test("The embedded model is found, described and unharmed")
    func embedded() throws {
        let description = try ModelDescription(path: ModelLocator.locate(configured: nil))
        #expect(description.adapter == .anchorfree)
        #expect(description.classes == ["person", "bicycle", "motorcycle", "car", "bus", "truck"])
        #expect(description.input.width == 640 && description.input.height == 384)
        try description.verifyWeights()
    }

    @Test("Every template in config/models can be read")
    func templates() throws {
        let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../config/models").standardizedFileURL
        let files = try FileManager.default.contentsOfDirectory(atPath: folder.path()).filter { $0.hasSuffix(".model.yaml") }
        #expect(files.count >= 4)
        for file in files {
            let description = try ModelDescription(path: folder.appending(path: file).path())
            #expect(description.classes.contains { ClassGroup.roadUser($0) != nil }, "\(file)")
            #expect(file == description.name + ".model.yaml")
        }
    }

    @Test("The mean stands in sample values and the deviation becomes a factor")
    func normalisation() throws {
        let fixture = try ModelFixture()
        let path = try fixture.write(
            weights: Data([1]),
            changes: ["input": "{width: 320, height: 320, order: rgb, mean: [1, 2, 3], std: [2, 4, 8], resize: letterbox-centre}"])
        let input = try ModelDescription(path: path).input
        #expect(input.mean == [1, 2, 3])
        #expect(input.scale == [0.5, 0.25, 0.125])
        #expect(input.redFirst && input.fit == .centre && input.padding == 0)
    }

    @Test(
        "A wrong description is refused with file, line and key",
        arguments: [
            ("version", "2"), ("adapter", "yolo"), ("sha256", "abc"), ("classes", "[]"), ("scoreThreshold", "1.5"), ("nmsIou", "x"),
            ("input", "{width: 640}"), ("input", "{width: 640, height: 384, std: [1, 0, 1]}"), ("surprise", "1"),
        ])
    func wrong(_ key: String, _ value: String) throws {
        let fixture = try ModelFixture()
        let path = try fixture.write(weights: Data([1]), changes: [key: value])
        let error = #expect(throws: UserError.self) { _ = try ModelDescription(path: path) }
        #expect(error?.code == .configuration)
        #expect(error?.message.hasPrefix(path + ":") == true)
        #expect(error?.message.contains(key) == true)
    }

    @Test("What must be there must be there", arguments: ["version", "name", "file", "sha256", "adapter", "classes", "licence"])
    func missing(_ key: String) throws {
        let fixture = try ModelFixture()
        let path = try fixture.write(weights: Data([1]), changes: [key: nil])
        let error = #expect(throws: UserError.self) { _ = try ModelDescription(path: path) }
        #expect(error?.message.contains(key) == true)
    }

    @Test("Missing and changed weights are told apart, each with the path")
    func weights() throws {
        let fixture = try ModelFixture()
        let description = try ModelDescription(path: fixture.write(weights: Data("weights".utf8)))
        try description.verifyWeights()
        try Data("others".utf8).write(to: URL(filePath: description.weightsPath))
        let changed = #expect(throws: UserError.self) { try description.verifyWeights() }
        #expect(changed?.code == .badData)
        #expect(changed?.message.contains("SHA-256") == true)
        try FileManager.default.removeItem(atPath: description.weightsPath)
        let gone = #expect(throws: UserError.self) { try description.verifyWeights() }
        #expect(gone?.code == .noInput)
        #expect(gone?.message.contains(description.weightsPath) == true)
    }

    @Test("Of an OpenVINO pair both files are hashed, .xml before .bin")
    func pair() throws {
        let fixture = try ModelFixture()
        let both = SHA256.hexadecimal(SHA256.digest(of: Data("xmlbin".utf8)))
        let path = try fixture.write(weights: Data("xml".utf8), name: "m.xml", changes: ["sha256": both])
        try Data("bin".utf8).write(to: fixture.folder.url.appending(path: "m.bin"))
        let description = try ModelDescription(path: path)
        try description.verifyWeights()
        try Data("bon".utf8).write(to: fixture.folder.url.appending(path: "m.bin"))
        #expect(throws: UserError.self) { try description.verifyWeights() }
    }

    @Test("A configured description that is missing is one clear line")
    func configuredMissing() {
        let error = #expect(throws: UserError.self) { _ = try ModelLocator.locate(configured: "/nowhere/x.model.yaml") }
        #expect(error?.code == .noInput)
        #expect(error?.message.contains("/nowhere/x.model.yaml") == true)
    }

    @Test("Without any model every place is named, and none depends on the working directory")
    func nowhere() {
        let places = ModelLocator.candidates()
        #expect(places.count >= 2)
        #expect(places.allSatisfy { $0.hasPrefix("/") && $0.hasSuffix("/road-users.model.yaml") })
        let error = ModelLocator.missing(places)
        #expect(error.code == .noInput)
        for place in places { #expect(error.message.contains(place)) }
    }
}
