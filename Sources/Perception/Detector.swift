import Imaging
import WorldModel

/// Finds road users in a picture.
public protocol Detector {
    /// Name of the model, for alerts and heartbeats.
    var modelName: String { get }
    /// What computes it and why, in one line for a person.
    var engineDescription: String { get }
    /// The road users in `frame` (three channels), boxes in its pixels and clipped to it, best first.
    mutating func detect(in frame: borrowing Frame) throws -> [Detection]
}
