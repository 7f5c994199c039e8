import FleetModel
import Testing
import WorldModel

@testable import Perception

@Suite("Non-maximum suppression and class groups")
struct SuppressionTests {
    private func detection(_ roadUser: RoadUserClass, _ score: Double, _ x: Double, width: Double = 10) -> Detection {
        Detection(roadUser: roadUser, score: score, box: Box(x: x, y: 0, width: width, height: 10))
    }

    @Test("Of two boxes of a group that overlap by more than the limit the weaker goes, worked by hand")
    func overlap() {
        // 10 × 10 boxes shifted by 2: 80 / 120 = 0.667; by 3: 70 / 130 = 0.538.
        let first = detection(.car, 0.9, 0)
        let near = detection(.car, 0.8, 2)
        let apart = detection(.car, 0.7, 3)
        #expect(NonMaximumSuppression.apply([near, first], iou: 0.6) == [first])
        #expect(NonMaximumSuppression.apply([apart, first], iou: 0.6) == [first, apart])
        #expect(NonMaximumSuppression.apply([apart, first], iou: 0.5) == [first])
    }

    @Test("A box that was suppressed suppresses nothing")
    func chain() {
        // Each overlaps its neighbour by 0.667, the outer two by 60 / 140 = 0.43.
        let row = [detection(.car, 0.9, 0), detection(.car, 0.8, 2), detection(.car, 0.7, 4)]
        #expect(NonMaximumSuppression.apply(row, iou: 0.6) == [row[0], row[2]])
    }

    @Test(
        "Vehicles compete with vehicles, two-wheelers with two-wheelers, persons with persons only",
        arguments: [
            (RoadUserClass.car, RoadUserClass.truck, true), (.bus, .car, true), (.bicycle, .motorcycle, true),
            (.person, .person, true),
            (.person, .bicycle, false), (.car, .person, false), (.motorcycle, .car, false),
        ])
    func groups(_ a: RoadUserClass, _ b: RoadUserClass, _ competes: Bool) {
        let kept = NonMaximumSuppression.apply([detection(a, 0.9, 0), detection(b, 0.8, 0)], iou: 0.6)
        #expect(kept.count == (competes ? 1 : 2))
        #expect(kept.first?.roadUser == a)
    }

    @Test("Best first, equal scores in the order they came, never more than the limit")
    func order() {
        let equal = (0..<5).map { detection(.car, 0.5, Double($0) * 20) }
        #expect(NonMaximumSuppression.apply(equal, iou: 0.6) == equal)
        #expect(NonMaximumSuppression.apply(equal + [detection(.person, 0.6, 300)], iou: 0.6).first?.roadUser == .person)
        let many = (0..<500).map { detection(.car, 0.5, Double($0) * 20) }
        #expect(NonMaximumSuppression.apply(many, iou: 0.6, limit: 200).count == 200)
        #expect(NonMaximumSuppression.apply([], iou: 0.6).isEmpty)
    }

    @Test(
        "Class names of the publishers",
        arguments: [
            ("person", RoadUserClass.person), ("pedestrian", .person), ("rider", .person), ("bicycle", .bicycle),
            ("bike", .bicycle),
            ("motorcycle", .motorcycle), ("Motorbike", .motorcycle), ("car", .car), ("vehicle", .car), ("van", .car), ("bus", .bus),
            ("truck", .truck), ("traffic light", nil), ("train", nil), ("", nil),
        ] as [(String, RoadUserClass?)])
    func names(_ name: String, _ roadUser: RoadUserClass?) {
        #expect(ClassGroup.roadUser(name) == roadUser)
    }
}
