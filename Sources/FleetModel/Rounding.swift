extension Double {
    /// This number rounded to `places` decimals, half away from zero: what measured values are cut to before they go on the wire.
    /// Never a negative zero.
    public func rounded(toPlaces places: Int) -> Double {
        var factor = 1.0
        for _ in 0..<places { factor *= 10 }
        let scaled = (self * factor).rounded()
        return scaled.isFinite ? scaled / factor + 0 : self
    }
}
