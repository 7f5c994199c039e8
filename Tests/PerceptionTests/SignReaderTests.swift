import FleetModel
import FleetRuntime
import FleetTestSupport
import Foundation
import Imaging
import Testing

@testable import Perception

@Suite("The embedded sign reader on signs that the tests draw")
struct SignReaderTests {
    static let engines: [EngineChoice] = OpenVINOLocator.find().engine == nil ? [.openCV] : [.openCV, .openVINO]

    @Test("Round limits are read, on every engine", arguments: engines, [10, 20, 30, 40, 50, 60, 70, 80, 90, 100, 110, 120, 130])
    func roundLimits(_ engine: EngineChoice, _ value: Int) throws {
        var reader = try SignReader(engine: engine)
        let reading = try reader.read(SignCanvas.round(String(value), capHeight: value >= 100 ? 0.3 : 0.42))
        #expect(reading?.kind == .speedLimit && reading?.value == value && reading?.shape == .round)
        #expect((reading?.score ?? 0) >= reader.scoreThreshold)
    }

    @Test("Plates in miles are told from plates in kilometres", arguments: [25, 35, 45, 55, 65])
    func plates(_ value: Int) throws {
        var reader = try SignReader()
        let american = try reader.read(
            SignCanvas.plate([("SPEED", 0.17, 0.13), ("LIMIT", 0.37, 0.13), (String(value), 0.71, 0.3)]))
        #expect(american?.kind == .speedLimit && american?.value == value && american?.shape == .plateMph)
        let canadian = try reader.read(SignCanvas.plate([("MAXIMUM", 0.15, 0.1), ("60", 0.47, 0.33), ("km/h", 0.83, 0.09)]))
        #expect(canadian?.kind == .speedLimit && canadian?.value == 60 && canadian?.shape == .plateKmh)
    }

    @Test("An end sign is no limit")
    func endSign() throws {
        var reader = try SignReader()
        #expect(try reader.read(SignCanvas.ended("80"))?.kind == .endOfLimit)
    }

    @Test(
        "What looks like a limit and is none is never told as one",
        arguments: ["5.5t", "3.8m", "20t", "", "STOP", "2m"])
    func lookalikes(_ text: String) throws {
        var reader = try SignReader()
        #expect(try reader.read(SignCanvas.round(text, capHeight: 0.26))?.kind != .speedLimit)
    }

    @Test("A minimum speed is no limit: white number on a blue disc")
    func minimumSpeed() throws {
        var reader = try SignReader()
        let blue = CanvasColour(red: 20, green: 80, blue: 180)
        #expect(try reader.read(SignCanvas.round("50", ring: blue, face: blue, ink: .grey(245)))?.kind != .speedLimit)
    }

    @Test("A flat picture of any size and tone says no limit", arguments: [(1, 1, 0), (3, 200, 128), (48, 48, 255), (640, 8, 90)])
    func nothingThere(_ width: Int, _ height: Int, _ tone: UInt8) throws {
        var reader = try SignReader()
        let flat = try Frame.decode(Data("P5 1 1 255\n".utf8) + Data([tone])).resized(width: width, height: height)
        #expect(try reader.read(flat)?.kind != .speedLimit)
    }

    @Test("A sign in a frame is read with its margin, and a box beside the frame says nothing")
    func boxInFrame() throws {
        var reader = try SignReader()
        let frame = try SignCanvas.round("50", side: 100)
        let sign = Box(x: 5, y: 5, width: 90, height: 90)
        #expect(try reader.read(in: frame, at: sign)?.value == 50)
        for box in [
            Box(x: 200, y: 5, width: 50, height: 50), Box(x: 5, y: 5, width: 0, height: 0), Box(x: .nan, y: 5, width: 9, height: 9),
        ] {
            #expect(try reader.read(in: frame, at: box) == nil)
        }
        let area = try #require(SignReader.area(of: Box(x: 50, y: 10, width: 40, height: 20), width: 92, height: 100))
        #expect(area == (47, 9, 45, 22))
    }

