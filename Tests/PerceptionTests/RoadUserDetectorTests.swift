import FleetModel
import FleetRuntime
import FleetTestSupport
import Foundation
import Imaging
import Testing
import WorldModel

@testable import Perception

@Suite("The detector on real pictures, and when something is missing")
struct RoadUserDetectorTests {
    static let hasOpenVINO = OpenVINOLocator.find().engine != nil
    /// First frame of a drive: a dark estate car ahead, boxed by a lidar.
    static let picture = "vision/kitti_lead_approach/frames/0000.jpg"
    static let lead = Box(x: 557.3, y: 190, width: 143.2, height: 118.9)

    private func detect(_ engine: RoadUserDetector.EngineChoice) throws -> [Detection] {
        var detector = try RoadUserDetector(modelPath: nil, engine: engine)
        return try detector.detect(in: Frame.read(path: SharedData.path(Self.picture)))
    }

    private func greyPicture(width: Int, height: Int) throws -> Frame {
        try Frame.decode(Data("P5 1 1 255\n".utf8) + Data([120])).resized(width: width, height: height)
    }

    private func expectLead(_ found: [Detection]) {
        let lead = found.filter { $0.roadUser.isVehicle }.max { $0.box.iou(Self.lead) < $1.box.iou(Self.lead) }
        #expect((lead?.box.iou(Self.lead) ?? 0) > 0.5)
        #expect((lead?.score ?? 0) > 0.45)
        #expect(found.map(\.score) == found.map(\.score).sorted(by: >))
        for detection in found {
            #expect(detection.box.clipped(width: 1242, height: 375) == detection.box)
            #expect((0.4...1).contains(detection.score))
        }
    }

    @Test("The car ahead is found with OpenCV", .enabled(if: SharedData.isPresent, "needs ../shared/vision"))
    func openCV() throws { expectLead(try detect(.openCV)) }

    @Test(
        "The car ahead is found with OpenVINO, and both engines agree on every box within half a pixel",
        .enabled(if: SharedData.isPresent, "needs ../shared/vision"), .enabled(if: hasOpenVINO, "needs the OpenVINO runtime"))
    func openVINO() throws {
        let (one, other) = (try detect(.openVINO), try detect(.openCV))
        expectLead(one)
        #expect(one.map(\.roadUser) == other.map(\.roadUser))
        for (a, b) in zip(one, other) {
            #expect(abs(a.score - b.score) < 0.005)
            for (x, y) in zip([a.box.x, a.box.y, a.box.maxX, a.box.maxY], [b.box.x, b.box.y, b.box.maxX, b.box.maxY]) {
                #expect(abs(x - y) < 0.5)
            }
        }
    }

    @Test("A second detector that is content with one thread does not take them from the first")
    func threads() throws {
        _ = try RoadUserDetector(modelPath: nil, engine: .openCV, threads: 3)
        let before = InferenceEngine.openCVThreads
        _ = try RoadUserDetector(modelPath: nil, engine: .openCV, threads: 1)
        // Other tests of this process may ask for more meanwhile.
        #expect(before >= 3 && InferenceEngine.openCVThreads >= before)
    }

    @Test("The same picture gives the same result every time", .enabled(if: SharedData.isPresent, "needs ../shared/vision"))
    func repeatable() throws {
        var detector = try RoadUserDetector(modelPath: nil)
        let frame = try Frame.read(path: SharedData.path(Self.picture))
        let first = try detector.detect(in: frame)
        // Another size in between: nothing of it may remain in the input.
        _ = try detector.detect(in: frame.resized(width: 300, height: 700))
        let second = try detector.detect(in: frame)
        #expect(first == second)
        #expect(!first.isEmpty)
    }

    @Test(
        "Publishers' models find the car ahead too",
        .enabled(if: SharedData.isPresent, "needs ../shared/models"), .enabled(if: hasOpenVINO, "needs the OpenVINO runtime"),
        arguments: ["nanodet-m-320", "yolox-nano", "pedestrian-and-vehicle-detector-adas-0001"])
    func publishers(_ name: String) throws {
        let fixture = try ModelFixture()
        let template = URL(filePath: #filePath).deletingLastPathComponent().appending(
            path: "../../config/models/\(name).model.yaml")
        let description = fixture.folder.url.appending(path: "m.model.yaml")
        try FileManager.default.copyItem(at: template, to: description)
        for ending in ["xml", "bin", "onnx"] {
            let file = (ending == "onnx" ? name.replacing("-", with: "_") : name) + "." + ending
            guard
                let weights = ["models/", "models/teachers/"].map({ SharedData.path($0 + file) })
                    .first(where: { FileManager.default.fileExists(atPath: $0) })
            else { continue }
            try FileManager.default.createSymbolicLink(atPath: fixture.folder.path(file), withDestinationPath: weights)
        }
        var detector = try RoadUserDetector(modelPath: description.path())
        let found = try detector.detect(in: Frame.read(path: SharedData.path(Self.picture)))
        #expect((found.map { $0.box.iou(Self.lead) }.max() ?? 0) > 0.7)
    }

