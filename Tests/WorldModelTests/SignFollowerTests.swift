import FleetModel
import Testing
import WorldModel

/// A sign at the road as a camera at 10 fps sees it: 1280 x 720 pixels, focal length 1100 pixels.
@Suite struct SignFollowerTests {
    static let frame = FrameSize(width: 1280, height: 720)
    static let focalLengthPx = 1100.0

    /// Where a sign of `heightM` is seen from `distanceM`, `lateralM` to the right and `aboveM` over the camera.
    static func box(_ distanceM: Double, lateralM: Double = 4, aboveM: Double = 1, heightM: Double = 0.6, aspect: Double = 1) -> Box
    {
        let height = focalLengthPx * heightM / distanceM
        return Box(
            x: 640 + focalLengthPx * lateralM / distanceM - height * aspect / 2,
            y: 360 - focalLengthPx * aboveM / distanceM - height / 2, width: height * aspect, height: height)
    }

    static func limit(_ value: Double, _ box: Box, score: Double = 0.95) -> SignSighting {
        SignSighting(kind: .limit, limit: Speed(value, .kilometresPerHour), score: score, box: box)
    }

    /// Drives from 40 m to past the sign at 15 m/s and a while on; `see` tells what is seen of it at a distance.
    static func drive(
        speedMps: Double? = 15, seconds: Double = 5, focalLengthPx: Double? = focalLengthPx,
        vehicles: (Double) -> [Box] = { _ in [] },
        see: (Double, Int) -> [SignSighting]
    ) -> (adopted: [AdoptedSign], rejected: [SignFollower.Rejection: Int]) {
        var follower = SignFollower(frame: frame, focalLengthPx: focalLengthPx)
        var adopted: [AdoptedSign] = []
        for i in 0..<Int(seconds * 10) {
            let timeS = Double(i) / 10
            let distance = 40 - 15 * timeS
            let sightings = distance > 1 ? see(distance, i).filter { $0.box.maxX < 1280 && $0.box.y > 0 && $0.box.x > 0 } : []
            adopted += follower.update(sightings, vehicles: vehicles(distance), speedMps: speedMps, atS: timeS)
        }
        return (adopted, follower.rejected)
    }

    @Test("A limit is adopted once, when it has been passed, with its last place")
    func passed() throws {
        let (adopted, _) = Self.drive { distance, _ in [Self.limit(50, Self.box(distance))] }
        let sign = try #require(adopted.first)
        #expect(adopted.count == 1)
        #expect(sign.kind == .limit)
        #expect(sign.limit == Speed(50, .kilometresPerHour))
        #expect(sign.confidence == 1)
        #expect(sign.box.maxX > 1000)
        #expect((1.5...3).contains(sign.timeS))
    }

    @Test("S6 Readings that flicker between 60, 80 and 40 give the one limit 60")
    func flicker() {
        let values = [60.0, 80, 60, 40, 60]
        let (adopted, _) = Self.drive { distance, i in [Self.limit(values[i % 5], Self.box(distance))] }
        #expect(adopted.map(\.limit) == [Speed(60, .kilometresPerHour)])
        #expect(adopted.allSatisfy { (0.5..<0.8).contains($0.confidence) })
    }

    @Test("S6 A sign read as a limit now and then and as another sign mostly is none")
    func mostlyOther() {
        let (adopted, rejected) = Self.drive { distance, i in
            let box = Self.box(distance)
            return i % 3 == 0 ? [Self.limit(40, box)] : [SignSighting(kind: .other, limit: nil, score: 0.95, box: box)]
        }
        #expect(adopted.isEmpty)
        #expect(rejected == [.unsure: 1])
    }