    @Test("A threshold that nothing reaches silences the reader")
    func silence() throws {
        var reader = try SignReader()
        reader.scoreThreshold = 1.01
        #expect(try reader.read(SignCanvas.round("50")) == nil)
    }

    @Test("Both engines give the same score within a thousandth", .enabled(if: engines.count == 2, "needs the OpenVINO runtime"))
    func enginesAgree() throws {
        var (one, other) = (try SignReader(engine: .openCV), try SignReader(engine: .openVINO))
        (one.scoreThreshold, other.scoreThreshold) = (0.01, 0.01)
        for text in ["50", "80", "20t", "120", "7"] {
            let sign = try SignCanvas.round(text, side: 31, capHeight: text.count > 2 ? 0.3 : 0.42)
            let (a, b) = (try #require(try one.read(sign)), try #require(try other.read(sign)))
            #expect(a.kind == b.kind && a.value == b.value && abs(a.score - b.score) < 0.001, "\(text)")
        }
    }

    @Test("A road-user model is no reader, and the reader is no detector")
    func wrongModel() throws {
        let roadUsers = try ModelLocator.locate(configured: nil)
        let reader = try ModelLocator.locate(configured: nil, embedded: ModelLocator.embeddedReaderName)
        let error = #expect(throws: UserError.self) { _ = try SignReader(modelPath: roadUsers) }
        #expect(error?.code == .configuration && error?.message.contains("classifier") == true)
        let other = #expect(throws: UserError.self) { _ = try RoadUserDetector(modelPath: reader) }
        #expect(other?.code == .configuration && other?.message.contains("sign-reader") == true)
    }

    @Test("Changed weights are not loaded")
    func changedWeights() throws {
        let description = try ModelDescription(
            path: ModelLocator.locate(configured: nil, embedded: ModelLocator.embeddedReaderName))
        let fixture = try ModelFixture()
        var weights = try Data(contentsOf: URL(filePath: description.weightsPath))
        let path = try fixture.write(
            weights: weights,
            changes: [
                "adapter": "classifier", "input": "{width: 48, height: 48}",
                "classes": "[\(description.classes.joined(separator: ", "))]",
                "values": "[\(description.values.map(String.init).joined(separator: ", "))]",
            ])
        var reader = try SignReader(modelPath: path)
        #expect(try reader.read(SignCanvas.round("50"))?.value == 50)
        weights[weights.count / 2] ^= 1
        try weights.write(to: fixture.folder.url.appending(path: "w.onnx"))
        let error = #expect(throws: UserError.self) { _ = try SignReader(modelPath: path) }
        #expect(error?.code == .badData && error?.message.contains("SHA-256") == true)
    }

    @Test("Values must be whole numbers that can stand on a sign", arguments: ["[30, fifty]", "[0]", "[301]", "30"])
    func wrongValues(_ values: String) throws {
        let fixture = try ModelFixture()
        let path = try fixture.write(weights: Data([1]), changes: ["values": values])
        let error = #expect(throws: UserError.self) { _ = try ModelDescription(path: path) }
        #expect(error?.message.contains("values") == true)
    }

    @Test("A line of `detect --sign-crops --json` is what the contract says, whatever was read")
    func line() throws {
        func text(_ reading: SignReading?) throws -> String {
            String(
                decoding: try WireCodec.encode(DetectionLine(image: "a.png", width: 40, height: 50, reading: reading)),
                as: UTF8.self)
        }
        #expect(
            try text(SignReading(kind: .speedLimit, value: 35, shape: .plateMph, score: 0.98765))
                == #"{"height":50,"image":"a.png","objects":[],"signs":[{"box":[0,0,40,50],"kind":"speed_limit","score":0.9877,"unit":"mph","value":35}],"width":40}"#
        )
        #expect(
            try text(SignReading(kind: .endOfLimit, score: 0.9))
                == #"{"height":50,"image":"a.png","objects":[],"signs":[{"box":[0,0,40,50],"kind":"end_of_limit","score":0.9}],"width":40}"#
        )
        #expect(try text(nil) == #"{"height":50,"image":"a.png","objects":[],"signs":[],"width":40}"#)
    }
}
