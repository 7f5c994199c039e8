import SimCore

extension Scenario {
    /// This drive on a road that bends so that the ego vehicle feels `lateralMps2` at its first speed, to the left where that is positive;
    /// nil leaves the road as it is.
    func bent(lateralMps2: Double?) -> Scenario {
        guard let lateralMps2 else { return self }
        var bent = self
        let speed = ego.state(at: 0).speedMps
        bent.curvaturePerM = lateralMps2 / (speed * speed)
        return bent
    }
}
