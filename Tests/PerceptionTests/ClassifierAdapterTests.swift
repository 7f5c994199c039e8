import FleetModel
import Imaging
import Testing

@testable import Perception

@Suite("Reading a classifier's output as a sign")
struct ClassifierAdapterTests {
    static let kinds = ["other", "round", "plate-mph", "plate-kmh", "end", "end-all"]
    static let values = [30, 50, 80]

    private func read(_ kinds: [Float], _ values: [Float], threshold: Double = 0.5) throws -> SignReading? {
        let adapter = try #require(ClassifierAdapter(classes: Self.kinds, values: Self.values))
        // The order of a network's outputs is not fixed.
        return try adapter.reading(
            from: [Tensor(shape: [1, values.count], values: values), Tensor(shape: [1, kinds.count], values: kinds)],
            threshold: threshold)
    }

    @Test("A limit's score is its kind's probability times its value's")
    func product() throws {
        let reading = try #require(try read([0.1, 0.9, 0, 0, 0, 0], [0.125, 0.75, 0.125]))
        #expect(reading.kind == .speedLimit && reading.value == 50 && reading.shape == .round)
        #expect(abs(reading.score - 0.675) < 1e-6)
    }

    @Test(
        "The unit follows the sign's shape, and on round signs the country",
        arguments: [
            (1, SignShape.round, SpeedUnit.milesPerHour), (2, .plateMph, .milesPerHour), (3, .plateKmh, .kilometresPerHour),
        ])
    func unit(_ kind: Int, _ shape: SignShape, _ inBritain: SpeedUnit) throws {
        var kinds = [Float](repeating: 0, count: 6)
        kinds[kind] = 1
        let reading = try #require(try read(kinds, [1, 0, 0]))
        #expect(reading.shape == shape && reading.value == 30)
        #expect(reading.unit() == (shape == .plateMph ? .milesPerHour : .kilometresPerHour))
        #expect(reading.unit(onRoundSigns: .milesPerHour) == inBritain)
    }

    @Test("Below the threshold nothing is said, at the threshold it is")
    func threshold() throws {
        #expect(try read([0.25, 0.75, 0, 0, 0, 0], [0, 0.5, 0.5], threshold: 0.5) == nil)
        #expect(try read([0, 0.5, 0, 0, 0.5, 0], [0, 1, 0], threshold: 0.5)?.score == 0.5)
        #expect(try read([0.4, 0.4, 0.2, 0, 0, 0], [1, 0, 0], threshold: 0.5) == nil)
    }

    @Test("Two values that are equally likely make no limit, however sure the kind is")
    func undecided() throws {
        #expect(try read([0.02, 0.98, 0, 0, 0, 0], [0.48, 0.04, 0.48], threshold: 0.6) == nil)
    }

    @Test("Both end kinds count together; the number is told only when it is sure itself")
    func ends() throws {
        let unsure = try #require(try read([0.125, 0, 0, 0, 0.5, 0.375], [0.5, 0.25, 0.25], threshold: 0.75))
        #expect(unsure.kind == .endOfLimit && unsure.value == nil && unsure.shape == nil && unsure.unit() == nil)
        #expect(abs(unsure.score - 0.875) < 1e-6)
        let sure = try #require(try read([0, 0, 0, 0, 1, 0], [0, 0, 1], threshold: 0.75))
        #expect(sure.kind == .endOfLimit && sure.value == 80 && sure.score == 1)
        let all = try #require(try read([0, 0, 0, 0, 0.1, 0.9], [0, 0, 1], threshold: 0.75))
        #expect(all.kind == .endOfLimit && all.value == nil)
    }

    @Test("What is no limit sign has neither value nor unit")
    func other() throws {
        let reading = try #require(try read([0.9, 0.1, 0, 0, 0, 0], [1, 0, 0]))
        #expect(reading == SignReading(kind: .other, score: Double(Float(0.9))))
        #expect(reading.unit() == nil)
    }

    @Test("Outputs of another size, another number or without meaning are refused")
    func misfits() throws {
        let adapter = try #require(ClassifierAdapter(classes: Self.kinds, values: Self.values))
        let kinds = Tensor(shape: [1, 6], values: [1, 0, 0, 0, 0, 0])
        let values = Tensor(shape: [1, 3], values: [1, 0, 0])
        for outputs in [
            [], [kinds], [kinds, kinds], [kinds, values, values], [values, Tensor(shape: [1, 6], values: [.nan, 0, 0, 0, 0, 0])],
        ] {
            #expect(throws: ModelOutputError.self) { _ = try adapter.reading(from: outputs, threshold: 0.5) }
        }
        #expect(try adapter.reading(from: [kinds, values], threshold: 0.5)?.kind == .other)
    }

    @Test("A list of classes that this program does not know is refused")
    func unknownClasses() {
        #expect(ClassifierAdapter(classes: ["other", "triangle"], values: [30]) == nil)
        #expect(ClassifierAdapter(classes: ["other", "other"], values: [30]) == nil)
        #expect(ClassifierAdapter(classes: ["other", "round"], values: []) == nil)
        #expect(ClassifierAdapter(classes: ["round", "other"], values: [30]) != nil)
    }
}
