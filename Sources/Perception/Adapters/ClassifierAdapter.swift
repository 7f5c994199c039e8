import Imaging

/// Reads a classifier's two outputs, the probabilities of kinds and of values, as a sign. Pure: arrays in, a reading out.
///
/// Kinds are named in the description's `classes`: `other`, `round`, `plate-mph`, `plate-kmh` (limits by the sign's shape), `end`
/// (end of a limit, with its number) and `end-all`; the numbers stand in `values`.
struct ClassifierAdapter: Sendable {
    /// What a name in `classes` means.
    private enum Meaning: Hashable {
        case other
        case limit(SignShape)
        case end
        case endOfAll

        init?(_ name: String) {
            switch name {
            case "other": self = .other
            case "end": self = .end
            case "end-all": self = .endOfAll
            default:
                guard let shape = SignShape(rawValue: name) else { return nil }
                self = .limit(shape)
            }
        }
    }

    private let meanings: [Meaning]
    private let values: [Int]

    /// Nil when a class has a name that means nothing here, or twice the same, or there are no values.
    init?(classes: [String], values: [Int]) {
        meanings = classes.compactMap(Meaning.init)
        guard meanings.count == classes.count, Set(meanings).count == meanings.count, !values.isEmpty else { return nil }
        self.values = values
    }

    /// The likeliest reading, or nil when its score is below `threshold`.
    ///
    /// A limit's score is the probability of its kind times that of its value; both end kinds count together, and an end sign's
    /// number is told only when it reaches `threshold` itself. Throws `ModelOutputError` when the outputs do not fit.
    func reading(from outputs: [Tensor], threshold: Double) throws -> SignReading? {
        guard outputs.count == 2, let kinds = outputs.first(where: { $0.values.count == meanings.count }),
            let numbers = outputs.last(where: { $0.values.count == values.count }),
            (kinds.values + numbers.values).allSatisfy(\.isFinite)
        else {
            throw ModelOutputError(
                description:
                    "adapter classifier: wanted \(meanings.count) kinds and \(values.count) values, found \(outputs.map(\.shape))")
        }
        let number = numbers.values.indices.max { numbers.values[$0] < numbers.values[$1] } ?? 0
        let valueScore = Double(numbers.values[number])
        let ending = zip(meanings, kinds.values).reduce(0.0) { $1.0 == .end || $1.0 == .endOfAll ? $0 + Double($1.1) : $0 }
        let candidates = zip(meanings, kinds.values).map { meaning, probability in
            let kindScore = Double(probability)
            return switch meaning {
            case .other: SignReading(kind: .other, score: kindScore)
            case .limit(let shape):
                SignReading(kind: .speedLimit, value: values[number], shape: shape, score: kindScore * valueScore)
            case .end:
                SignReading(kind: .endOfLimit, value: kindScore * valueScore >= threshold ? values[number] : nil, score: ending)
            case .endOfAll: SignReading(kind: .endOfLimit, score: kindScore)
            }
        }
        guard let best = candidates.max(by: { $0.score < $1.score }), best.score >= threshold else { return nil }
        return best
    }
}