    @Test("An empty road drawn in grey holds nobody")
    func empty() throws {
        var detector = try RoadUserDetector(modelPath: nil, engine: .openCV)
        let frame = try greyPicture(width: 1280, height: 720)
        let found = try detector.detect(in: frame)
        #expect(found.isEmpty)
        let grey = try frame.grey()
        #expect(throws: ImagingError.self) { _ = try detector.detect(in: grey) }
    }

    @Test("The explanation names the engine in use and why not the other")
    func explanations() throws {
        let openCV = try RoadUserDetector(modelPath: nil, engine: .openCV)
        #expect(openCV.engineDescription == "OpenCV, as configured")
        #expect(openCV.modelName.hasPrefix("road-users"))
        let automatic = try RoadUserDetector(modelPath: nil)
        #expect(automatic.engineDescription.hasPrefix(Self.hasOpenVINO ? "OpenVINO" : "OpenCV, because OpenVINO does not load"))
    }

    @Test("Where no runtime is, every folder looked at is in the explanation")
    func runtimeMissing() throws {
        let folder = try TemporaryFolder()
        try Data("no library".utf8).write(to: folder.url.appending(path: "libopenvino_c.so.1"))
        let places = ["/nowhere/openvino", folder.url.path()]
        let (engine, explanation) = OpenVINOLocator.find(in: places)
        // A system-wide runtime would be found after all.
        if engine == nil {
            for place in places { #expect(explanation.contains(place)) }
        } else {
            #expect(engine == .openVINO(folder: nil))
        }
        let problem = InferenceEngine.openVINOProblem(folder: "/nowhere/openvino")
        #expect(problem == "/nowhere/openvino holds no libopenvino_c.so")
    }

    @Test("The runtime is looked for in fixed places only, never relative to the working directory")
    func runtimePlaces() {
        #expect(OpenVINOLocator.folders(configured: "/opt/ov").first == "/opt/ov")
        #expect(OpenVINOLocator.folders(configured: "ov").contains("ov") == false)
        #expect(OpenVINOLocator.folders(configured: nil).allSatisfy { $0.hasPrefix("/") })
    }

    @Test(
        "Weights that are no network end in one line that names the model and the file",
        arguments: [RoadUserDetector.EngineChoice.automatic, .openCV])
    func corrupt(_ engine: RoadUserDetector.EngineChoice) throws {
        let whole = try Data(contentsOf: URL(filePath: ModelFixture.embeddedWeights))
        for bytes in [Data("not a network".utf8), Data(), whole.prefix(whole.count / 2)] {
            let fixture = try ModelFixture()
            let path = try fixture.write(weights: bytes)
            let error = #expect(throws: UserError.self) { _ = try RoadUserDetector(modelPath: path, engine: engine) }
            #expect(error?.code == .badData)
            #expect(error?.message.hasPrefix("model test: loading \(fixture.folder.path("w.onnx"))") == true)
            #expect(error?.message.contains("\n") == false)
        }
    }

    @Test("A model in OpenVINO's own format is refused for OpenCV before it is opened")
    func irNeedsOpenVINO() throws {
        let fixture = try ModelFixture()
        try Data().write(to: fixture.folder.url.appending(path: "m.bin"))
        let path = try fixture.write(weights: Data("<net/>".utf8), name: "m.xml")
        let error = #expect(throws: UserError.self) { _ = try RoadUserDetector(modelPath: path, engine: .openCV) }
        #expect(error?.code == .configuration)
    }

    @Test("A description that does not fit its weights is refused, at the first picture at the latest")
    func wrongDescription() throws {
        let weights = try Data(contentsOf: URL(filePath: ModelFixture.embeddedWeights))
        for changes in [
            ["adapter": "nanodet"], ["adapter": "ssd"], ["classes": "[person]"], ["input": "{width: 320, height: 100}"],
        ] {
            let fixture = try ModelFixture()
            let path = try fixture.write(weights: weights, changes: changes)
            let frame = try greyPicture(width: 64, height: 64)
            for engine in [RoadUserDetector.EngineChoice.automatic, .openCV] {
                #expect(throws: (any Error).self, "\(changes)") {
                    var detector = try RoadUserDetector(modelPath: path, engine: engine)
                    _ = try detector.detect(in: frame)
                }
            }
        }
    }

    @Test("A line of `detect --json` is what the contract says, both lists always there")
    func line() throws {
        let line = DetectionLine(
            image: "a.jpg", width: 1280, height: 720,
            detections: [Detection(roadUser: .car, score: 0.91237, box: Box(x: 1.04, y: 2.06, width: 30, height: 40))])
        let text = String(decoding: try WireCodec.encode(line), as: UTF8.self)
        #expect(
            text
                == #"{"height":720,"image":"a.jpg","objects":[{"box":[1,2.1,30,40],"class":"car","score":0.9124}],"signs":[],"width":1280}"#
        )
    }
}
