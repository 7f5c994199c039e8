/// How the camera maps the road to the picture: a pinhole without distortion, level but for its pitch.
public struct CameraCalibration: Hashable, Sendable {
    /// Width of the picture that the other numbers refer to, pixels.
    public var width: Int
    /// Height of that picture, pixels.
    public var height: Int
    /// Focal length, pixels.
    public var focalLengthPx: Double
    /// Where the optical axis meets the picture, pixels from the left.
    public var principalPointX: Double
    /// Where the optical axis meets the picture, pixels from the top.
    public var principalPointY: Double
    /// Height of the camera above the road, m; nil when unknown, and then the road gives no distance.
    public var heightM: Double?
    /// Pitch in degrees, nose up positive.
    public var pitchDeg: Double

    /// A calibration; without a principal point it is the middle of the picture.
    public init(
        width: Int, height: Int, focalLengthPx: Double, principalPointX: Double? = nil, principalPointY: Double? = nil,
        heightM: Double? = nil, pitchDeg: Double = 0
    ) {
        self.width = width
        self.height = height
        self.focalLengthPx = focalLengthPx
        self.principalPointX = principalPointX ?? Double(width) / 2
        self.principalPointY = principalPointY ?? Double(height) / 2
        self.heightM = heightM
        self.pitchDeg = pitchDeg
    }

    /// The calibration of the same camera when its picture comes in another size. The focal length follows the width.
    public func scaled(toWidth newWidth: Int, height newHeight: Int) -> CameraCalibration {
        guard width > 0, height > 0, newWidth != width || newHeight != height else { return self }
        let (x, y) = (Double(newWidth) / Double(width), Double(newHeight) / Double(height))
        return CameraCalibration(
            width: newWidth, height: newHeight, focalLengthPx: focalLengthPx * x, principalPointX: principalPointX * x,
            principalPointY: principalPointY * y, heightM: heightM, pitchDeg: pitchDeg)
    }
}
