import FleetModel
import FleetRuntime
import Foundation
import Imaging
import WorldModel

/// The picture of an alert, ready to be sent.
public struct Snapshot: Sendable {
    /// At most `SnapshotLimits.maximumBytes`.
    public var jpeg: Data
    /// What the alert says of it.
    public var reference: SnapshotReference
}

/// Makes snapshots: privacy first, then the size that every link carries. One thread at a time.
public struct SnapshotMaker {
    /// Widest picture that is sent, in pixels.
    public static let maximumWidth = 1280
    /// JPEG qualities, tried from the best on until the picture fits.
    private static let qualities = [85, 75, 65, 50, 35]
    /// When even the lowest quality does not fit, the picture gets this much smaller.
    private static let shrink = 0.75

    private var filter: PrivacyFilter?

    /// Without a `filter` faces and plates stay as they are.
    public init(filter: sending PrivacyFilter?) { self.filter = filter }

    /// The snapshot of `frame`, which is left obscured. `known` are its road users as far as they were found; `box` is what the alert is
    /// about, relative to the frame. Throws what the detector or the image library throws.
    public mutating func make(
        from frame: consuming Frame, known: [Detection] = [], box: Box? = nil, sessionTimeS: Double? = nil
    ) throws -> Snapshot {
        var picture = frame
        try filter?.obscure(&picture, known: known)
        if picture.width > Self.maximumWidth {
            let height = Int((Double(picture.height) * Double(Self.maximumWidth) / Double(picture.width)).rounded())
            picture = try picture.resized(width: Self.maximumWidth, height: max(1, height))
        }
        while true {
            for quality in Self.qualities {
                let jpeg = try picture.jpeg(quality: quality)
                guard jpeg.count <= SnapshotLimits.maximumBytes else { continue }
                return Snapshot(
                    jpeg: jpeg,
                    reference: SnapshotReference(
                        sha256: SHA256.hexadecimal(SHA256.digest(of: jpeg)), width: picture.width, height: picture.height,
                        sessionTimeS: sessionTimeS, box: box))
            }
            picture = try picture.resized(
                width: max(1, Int(Double(picture.width) * Self.shrink)), height: max(1, Int(Double(picture.height) * Self.shrink)))
        }
    }
}
