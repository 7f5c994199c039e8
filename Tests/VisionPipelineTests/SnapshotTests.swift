import FleetModel
import FleetRuntime
import FleetTestSupport
import Foundation
import Imaging
import Perception
import Testing
import WorldModel

@testable import VisionPipeline

@Suite struct SnapshotTests {
    /// Finds what it was told to, in whole pictures only.
    struct Told: Detector {
        let modelName = "told"
        let engineDescription = "told"
        var found: [Detection] = []
        mutating func detect(in frame: borrowing Frame) throws -> [Detection] { frame.width == 1280 ? found : [] }
    }

    static func noisy(width: Int = 1280, height: Int = 720) throws -> Frame {
        var frame = try Frame.black(width: width, height: height)
        try frame.fillWithNoise(seed: 11, sigma: 70)
        return frame
    }

    /// Mean difference between neighbours in a part: what is obscured has little.
    static func detail(_ frame: borrowing Frame, _ part: Box) -> Double {
        var (sum, count) = (0.0, 0.0)
        for y in stride(from: Int(part.y), to: Int(part.maxY), by: 3) {
            for x in Int(part.x)..<Int(part.maxX) - 1 {
                sum += abs(Double(frame.sample(x: x, y: y) ?? 0) - Double(frame.sample(x: x + 1, y: y) ?? 0))
                count += 1
            }
        }
        return sum / max(1, count)
    }

    @Test("The heads of people and the plate bands of vehicles are made unrecognisable, the rest stays")
    func obscured() throws {
        let person = Detection(roadUser: .person, score: 0.3, box: Box(x: 200, y: 200, width: 100, height: 300))
        let car = Detection(roadUser: .car, score: 0.2, box: Box(x: 700, y: 300, width: 240, height: 180))
        var filter = PrivacyFilter(detector: Told(found: [person, car]))
        var picture = try Self.noisy()
        try filter.obscure(&picture)
        #expect(Self.detail(picture, Box(x: 210, y: 205, width: 80, height: 90)) < 8)
        #expect(Self.detail(picture, Box(x: 740, y: 395, width: 160, height: 70)) < 8)
        #expect(Self.detail(picture, Box(x: 210, y: 340, width: 80, height: 150)) > 30)
        #expect(Self.detail(picture, Box(x: 720, y: 305, width: 200, height: 50)) > 30)
    }

    @Test("A picture full of noise still fits the limit, and the reference describes what is sent")
    func size() throws {
        var maker = SnapshotMaker(filter: nil)
        let box = Box(x: 0.4, y: 0.5, width: 0.1, height: 0.1)
        let snapshot = try maker.make(from: Self.noisy(width: 1920, height: 1080), box: box, sessionTimeS: 12.4)
        #expect(snapshot.jpeg.count <= SnapshotLimits.maximumBytes)
        let back = try Frame.decode(snapshot.jpeg)
        #expect(back.width == snapshot.reference.width && back.height == snapshot.reference.height && back.width <= 1280)
        #expect(snapshot.reference.sha256 == SHA256.hexadecimal(SHA256.digest(of: snapshot.jpeg)))
        #expect(snapshot.reference.box == box && snapshot.reference.sessionTimeS == 12.4)
    }

    static func alert(_ phase: AlertPhase, _ severity: Severity, revision: Int) -> Alert {
        SampleAlerts.alert(7, revision: revision, phase: phase, severity: severity)
    }

    @Test("Pictures are taken at the start and at every rise of the severity")
    func trigger() {
        var trigger = SnapshotTrigger()
        let steps: [(AlertPhase, Severity, Bool)] = [
            (.start, .caution, true), (.update, .caution, false), (.update, .warning, true), (.update, .warning, false),
            (.update, .critical, true), (.end, .critical, false),
        ]
        for (i, (phase, severity, wanted)) in steps.enumerated() {
            #expect(trigger.wants(Self.alert(phase, severity, revision: i + 1)) == wanted, "step \(i)")
        }
    }

    static func picture(_ digit: String) -> Snapshot {
        Snapshot(
            jpeg: Data(digit.utf8),
            reference: SnapshotReference(
                sha256: String(repeating: digit, count: 64), width: 4, height: 3, sessionTimeS: nil, box: nil))
    }

    @Test("An alert goes out without its picture, the picture when it is made, and the next revision names it")
    func firstPicture() {
        var book = SnapshotBook()
        let start = Self.alert(.start, .warning, revision: 1)
        #expect(book.complete(start).alert.snapshot == nil)
        #expect(book.add(Self.picture("a"), of: start.id, isFirst: true)?.jpeg == Data("a".utf8))
        let (update, then) = book.complete(Self.alert(.update, .warning, revision: 2))
        #expect(update.snapshot?.sha256 == String(repeating: "a", count: 64))
        #expect(then == nil)
    }

    @Test("A second picture waits for the revision that names it, because the fleet server refuses what the alert does not name")
    func secondPicture() {
        var book = SnapshotBook()
        let start = Self.alert(.start, .warning, revision: 1)
        _ = book.complete(start)
        _ = book.add(Self.picture("a"), of: start.id, isFirst: true)
        _ = book.complete(Self.alert(.update, .critical, revision: 2))
        #expect(book.add(Self.picture("b"), of: start.id, isFirst: false) == nil)
        let (end, then) = book.complete(Self.alert(.end, .critical, revision: 3))
        #expect(end.snapshot?.sha256 == String(repeating: "b", count: 64))
        #expect(then?.jpeg == Data("b".utf8))
        #expect(book.add(Self.picture("c"), of: start.id, isFirst: false) == nil)
    }
}
