import FleetModel
import Imaging
import WorldModel

/// Reads a network's output tensors as detections. Pure: arrays in, boxes out.
protocol OutputAdapter: Sendable {
    /// Detections of at least `threshold`, before suppression. Throws `ModelOutputError` when the tensors are not what the adapter expects.
    func detections(from outputs: [Tensor], threshold: Double, letterbox: Letterbox) throws -> [Detection]
}

/// The output tensors do not fit the adapter: the description names the wrong adapter, classes or input size.
public struct ModelOutputError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What was expected and what came.
    public let description: String
}
