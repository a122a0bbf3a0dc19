extension Double {
    /// The nearest number with this number of decimals, for texts that people and other programs read.
    public func rounded(decimals: Int) -> Double {
        var scale = 1.0
        for _ in 0..<decimals { scale *= 10 }
        let scaled = (self * scale).rounded() / scale
        return scaled.isFinite ? scaled : self
    }
}
