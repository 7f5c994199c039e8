import FleetModel
import FleetRuntime
import Foundation
import WorldModel

/// What a detector found in one frame, as a line of a detections file:
/// `{"frame":12,"height":720,"objects":[{"box":[x,y,w,h],"class":"car","score":0.9}],"t":0.4,"width":1280}`.
///
/// Boxes are pixels of a frame of `width` × `height`. Replaying such a file gives the same events everywhere, byte for byte: no
/// picture, no network is involved.
public struct DetectionFrame: Codable, Hashable, Sendable {
    /// Number of the frame, from 0.
    public var frame: Int
    /// Seconds since the session began.
    public var t: Double
    /// Size of the frame in pixels; a file may leave it out where the session tells it.
    public var width: Int?
    public var height: Int?
    /// What was found, best first.
    public var objects: [Object]

    /// One road user.
    public struct Object: Codable, Hashable, Sendable {
        public var `class`: RoadUserClass
        public var score: Double
        public var box: Box
    }

    /// What was found in frame `frame` at `timeS`; numbers are rounded as the file has them, so that a replay of the file sees
    /// exactly what is written.
    public init(frame: Int, timeS: Double, size: FrameSize, detections: [Detection]) {
        self.frame = frame
        t = timeS.rounded(toPlaces: 4)
        width = Int(size.width)
        height = Int(size.height)
        objects = detections.map {
            Object(class: $0.roadUser, score: $0.score.rounded(toPlaces: 4), box: $0.box.rounded(toPlaces: 2))
        }
    }

    /// The size of the frame; nil when the line does not state it.
    public var size: FrameSize? {
        guard let width, let height else { return nil }
        return FrameSize(width: Double(width), height: Double(height))
    }
    /// What was found.
    public var detections: [Detection] { objects.map { Detection(roadUser: $0.class, score: $0.score, box: $0.box) } }

    /// Largest file that is read, in bytes.
    public static let maximumFileBytes = 1 << 30

    /// Reads a detections file. Throws `UserError` that names the file, the line and what is wrong; frames must be in order.
    public static func read(path: String) throws -> [DetectionFrame] {
        let data = try FilePieces.contents(of: path, limit: maximumFileBytes)
        var frames: [DetectionFrame] = []
        let decoder = JSONDecoder()
        for (number, line) in data.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).enumerated() {
            guard !line.allSatisfy({ $0 == 32 || $0 == 13 || $0 == 9 }) else { continue }
            func fail(_ what: String) -> UserError { UserError(.badData, "\(path):\(number + 1): \(what)") }
            guard let frame = try? decoder.decode(DetectionFrame.self, from: line) else {
                throw fail("no detections; a line is {\"frame\":0,\"t\":0,\"width\":1280,\"height\":720,\"objects\":[...]}")
            }
            guard (1...32_768).contains(frame.width ?? 1), (1...32_768).contains(frame.height ?? 1), (0..<1e9).contains(frame.t),
                frame.frame >= 0
            else {
                throw fail("frame, t, width or height is out of range")
            }
            guard frame.objects.allSatisfy({ (0...1).contains($0.score) && $0.box.width > 0 && $0.box.height > 0 }) else {
                throw fail("a score is not 0...1 or a box is empty")
            }
            if let last = frames.last, frame.frame <= last.frame || frame.t < last.t { throw fail("frames are not in order") }
            frames.append(frame)
        }
        guard !frames.isEmpty else { throw UserError(.badData, "\(path): holds no frame") }
        return frames
    }
}

extension Box {
    /// The box with `places` decimals.
    func rounded(toPlaces places: Int) -> Box {
        Box(
            x: x.rounded(toPlaces: places), y: y.rounded(toPlaces: places), width: width.rounded(toPlaces: places),
            height: height.rounded(toPlaces: places))
    }
}
