import FleetModel
import FleetTestSupport
import Testing

@testable import VisionPipeline

@Suite struct LabelLayoutTests {
    @Test("Labels of boxes that overlap never cover each other, stay in the frame, and the first gets the best place")
    func crowd() {
        var layout = LabelLayout(width: 1280, height: 720, reserved: [Box(x: 0, y: 0, width: 1280, height: 56)])
        var places: [Box?] = []
        for i in 0..<30 {
            let box = Box(x: Double(200 + 17 * i), y: Double(150 + 11 * (i % 5)), width: 90, height: 70)
            places.append(layout.place(width: 120, height: 24, at: box))
        }
        #expect(places[0] == Box(x: 200, y: 126, width: 120, height: 24))
        let placed: [Box] = places.compactMap { $0 }
        #expect(placed.count >= 10)
        for (i, a) in placed.enumerated() {
            #expect(a.x >= 0 && a.maxX <= 1280 && a.y >= 56 && a.maxY <= 720)
            for b in placed[(i + 1)...] { #expect(a.iou(b) == 0) }
        }
    }

    @Test("A label at the upper or right edge is moved into the frame")
    func edges() {
        var layout = LabelLayout(width: 640, height: 360)
        #expect(
            layout.place(width: 100, height: 20, at: Box(x: 600, y: 5, width: 40, height: 60))
                == Box(x: 540, y: 65, width: 100, height: 20))
        #expect(layout.place(width: 700, height: 20, at: Box(x: 0, y: 100, width: 40, height: 60)) == nil)
    }
}

@Suite struct OpenAlertsTests {
    @Test("The most severe open alert comes first, and an ended one is gone")
    func order() {
        var open = OpenAlerts()
        open.follow(SampleAlerts.alert(1, severity: .caution))
        open.follow(SampleAlerts.alert(2, severity: .critical))
        open.follow(SampleAlerts.alert(3, severity: .warning))
        #expect(open.all.map(\.severity) == [.critical, .warning, .caution])
        open.follow(SampleAlerts.alert(2, revision: 2, phase: .end, severity: .critical))
        #expect(open.all.map(\.severity) == [.warning, .caution])
    }
}
