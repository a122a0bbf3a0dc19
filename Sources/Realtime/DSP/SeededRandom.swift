internal import Glibc

/// Random numbers that are the same in every run: splitmix64 (Steele, Lea and Flood, OOPSLA 2014).
public struct SeededRandom: RandomNumberGenerator, Sendable {
    private var state: UInt64

    public init(seed: UInt64) { state = seed }

    /// - Parameter stream: streams of the same seed are independent of each other.
    public init(seed: UInt64, stream: UInt64) {
        var first = SeededRandom(seed: stream)
        state = first.next() ^ seed &* 0xD134_2543_DE82_EF95
    }

    public mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var word = state
        word = (word ^ (word >> 30)) &* 0xBF58_476D_1CE4_E5B9
        word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
        return word ^ (word >> 31)
    }

    /// Returns a number from 0 up to, but not including, 1.
    public mutating func unit() -> Double { Double(next() >> 11) / 9_007_199_254_740_992 }

    /// Returns a sample of white noise from -1 to 1.
    public mutating func white() -> Double { Double(Int64(bitPattern: next()) >> 11) / 4_503_599_627_370_496 }

    public mutating func within(_ range: ClosedRange<Double>) -> Double {
        range.lowerBound + (range.upperBound - range.lowerBound) * unit()
    }

    /// Returns a normally distributed number of mean 0 and variance 1 (Box and Muller 1958).
    public mutating func normal() -> Double { (-2 * log(1 - unit())).squareRoot() * cos(2 * .pi * unit()) }
}
