import FleetRuntime
import Imaging
import VisionPipeline

extension LandmarkWatch {
    /// The watch for the landmarks that the configuration names; nil when it names none. Throws `UserError` that names the picture.
    static func configured(_ landmarks: [LandmarkConfiguration]) throws -> sending LandmarkWatch? {
        guard !landmarks.isEmpty else { return nil }
        let watch = LandmarkWatch()
        for landmark in landmarks {
            do throws(ImagingError) {
                try watch.add(
                    landmark.name, try Frame.read(path: landmark.imagePath), leastScore: landmark.minimumScore,
                    range: .init(smallest: landmark.smallest, largest: landmark.largest, angleDeg: landmark.maximumAngleDeg))
            } catch {
                throw UserError(.configuration, "landmark \(landmark.name): \(landmark.imagePath): \(error.detail)")
            }
        }
        return watch
    }
}