    @Test(
        "S12 The end of a limit, and of all limits, is adopted like a limit", arguments: [SignSighting.Kind.endOfLimit, .endOfAll])
    func ends(_ kind: SignSighting.Kind) {
        let number = kind == .endOfLimit ? Speed(80, .kilometresPerHour) : nil
        let (adopted, _) = Self.drive { distance, _ in
            [SignSighting(kind: kind, limit: number, score: 0.9, box: Self.box(distance))]
        }
        #expect(adopted.map(\.kind) == [kind == .endOfLimit ? .endOfLimit : .endOfAll])
        #expect(adopted.first?.limit == number)
    }

    @Test(
        "A number on the back of a lorry ahead is not adopted: within its box, and also without, because it does not grow as a sign does"
    )
    func sticker() {
        for isSeen in [true, false] {
            let (adopted, rejected) = Self.drive(vehicles: { _ in isSeen ? [Box(x: 540, y: 200, width: 260, height: 300)] : [] }) {
                distance, _ in
                // The lorry is 14 m ahead and comes nearer by 1 m/s, then turns off.
                distance > 6 ? [Self.limit(80, Self.box(8 + distance / 10, lateralM: 0.5, aboveM: 0, heightM: 0.25))] : []
            }
            #expect(adopted.isEmpty)
            #expect(rejected.values.reduce(0, +) == 1, "\(rejected)")
        }
    }

    @Test("A sign that grows too slowly for a standing one at the own speed is moving")
    func moving() {
        let (adopted, rejected) = Self.drive(speedMps: 25) { distance, _ in
            [Self.limit(80, Self.box(6 + distance / 6, lateralM: 2.5, heightM: 0.3))]
        }
        #expect(adopted.isEmpty)
        #expect(rejected == [.moving: 1])
    }

    @Test("A sign is adopted after a stop before it, at a light or in a queue, and while braking", arguments: [4.0, 8, 20])
    func stop(seconds: Double) {
        var follower = SignFollower(frame: Self.frame, focalLengthPx: Self.focalLengthPx)
        var (distance, adopted) = (40.0, [AdoptedSign]())
        for i in 0..<Int((seconds + 10) * 10) {
            let timeS = Double(i) / 10
            // From 10 m/s to a stop 12 m before the sign, and on.
            let speedMps = timeS < 2.8 || timeS > 2.8 + seconds ? 10.0 : 0
            distance -= speedMps / 10
            let box = Self.box(distance)
            let isSeen = distance > 1 && box.maxX < 1280
            // A van behind the sign in some of the frames of the stop.
            let vehicles = speedMps == 0 && i % 4 == 0 ? [Box(x: box.x - 80, y: box.y - 50, width: 300, height: 300)] : []
            adopted += follower.update(isSeen ? [Self.limit(50, box)] : [], vehicles: vehicles, speedMps: speedMps, atS: timeS)
        }
        #expect(adopted.map(\.limit?.value) == [50], "\(follower.rejected)")
    }

    @Test("A sign is adopted where the speed is unknown on part of the way to it")
    func unknownWay() {
        var follower = SignFollower(frame: Self.frame, focalLengthPx: Self.focalLengthPx)
        var adopted: [AdoptedSign] = []
        for i in 0..<50 {
            let (timeS, distance) = (Double(i) / 10, 40 - 1.5 * Double(i))
            let box = Self.box(distance)
            let speedMps = (4...15).contains(i) ? nil : 15.0
            adopted += follower.update(
                distance > 1 && box.maxX < 1280 ? [Self.limit(50, box)] : [], vehicles: [], speedMps: speedMps, atS: timeS)
        }
        #expect(adopted.map(\.limit?.value) == [50], "\(follower.rejected)")
    }

    @Test("A limit far aside belongs to another road; one turned away to another direction")
    func aside() {
        let far = Self.drive { distance, _ in [Self.limit(30, Self.box(distance + 14, lateralM: -12))] }
        #expect(far.adopted.isEmpty)
        #expect(far.rejected == [.aside: 1])
        let turned = Self.drive { distance, _ in [Self.limit(30, Self.box(distance, aspect: 0.45))] }
        #expect(turned.adopted.isEmpty)
        #expect(turned.rejected == [.aside: 1])
    }

