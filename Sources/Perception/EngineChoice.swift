import FleetRuntime
import Imaging

/// What computes a network.
public enum EngineChoice: Hashable, Sendable {
    /// OpenVINO where it is found, OpenCV otherwise.
    case automatic
    /// OpenVINO or an error.
    case openVINO
    /// OpenCV.
    case openCV
}

extension ModelDescription {
    /// The network on the engine asked for, and why on this one. Throws `UserError` that says what to do.
    func openNetwork(on choice: EngineChoice, threads: Int) throws -> (NeuralNetwork, String) {
        func open(_ engine: InferenceEngine) throws(ImagingError) -> NeuralNetwork {
            try NeuralNetwork(path: weightsPath, engine: engine, input: input, threads: threads)
        }
        func refuse(_ error: ImagingError) -> UserError { UserError(.badData, "model \(name): \(error)") }
        let canUseOpenCV = !needsOpenVINO
        if choice == .openCV {
            guard canUseOpenCV else {
                throw UserError(.configuration, "model \(name) is in OpenVINO's own format; OpenCV cannot read it")
            }
            do { return (try open(.openCV), "OpenCV, as configured") } catch { throw refuse(error) }
        }
        let (found, explanation) = OpenVINOLocator.find()
        if let found {
            do { return (try open(found), explanation) } catch {
                guard choice == .automatic, canUseOpenCV, let network = try? open(.openCV) else { throw refuse(error) }
                return (network, "OpenCV, because OpenVINO cannot use the model (\(error.detail))")
            }
        }
        guard choice == .automatic, canUseOpenCV else {
            throw UserError(
                .unavailable,
                "model \(name): OpenVINO does not load (\(explanation)); run scripts/setup, or set FLEET_OPENVINO to the folder with libopenvino_c.so"
            )
        }
        do { return (try open(.openCV), "OpenCV, because OpenVINO does not load (\(explanation))") } catch { throw refuse(error) }
    }
}
