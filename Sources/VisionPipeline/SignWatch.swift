import FleetModel
import Imaging
import Perception
import WorldModel

/// Finds, reads and follows signs from frame to frame, and tells each that is passed once. One thread at a time.
struct SignWatch {
    /// What one frame gave.
    struct Result {
        var sightings: [SignSighting] = []
        var adopted: [AdoptedSign] = []
    }

    /// Signs are looked for this often, in s: a frame of a fast camera more or less changes nothing, and time is short.
    private static let leastIntervalS = 0.06

    private var detector: SignDetector
    private let camera: CameraCalibration?
    private var follower: (size: FrameSize, value: SignFollower)?
    private var lastS = -Double.infinity

    init(detector: SignDetector, camera: CameraCalibration?) {
        self.detector = detector
        self.camera = camera
    }

    /// Looks at `frame`, taken at `timeS`, in which `detections` are the road users. Throws what the detector throws.
    mutating func look(
        at frame: borrowing Frame, detections: [Detection], speedMps: Double?, atS timeS: Double
    ) throws -> Result {
        guard timeS - lastS >= Self.leastIntervalS else { return Result() }
        lastS = timeS
        let sightings = try detector.detect(in: frame)
        let size = FrameSize(width: Double(frame.width), height: Double(frame.height))
        if follower?.size != size {
            let scaled = camera?.scaled(toWidth: frame.width, height: frame.height)
            follower = (size, SignFollower(frame: size, focalLengthPx: scaled?.focalLengthPx))
        }
        let vehicles = detections.filter { [.car, .bus, .truck].contains($0.roadUser) }.map(\.box)
        let adopted = follower?.value.update(sightings, vehicles: vehicles, speedMps: speedMps, atS: timeS) ?? []
        return Result(sightings: sightings, adopted: adopted)
    }
}