    @Test("Of the signs over several lanes the one over the own lane counts")
    func lanes() {
        let (adopted, _) = Self.drive { distance, _ in
            [(-3.5, 100.0), (0.3, 80), (3.8, 60)].map { Self.limit($0.1, Self.box(distance, lateralM: $0.0, aboveM: 4)) }
        }
        #expect(adopted.map(\.limit) == [Speed(80, .kilometresPerHour)])
    }

    @Test("Equal signs on both sides of the road are one")
    func pair() {
        let (adopted, _) = Self.drive { distance, _ in
            [Self.limit(70, Self.box(distance)), Self.limit(70, Self.box(distance + 4, lateralM: -5))]
        }
        #expect(adopted.count == 1)
    }

    @Test("A sign that is lost far away was not passed; without a known speed and calibration a passed one is adopted all the same")
    func lostAndUnknown() {
        let lost = Self.drive { distance, _ in distance > 30 ? [Self.limit(50, Self.box(distance))] : [] }
        #expect(lost.adopted.isEmpty)
        #expect(lost.rejected == [.notPassed: 1])
        let unknown = Self.drive(speedMps: nil, focalLengthPx: nil) { distance, _ in [Self.limit(50, Self.box(distance))] }
        #expect(unknown.adopted.count == 1)
    }

    @Test("A sign that is not seen in every other frame is followed all the same")
    func gaps() {
        let (adopted, _) = Self.drive { distance, i in i % 2 == 0 ? [Self.limit(50, Self.box(distance))] : [] }
        #expect(adopted.count == 1)
    }

    @Test("S12 A sign that is lost for a while goes on where it is seen again: what was seen at it then counts")
    func refound() {
        let (adopted, _) = Self.drive { distance, _ in
            guard !(16...26).contains(distance) else { return [] }
            var sighting = Self.limit(50, Self.box(distance))
            sighting.hasAnnex = distance < 16
            return [sighting]
        }
        #expect(adopted.map(\.kind) == [.restricted])
        // Another limit, or one at another distance from the road, is another sign.
        let other = Self.drive { distance, _ in
            distance > 26 ? [Self.limit(50, Self.box(distance))] : distance < 16 ? [Self.limit(70, Self.box(distance))] : []
        }
        #expect(other.adopted.map(\.limit?.value) == [70])
        let aside = Self.drive { distance, _ in
            guard !(16...26).contains(distance) else { return [] }
            var sighting = Self.limit(50, Self.box(distance, lateralM: distance < 16 ? -4 : 4))
            sighting.hasAnnex = distance < 16
            return [sighting]
        }
        #expect(aside.rejected[.notPassed] == 1)
    }

    @Test("S8 A minimum speed that reads as a limit in one frame of four and as nothing in the others is no limit")
    func seldom() {
        let seldom = Self.drive { distance, i in i % 4 == 0 ? [Self.limit(40, Self.box(distance))] : [] }
        #expect(seldom.adopted.isEmpty)
        #expect(seldom.rejected[.unsure] == 1)
    }

    @Test(
        "S10 A plate is believed from five readings on, a round sign from three", arguments: [(0.8, 4, 0), (0.8, 5, 1), (1, 3, 1)])
    func plate(aspect: Double, readings: Int, adopted: Int) {
        let drive = Self.drive { distance, i in
            (16..<16 + readings).contains(i) ? [Self.limit(50, Self.box(distance, aspect: aspect))] : []
        }
        #expect(drive.adopted.count == adopted, "\(drive.rejected)")
    }

    @Test(
        "S10 S12 A plate counts as passed from 38 pixels in 1280 on, a round sign from 26: a plate lost at 33 pixels may hold for lorries",
        arguments: [(aspect: 0.8, nearestM: 20.0, adopted: 0), (0.8, 16, 1), (1, 20, 1), (1, 28, 0)])
    func nearest(aspect: Double, nearestM: Double, adopted: Int) {
        let drive = Self.drive { distance, _ in
            distance >= nearestM ? [Self.limit(50, Self.box(distance, aspect: aspect))] : []
        }
        #expect(drive.adopted.count == adopted, "\(drive.rejected)")
        #expect(drive.rejected[.notPassed] == (adopted == 0 ? 1 : nil))
    }

