import FleetModel

/// One line of `truth.jsonl`: what is exactly so at one frame. Boxes are in pixels, round what the frame shows.
public struct TruthLine: Codable, Hashable, Sendable {
    /// A road user that the camera could see.
    public struct Object: Codable, Hashable, Sendable {
        public var id: Int
        /// Car, truck or person.
        public var roadUserClass: RoadUserClass
        public var box: Box
        /// From the camera to its nearest face, m.
        public var distanceM: Double
        /// Its middle, m right of the camera.
        public var lateralM: Double
        /// Positive when it comes nearer, m/s.
        public var closingMps: Double
        /// `distanceM` over `closingMps`; null when not closing.
        public var ttcS: Double?
        /// Whether it overlaps the strip that the ego vehicle sweeps (1.8 m and 0.2 m on each side).
        public var inPath: Bool
        /// The part of its box (0...1) that nearer ones cover at most.
        public var occluded: Double

        enum CodingKeys: String, CodingKey {
            case id, roadUserClass = "class", box, distanceM, lateralM, closingMps, ttcS, inPath, occluded
        }

        public func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(id, forKey: .id)
            try container.encode(roadUserClass, forKey: .roadUserClass)
            try container.encode(box, forKey: .box)
            try container.encode(distanceM, forKey: .distanceM)
            try container.encode(lateralM, forKey: .lateralM)
            try container.encode(closingMps, forKey: .closingMps)
            try container.encode(ttcS, forKey: .ttcS)
            try container.encode(inPath, forKey: .inPath)
            try container.encode(occluded, forKey: .occluded)
        }
    }

    /// A speed-limit sign that the camera could see.
    public struct Sign: Codable, Hashable, Sendable {
        /// Always `speed_limit`.
        public var kind: String
        public var value: Double
        public var unit: SpeedUnit
        public var box: Box
        /// From the camera, m.
        public var distanceM: Double
    }

    public var frame: Int
    public var t: Double
    public var egoSpeedMps: Double
    /// The limit that holds at the camera's position.
    public var limit: Speed
    public var objects: [Object]
    public var signs: [Sign]
}

extension TruthLine {
    /// What is stated: nothing further away, nothing smaller.
    static let farthestM = 150.0
    static let smallestBoxHeightPx = 6.0

    /// The truth of `world` as `camera` sees it in frame number `frame`.
    public init(_ world: WorldSnapshot, frame: Int, camera: PinholeCamera) {
        self.frame = frame
        t = world.timeS.rounded(toPlaces: 4)
        egoSpeedMps = world.ego.speedMps.rounded(toPlaces: 4)
        limit = world.limit
        let seen = world.objects.compactMap { object in Self.box(of: object, camera).map { (object, $0) } }
        objects = seen.map { object, box in
            let nearer = seen.filter { $0.0.distanceM < object.distanceM }.map { box.coveredShare(by: $0.1) }
            return Object(
                id: object.id, roadUserClass: object.shape.roadUserClass, box: box.rounded,
                distanceM: object.distanceM.rounded(toPlaces: 4),
                lateralM: object.lateralM.rounded(toPlaces: 4), closingMps: object.closingMps.rounded(toPlaces: 4),
                ttcS: object.ttcS?.rounded(toPlaces: 4), inPath: object.isInPath, occluded: (nearer.max() ?? 0).rounded(toPlaces: 3)
            )
        }
        signs = world.signs.compactMap { sign in
            guard case .limit(let limit) = sign.face, sign.distanceM <= Self.farthestM else { return nil }
            let plate = SignPainter.plate(of: sign, camera: camera)
            guard let box = plate?.clipped(width: Double(camera.width), height: Double(camera.height)),
                box.height >= Self.smallestBoxHeightPx
            else { return nil }
            return Sign(
                kind: "speed_limit", value: limit.value, unit: limit.unit, box: box.rounded,
                distanceM: sign.distanceM.rounded(toPlaces: 4))
        }
    }

    private static func box(of object: WorldSnapshot.Object, _ camera: PinholeCamera) -> Box? {
        guard object.distanceM <= farthestM else { return nil }
        let size = object.shape.sizeM
        let box = camera.box(
            lateralM: object.lateralM, distanceM: object.distanceM, widthM: size.width, heightM: size.height, lengthM: size.length)
        guard let box, box.height >= smallestBoxHeightPx else { return nil }
        return box
    }
}

extension Box {
    /// The share of this box that `other` covers.
    fileprivate func coveredShare(by other: Box) -> Double {
        let (w, h) = (min(maxX, other.maxX) - max(x, other.x), min(maxY, other.maxY) - max(y, other.y))
        return w > 0 && h > 0 && area > 0 ? w * h / area : 0
    }

    fileprivate var rounded: Box {
        Box(
            x: x.rounded(toPlaces: 2), y: y.rounded(toPlaces: 2), width: width.rounded(toPlaces: 2),
            height: height.rounded(toPlaces: 2))
    }
}
