import WorldModel
import FleetModel

/// What a model's class names mean here.
enum ClassGroup {
    /// The road user that `name` stands for (COCO and Open Model Zoo names); nil for what is no road user.
    static func roadUser(_ name: String) -> RoadUserClass? {
        switch name.lowercased() {
        case "person", "pedestrian", "rider": .person
        case "bicycle", "bike", "cyclist": .bicycle
        case "motorcycle", "motorbike": .motorcycle
        case "car", "vehicle", "van": .car
        case "bus": .bus
        case "truck": .truck
        default: nil
        }
    }

    /// Classes that compete for the same thing: a van is seen as car and truck at once, a rider's bicycle as motorcycle.
    static func competes(_ a: RoadUserClass, _ b: RoadUserClass) -> Bool {
        a == b || (a.isVehicle && b.isVehicle) || (a.isTwoWheeler && b.isTwoWheeler)
    }
}