    @Test("S6 What other things aside of a lost limit led its track to is forgotten when the limit is read again")
    func misled() {
        let (adopted, rejected) = Self.drive { distance, i in
            let box = Self.box(distance)
            guard (14...18).contains(i) else { return [Self.limit(50, box)] }
            let drift = Double(i - 13) * 0.2 * box.height
            return [
                SignSighting(
                    kind: .other, limit: nil, score: 1,
                    box: Box(x: box.x - drift, y: box.y - drift, width: box.width, height: box.height))
            ]
        }
        #expect(adopted.map(\.limit?.value) == [50])
        #expect(adopted.first?.confidence == 1)
        #expect(rejected.isEmpty)
    }

    @Test("S12 A sign whose track a wrong box led astray is one sign all the same")
    func astray() {
        let (adopted, rejected) = Self.drive { distance, i in
            var box = Self.box(distance)
            if i == 12 { box = Box(x: box.x - 12, y: box.y - 30, width: 1.6 * box.width, height: 1.6 * box.height) }
            var sighting = Self.limit(50, box)
            sighting.hasAnnex = distance < 22
            return [sighting]
        }
        #expect(adopted.map(\.kind) == [.restricted])
        #expect(adopted.first.map { $0.readings > 18 } == true)
        #expect(rejected.isEmpty)
    }

    @Test("S12 A sign whose track goes on to something larger, while it is read beside that, is one sign with its plate")
    func ledAway() {
        let (adopted, _) = Self.drive { distance, i in
            let box = Self.box(distance, aspect: 0.8)
            var sighting = Self.limit(50, box)
            sighting.hasAnnex = distance < 22
            guard i == 12 || i == 13 else { return [sighting] }
            // The next frames expect a large sign, and there is one that is none.
            let large = Box(x: box.x - 14, y: box.y - 18, width: 2.3 * box.width, height: 2.3 * box.height)
            return i == 12
                ? [Self.limit(50, large)] : [sighting, SignSighting(kind: .other, limit: nil, score: 1, box: large)]
        }
        #expect(adopted.map(\.kind) == [.restricted])
    }

    @Test("S12 A sign that is boxed twice in a frame, with much around it too, is one sign with its plate")
    func twice() {
        // What the finder saw of TRUCKS, SPEED LIMIT 65 on a drawn pass at 11.7 m/s: time, box, whether a plate was seen.
        let seen: [(Double, Double, Double, Double, Double, Bool?)] = [
            (0.2, 700, 340, 10, 12, nil), (0.3, 701, 341, 10, 11, nil), (0.4, 702, 339, 11, 12, nil),
            (0.6, 706, 339, 11, 12, nil), (1.2, 715, 331, 15, 20, true), (1.3, 717, 330, 14, 19, nil),
            (1.7, 727, 326, 17, 22, true), (1.8, 733, 331, 14, 17, nil), (1.9, 733, 323, 19, 26, true),
            (2.1, 741, 320, 20, 28, true), (2.2, 740, 313, 27, 35, false), (2.6, 764, 303, 34, 43, false),
            (2.7, 755, 310, 46, 67, false), (3, 795, 310, 28, 32, false), (3.1, 803, 302, 32, 39, true),
            (3.1, 781, 300, 55, 81, false), (3.2, 812, 292, 38, 47, true), (3.3, 827, 293, 38, 44, true),
            (3.5, 858, 279, 44, 55, true), (3.6, 878, 274, 45, 58, true), (3.7, 901, 263, 51, 66, true),
            (3.8, 931, 254, 55, 70, true), (3.9, 967, 238, 63, 82, true), (4, 1016, 239, 67, 76, true),
            (4.1, 1070, 183, 90, 126, true), (4.2, 1163, 174, 100, 112, true),
        ]
        var follower = SignFollower(frame: Self.frame, focalLengthPx: Self.focalLengthPx)
        var adopted: [AdoptedSign] = []
        for i in 0..<60 {
            let timeS = Double(i) / 10
            let sightings = seen.filter { abs($0.0 - timeS) < 0.01 }.map { sight in
                SignSighting(
                    kind: .limit, limit: Speed(65, .milesPerHour), score: 1,
                    box: Box(x: sight.1, y: sight.2, width: sight.3, height: sight.4), hasAnnex: sight.5)
            }
            adopted += follower.update(sightings, vehicles: [], speedMps: 11.7, atS: timeS)
        }
        #expect(adopted.map(\.kind) == [.restricted])
    }

