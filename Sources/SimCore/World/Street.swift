/// The cross-section of the simulated road, metres to the right of the ego lane's middle. Right-hand traffic.
enum Street {
    /// Lane width of a German urban main road (RASt 06: 3.25 to 3.50 m).
    static let laneWidthM = 3.5
    /// Middle of the lane of oncoming traffic.
    static let oncomingLaneM = -laneWidthM
    /// The line between the lanes.
    static let centreLineM = -laneWidthM / 2
    /// Where the ego lane ends and the parking strip begins.
    static let rightEdgeM = laneWidthM / 2
    /// Middle of a car that is parked on the right.
    static let parkedM = 3.0
    /// Kerbs.
    static let leftKerbM = -5.4
    static let rightKerbM = 4.1
    /// Pavements end and front gardens begin here.
    static let leftGardenM = -7.6
    static let rightGardenM = 6.6
    /// Fronts of houses and hedges.
    static let leftFrontM = -11.0
    static let rightFrontM = 11.0
    /// Where signs stand.
    static let signM = 4.7
    /// Width of a car for the question whether something is in its path.
    static let egoWidthM = 1.8
    /// Height of the camera: behind the windscreen of a car.
    static let cameraHeightM = 1.4
}
