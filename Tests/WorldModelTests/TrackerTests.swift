import FleetModel
import Foundation
import Testing

@testable import WorldModel

@Suite struct TrackerTests {
    static let frame = FrameSize(width: 1280, height: 720)

    static func car(x: Double, y: Double = 300, size: Double = 80, score: Double = 0.9, as roadUser: RoadUserClass = .car)
        -> Detection
    {
        Detection(roadUser: roadUser, score: score, box: Box(x: x, y: y, width: size, height: size * 0.8))
    }

    @Test("A track keeps its number through missed detections, at any frame rate", arguments: [10.0, 24, 30])
    func missed(rate: Double) {
        var tracker = Tracker(frame: Self.frame)
        var ids = Set<Int>()
        for i in 0..<Int(rate * 4) {
            // It moves to the right by 40 pixels a second; every third detection is missing.
            let x = 400 + 40 * Double(i) / rate
            let tracks = tracker.update(i > 5 && i.isMultiple(of: 3) ? [] : [Self.car(x: x)], atS: Double(i) / rate)
            ids.formUnion(tracks.map(\.id))
            if i > Int(rate) { #expect(tracks.count == 1) }
        }
        #expect(ids == [1])
    }

    @Test("C8 of detections dropped by 30 % one track is made")
    func dropped() {
        var tracker = Tracker(frame: Self.frame)
        var generator = Lehmer(state: 7)
        var ids = Set<Int>()
        for i in 0..<300 {
            let seen = generator.next() % 10 >= 3
            ids.formUnion(tracker.update(seen ? [Self.car(x: 500)] : [], atS: Double(i) / 30).map(\.id))
        }
        #expect(ids.count == 1)
    }

    @Test("C10 a track without detections ends within its patience, counted in seconds")
    func patience() {
        var tracker = Tracker(frame: Self.frame)
        for i in 0..<10 { tracker.update([Self.car(x: 500)], atS: Double(i) / 10) }
        #expect(tracker.update([], atS: 1.6).count == 1)
        #expect(tracker.update([], atS: 1.8).isEmpty)
    }

    @Test("C5 a flicker of low confidence begins no track")
    func flicker() {
        var tracker = Tracker(frame: Self.frame)
        for i in 0..<60 {
            #expect(tracker.update(i % 10 < 3 ? [Self.car(x: 500, score: 0.35)] : [], atS: Double(i) / 30).isEmpty)
        }
        #expect(tracker.all.isEmpty)
    }

    @Test("Two cars that drive side by side keep their numbers")
    func two() {
        var tracker = Tracker(frame: Self.frame)
        for i in 0..<60 {
            let t = Double(i) / 30
            let tracks = tracker.update([Self.car(x: 700 - 100 * t), Self.car(x: 400 + 20 * t)], atS: t)
            if i > 10 {
                #expect(tracks.map(\.id) == [1, 2])
                #expect(abs(tracks[0].box.x - (700 - 100 * t)) < 6)
            }
        }
    }

    @Test("The class is voted; a truck seen now and then does not rename a car")
    func vote() {
        var tracker = Tracker(frame: Self.frame)
        for i in 0..<30 {
            let tracks = tracker.update([Self.car(x: 500, as: i % 3 == 2 ? .truck : .car)], atS: Double(i) / 30)
            if let track = tracks.first { #expect(track.roadUser == .car) }
        }
        #expect(tracker.confirmed.count == 1)
    }

    @Test("A box within the box of a nearer car begins no track of its own")
    func covered() {
        var tracker = Tracker(frame: Self.frame)
        for i in 0..<20 { tracker.update([Self.car(x: 500, size: 200), Self.car(x: 540, y: 320, size: 80)], atS: Double(i) / 30) }
        #expect(tracker.all.count <= 2)
        for i in 20..<40 { tracker.update([Self.car(x: 500, size: 200)], atS: Double(i) / 30) }
        for i in 40..<60 { tracker.update([Self.car(x: 500, size: 200), Self.car(x: 540, y: 320, size: 80)], atS: Double(i) / 30) }
        #expect(tracker.all.count == 1)
    }

    @Test("The same detections give the same tracks")
    func deterministic() {
        func run() -> [Track] {
            var tracker = Tracker(frame: Self.frame)
            var generator = Lehmer(state: 3)
            for i in 0..<100 {
                let noise = Double(generator.next() % 100) / 20
                tracker.update([Self.car(x: 500 + noise), Self.car(x: 300 - noise)], atS: Double(i) / 30)
            }
            return tracker.confirmed
        }
        #expect(run() == run())
        #expect(run().map(\.id) == [1, 2])
    }

    @Test("Boxes of nonsense are left out")
    func nonsense() {
        var tracker = Tracker(frame: Self.frame)
        let bad = [
            Detection(roadUser: .car, score: .nan, box: Box(x: 1, y: 1, width: 50, height: 50)),
            Detection(roadUser: .car, score: 0.9, box: Box(x: 1, y: 1, width: 0, height: 50)),
        ]
        for i in 0..<10 { tracker.update(bad, atS: Double(i) / 10) }
        #expect(tracker.all.isEmpty)
    }
}

/// A small generator with a fixed sequence.
struct Lehmer {
    var state: UInt64
    mutating func next() -> UInt64 {
        state = state * 48_271 % 2_147_483_647
        return state
    }
    /// Roughly normal with standard deviation 1.
    mutating func normal() -> Double {
        (0..<12).reduce(-6.0) { sum, _ in sum + Double(next()) / 2_147_483_647 }
    }
}
