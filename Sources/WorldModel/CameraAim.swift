import FleetModel
import Foundation

/// Where in the picture "straight ahead" lies: the vanishing point of the road that the vehicle follows.
///
/// Its column says where the camera looks sideways of the direction of travel, its row where the horizon is. It belongs to the way
/// the camera is mounted, so it changes only when somebody touches the camera; what is learnt on one drive holds for the next.
public struct CameraAim: Hashable, Sendable, Codable {
    /// Column, in widths of the frame from the left edge (0.5 is the middle).
    public var x: Double
    /// Row, in heights of the frame from the top.
    public var y: Double
    /// Standard deviation of `x`, in widths.
    public var sdX: Double
    /// Standard deviation of `y`, in heights.
    public var sdY: Double
    /// How many moments have contributed; 0 for an aim that is only assumed.
    public var samples: Int

    /// All members.
    public init(x: Double, y: Double, sdX: Double, sdY: Double, samples: Int = 0) {
        self.x = x
        self.y = y
        self.sdX = sdX
        self.sdY = sdY
        self.samples = samples
    }

    /// What is assumed of a camera that nobody has aligned: it looks ahead to within a tenth of the frame (6 degrees with a 60 degree
    /// lens), a little up or down.
    public static let unaligned = CameraAim(x: 0.5, y: 0.5, sdX: 0.1, sdY: 0.12)

    /// What a calibration says: the principal point, moved by the pitch. That the camera also looks straight ahead nobody has
    /// measured: a degree is usual, 2 % of the width of a 60 degree lens.
    public init(_ camera: CameraCalibration) {
        let horizon = camera.principalPointY + camera.focalLengthPx * tan(camera.pitchDeg * .pi / 180)
        let degree = camera.focalLengthPx * tan(.pi / 180)
        self.init(
            x: camera.principalPointX / Double(camera.width), y: horizon / Double(camera.height),
            sdX: 0.6 * degree / Double(camera.width), sdY: 0.6 * degree / Double(camera.height))
    }

    /// Whether it has been found and not only assumed: to better than 1 % of the frame's width, about half a degree.
    public var isFound: Bool { samples >= 30 && sdX < 0.01 }

    /// The same for a person: in percent of the picture from its left and upper edge.
    public var words: String {
        func percent(_ share: Double) -> String { String((share * 100).rounded(toPlaces: 1)) }
        return "\(percent(x)) % ± \(percent(sdX)) of the width, the horizon at \(percent(y)) % ± \(percent(sdY)) of the height"
    }
}
