// Watches a recorded drive with the engine of this package: how a program of one's own uses it.
//
//     swift run watch-drive SESSION_OR_VIDEO
//
// Prints the limit when it changes, every road user that is less than six seconds away, and every alert.

import Capture
import FleetModel
import Imaging
import Perception
import VisionPipeline
import WorldModel

import func Glibc.exit

guard let path = CommandLine.arguments.dropFirst().first, let vehicle = VehicleIdentity(fleet: "local", vehicle: "demo") else {
    print("usage: watch-drive SESSION_OR_VIDEO")
    exit(64)
}

do {
    let session = try Session.open(path)
    var settings = Pipeline.Settings()
    settings.camera = session.camera
    // A recording wants every frame; a live camera would take `.newest`.
    let engine = VisionEngine(
        settings: settings, detector: try RoadUserDetector(modelPath: nil), identity: vehicle, startedAt: session.startedAt,
        waiting: .all)

    // The streams: each is read by a task of its own.
    async let restrictions: Void = watchRestrictions(engine.roadRestrictions)
    async let collisions: Void = watchObjects(engine.collisionObjects)
    let updates = engine.updates

    // The inputs. A frame is handed over when the one before it is done, so that memory stays small.
    let telemetry = try SessionTelemetry(session)
    let source = try SessionFrameSource(session)
    var done = updates.makeAsyncIterator()
    while let captured = try source.next() {
        let timeS = captured.timeS
        for fix in try telemetry.fixes(upTo: timeS) {
            engine.submit(fix)
            report(await done.next())
        }
        engine.submit(captured.takeFrame(), atS: timeS)
        report(await done.next())
    }
    engine.finish()
    while let update = await done.next() { report(update) }
    _ = await (restrictions, collisions)
} catch {
    print("\(error)")
    exit(65)
}

func watchRestrictions(_ restrictions: AsyncStream<VisionEngine.RoadRestrictions>) async {
    var shown: SpeedLimit?
    for await restriction in restrictions where restriction.speedLimit != shown {
        shown = restriction.speedLimit
        print("\(seconds(restriction.timeS))  limit \(shown.map { "\($0.limit)" } ?? "unknown")")
    }
}

func watchObjects(_ collisions: AsyncStream<VisionEngine.CollisionObjects>) async {
    for await seen in collisions {
        for object in seen.objects where object.isInPath {
            guard let ttc = object.timeToCollision, ttc.seconds < 6 else { continue }
            print("\(seconds(seen.timeS))  \(object.roadUser.rawValue) \(object.track): \(ttc.seconds.rounded(toPlaces: 1)) s away")
        }
    }
}

/// What a completed update says.
func report(_ update: VisionEngine.Update?) {
    guard let update else { return }
    for alert in update.alerts {
        print("\(seconds(update.timeS))  \(alert.kind.rawValue) \(alert.phase.rawValue): \(alert.severity.rawValue)")
    }
    for failure in update.failures { print("\(seconds(update.timeS))  failed: \(failure)") }
}

func seconds(_ timeS: Double) -> String { "\(timeS.rounded(toPlaces: 2)) s" }