    @Test("S12 Boxes that waver by half of their size are one sign")
    func wavering() {
        let (adopted, rejected) = Self.drive { distance, i in
            let box = Self.box(distance, aspect: 0.8)
            let scale = [1, 1.5, 1, 1.1, 1.5][i % 5]
            var sighting = Self.limit(
                50,
                Box(
                    x: box.midX - scale * box.width / 2, y: box.midY - scale * box.height / 2, width: scale * box.width,
                    height: scale * box.height))
            sighting.hasAnnex = distance < 22
            return [sighting]
        }
        #expect(adopted.map(\.kind) == [.restricted])
        #expect(adopted.first.map { $0.readings > 18 } == true)
        #expect(rejected.isEmpty)
    }

    @Test(
        "S8 A plate's limit far below the own speed must be read in three frames of four: a road's number reads as 5 now and then",
        arguments: [(kmh: 10.0, aspect: 0.8, missing: 3, adopted: 0), (10, 0.8, 100, 1), (30, 0.8, 3, 1), (10, 1, 3, 1)])
    func unlikely(kmh: Double, aspect: Double, missing: Int, adopted: Int) {
        let drive = Self.drive { distance, i in
            i % missing == missing / 2 ? [] : [Self.limit(kmh, Self.box(distance, aspect: aspect))]
        }
        #expect(drive.adopted.count == adopted, "\(drive.rejected)")
    }

    @Test(
        "S4 S12 A limit with a plate under it that says for whom or when is told as restricted; a plate that seems to be there now and then is none",
        arguments: [(every: 1, kind: AdoptedSign.Kind.restricted), (2, .restricted), (4, .limit), (1000, .limit)])
    func annex(every: Int, kind: AdoptedSign.Kind) {
        let (adopted, _) = Self.drive { distance, i in
            var sighting = Self.limit(80, Self.box(distance))
            // Nobody looks for plates at far signs.
            if distance < 30 { sighting.hasAnnex = i % every == every / 2 }
            return [sighting]
        }
        #expect(adopted.map(\.kind) == [kind])
        #expect(adopted.first?.limit == Speed(80, .kilometresPerHour))
    }

    @Test("S4 S12 Of a pair of equal signs one plate is enough; of two limits on one post each is told as what it is")
    func annexOfPair() {
        func seen(_ value: Double, _ box: Box, _ hasAnnex: Bool) -> SignSighting {
            var sighting = Self.limit(value, box)
            sighting.hasAnnex = hasAnnex
            return sighting
        }
        let pair = Self.drive { distance, _ in
            [seen(60, Self.box(distance), false), seen(60, Self.box(distance, lateralM: -5), true)]
        }
        #expect(pair.adopted.map(\.kind) == [.restricted])
        let post = Self.drive { distance, _ in
            [seen(120, Self.box(distance, aboveM: 1.8), false), seen(80, Self.box(distance, aboveM: 1), true)]
        }
        #expect(post.adopted.map(\.kind) == [.limit, .restricted])
        #expect(post.adopted.map(\.limit?.value) == [120, 80])
    }
}
