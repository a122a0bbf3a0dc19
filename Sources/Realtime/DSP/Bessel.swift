/// Modified Bessel functions, for windows; not for audio.
enum Bessel {
    /// The modified Bessel function of the first kind and order zero, by its power series; for numbers to about 20.
    static func first(_ x: Double) -> Double {
        var (sum, term) = (1.0, 1.0)
        for k in 1...30 {
            term *= x * x / Double(4 * k * k)
            sum += term
        }
        return sum
    }
}
