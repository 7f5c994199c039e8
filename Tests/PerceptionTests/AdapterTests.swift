import FleetModel
import Foundation
import Imaging
import Testing
import WorldModel

@testable import Perception

@Suite("Reading networks' outputs")
struct AdapterTests {
    private func input(_ width: Int, _ height: Int, _ fit: NetworkInput.Fit) -> NetworkInput {
        NetworkInput(width: width, height: height, fit: fit, redFirst: false, mean: [0, 0, 0], scale: [1, 1, 1], padding: 0)
    }

    /// 4 × 8 raw values whose expectations are the given whole numbers of strides: one bin far above the others.
    private func sides(_ left: Int, _ top: Int, _ right: Int, _ bottom: Int) -> [Float] {
        [left, top, right, bottom].flatMap { side in (0..<8).map { $0 == side ? 100 : 0 } }
    }

    private func isNear(_ a: Box?, _ b: Box, within tolerance: Double = 1e-6) -> Bool {
        guard let a else { return false }
        return zip([a.x, a.y, a.width, a.height], [b.x, b.y, b.width, b.height]).allSatisfy { abs($0 - $1) <= tolerance }
    }

    @Test("The expectation of a distribution, worked by hand")
    func distribution() {
        // Equal weights: (0 + … + 7) / 8 = 3.5. Two bins, weights 1 and 3: (2 × 1 + 3 × 3) / 4 = 2.75.
        var raw = [Float](repeating: 0, count: 32)
        for bin in 0..<8 where bin != 2 && bin != 3 { raw[8 + bin] = -200 }
        raw[8 + 2] = 0
        raw[8 + 3] = Float(log(3.0))
        raw[16 + 7] = 1000
        let d = DistributionDecoder.distances(raw, at: 0, stride: 16)
        #expect(abs(d.left - 56) < 1e-6)
        #expect(abs(d.top - 44) < 1e-4)
        #expect(abs(d.right - 112) < 1e-6)
        #expect(abs(d.bottom - 56) < 1e-6)
    }

    @Test("NanoDet: one car in the middle level, at the cell's centre, in whatever order the outputs come")
    func nanodet() throws {
        // 64 × 64 input: 8 × 8 cells at stride 8, 4 × 4 at 16, 2 × 2 at 32. Classes: person, traffic light, car.
        let adapter = NanoDetAdapter(classes: [.person, nil, .car], input: input(64, 64, .topLeft))
        var scores = [64, 16, 4].map { [Float](repeating: 0.01, count: $0 * 3) }
        var boxes = [64, 16, 4].map { [Float](repeating: 0, count: $0 * 32) }
        // Cell 6 at stride 16: column 2, row 1, centre (40, 24); sides 1, 0.5 … as whole strides 1, 1, 1, 2.
        scores[1][6 * 3 + 2] = 0.8
        boxes[1].replaceSubrange(6 * 32..<7 * 32, with: sides(1, 1, 1, 2))
        // A traffic light is stronger than the person in this cell: no road user.
        scores[0][3 * 3 + 0] = 0.6
        scores[0][3 * 3 + 1] = 0.7
        let tensors = zip([64, 16, 4], zip(scores, boxes)).flatMap { cells, pair in
            [Tensor(shape: [cells, 3], values: pair.0), Tensor(shape: [1, cells, 32], values: pair.1)]
        }
        let letterbox = Letterbox(pictureWidth: 128, pictureHeight: 128, input: adapter.input)
        for outputs in [tensors, tensors.reversed()] {
            let found = try adapter.detections(from: outputs, threshold: 0.4, letterbox: letterbox)
            #expect(found.map(\.roadUser) == [.car])
            #expect(abs((found.first?.score ?? 0) - 0.8) < 1e-6)
            // Input: 24…56 × 8…56; the picture is twice as large.
            #expect(isNear(found.first?.box, Box(x: 48, y: 16, width: 64, height: 96)))
        }
        let low = try adapter.detections(from: tensors, threshold: 0.81, letterbox: letterbox)
        #expect(low.isEmpty)
    }

    @Test("YOLOX: centre from the cell's corner, size as a logarithm, score times objectness")
    func yolox() throws {
        // 64 × 32 input: 32, 8 and 2 cells. Classes: person, traffic light, car.
        let adapter = YOLOXAdapter(classes: [.person, nil, .car], input: input(64, 32, .topLeft))
        var values = [Float](repeating: 0, count: 42 * 8)
        func put(_ row: Int, _ rest: [Float]) { values.replaceSubrange(row * 8..<(row + 1) * 8, with: rest) }
        // Row 37: stride 16, column 1, row 1: centre ((1 + 0.5) × 16, (1 + 0.25) × 16), size 2 × 16 by 1 × 16.
        put(37, [0.5, 0.25, Float(log(2.0)), 0, 0.9, 0.1, 0, 0.8])
        // A traffic light is stronger than the person; a car whose product with the objectness is too small; no object.
        put(0, [0, 0, 0, 0, 0.9, 0.6, 0.7, 0])
        put(41, [0, 0, 0, 0, 0.6, 0, 0, 0.6])
        put(20, [0, 0, 0, 0, 0.3, 0, 0, 1])
        let letterbox = Letterbox(pictureWidth: 128, pictureHeight: 64, input: adapter.input)
        let found = try adapter.detections(
            from: [Tensor(shape: [1, 42, 8], values: values)], threshold: 0.4, letterbox: letterbox)
        #expect(found.map(\.roadUser) == [.car])
        #expect(abs((found.first?.score ?? 0) - 0.72) < 1e-6)
        // Input: 8…40 × 12…28; the picture is twice as large.
        #expect(isNear(found.first?.box, Box(x: 16, y: 24, width: 64, height: 32), within: 1e-4))
        #expect(throws: ModelOutputError.self) {
            _ = try adapter.detections(
                from: [Tensor(shape: [1, 42, 7], values: [])], threshold: 0.4, letterbox: letterbox)
        }
    }

    @Test("Our own: rows by stride 8, 16, 32, row-major")
    func anchorFree() throws {
        // 64 × 32 input: 8 × 4 = 32 cells, 4 × 2 = 8, 2 × 1 = 2: 42 rows.
        let adapter = AnchorFreeAdapter(classes: [.person, .bicycle, .car], input: input(64, 32, .topLeft))
        var scores = [Float](repeating: 0, count: 42 * 3)
        var distances = [Float](repeating: 0, count: 42 * 32)
        func put(_ row: Int, _ index: Int, _ score: Float, _ values: [Float]) {
            scores[row * 3 + index] = score
            distances.replaceSubrange(row * 32..<(row + 1) * 32, with: values)
        }
        // Row 10: stride 8, column 2, row 1, centre (20, 12). Row 32 + 5: stride 16, column 1, row 1, centre (24, 24).
        // Row 41: stride 32, column 1, centre (48, 16).
        put(10, 0, 0.9, sides(1, 1, 2, 1))
        put(37, 1, 0.7, sides(0, 1, 1, 0))
        put(41, 2, 0.5, sides(1, 0, 7, 0))
        let outputs = [Tensor(shape: [1, 42, 3], values: scores), Tensor(shape: [1, 42, 32], values: distances)]
        let found = try adapter.detections(
            from: outputs, threshold: 0.3, letterbox: Letterbox(pictureWidth: 64, pictureHeight: 32, input: adapter.input))
        // The third has no height; it is none.
        #expect(found.map(\.roadUser) == [.person, .bicycle])
        #expect(isNear(found.first?.box, Box(x: 12, y: 4, width: 24, height: 16)))
        #expect(isNear(found.last?.box, Box(x: 24, y: 8, width: 16, height: 16)))
    }

    @Test("SSD: rows of seven until image −1; label 0 is the background, corners are relative")
    func ssd() throws {
        let adapter = SSDAdapter(classes: [.car, .person], input: input(672, 384, .stretch))
        let rows: [[Float]] = [
            [0, 1, 0.95, 0.25, 0.5, 0.5, 0.75], [0, 2, 0.60, 0.9, 0.1, 1.2, 0.3], [0, 0, 0.99, 0, 0, 1, 1],
            [0, 3, 0.99, 0, 0, 1, 1],
            [0, 1, 0.20, 0, 0, 1, 1], [0, 1, .nan, 0, 0, 1, 1], [0, .nan, 0.9, 0, 0, 1, 1], [0, 1, 0.9, .nan, 0, 1, 1],
            [-1, 1, 0.99, 0, 0, 1, 1], [0, 1, 0.99, 0, 0, 1, 1],
        ]
        let output = Tensor(shape: [1, 1, rows.count, 7], values: rows.flatMap { $0 })
        let found = try adapter.detections(
            from: [output], threshold: 0.4, letterbox: Letterbox(pictureWidth: 1280, pictureHeight: 720, input: adapter.input))
        #expect(found.map(\.roadUser) == [.car, .person])
        #expect(isNear(found.first?.box, Box(x: 320, y: 360, width: 320, height: 180), within: 1e-3))
        #expect(isNear(found.last?.box, Box(x: 1152, y: 72, width: 128, height: 144), within: 1e-3))
    }

    @Test("Outputs of another shape are refused with what was wanted and what came")
    func wrongShapes() {
        let size = input(64, 64, .topLeft)
        let letterbox = Letterbox(pictureWidth: 64, pictureHeight: 64, input: size)
        let adapters: [any OutputAdapter] = [
            NanoDetAdapter(classes: [.car], input: size), AnchorFreeAdapter(classes: [.car], input: size),
            SSDAdapter(classes: [.car], input: size),
        ]
        for adapter in adapters {
            for outputs in [[], [Tensor(shape: [3, 5], values: [Float](repeating: 1, count: 15))]] {
                let error = #expect(throws: ModelOutputError.self) {
                    _ = try adapter.detections(from: outputs, threshold: 0.4, letterbox: letterbox)
                }
                #expect(error?.description.contains("found") == true || error?.description.contains("no output") == true)
            }
        }
    }
}
