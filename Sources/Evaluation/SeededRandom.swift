internal import Foundation

/// Random numbers that are the same every time (splitmix64: Steele, Lea, Flood, OOPSLA 2014).
struct SeededRandom: RandomNumberGenerator {
    private var state: UInt64

    /// - Parameter stream: another one gives numbers that have nothing to do with each other.
    init(seed: UInt64, stream: UInt64) {
        var first = SeededRandom(state: stream)
        state = first.next() ^ seed &* 0xD134_2543_DE82_EF95
    }

    private init(state: UInt64) { self.state = state }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var word = state
        word = (word ^ (word >> 30)) &* 0xBF58_476D_1CE4_E5B9
        word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
        return word ^ (word >> 31)
    }

    /// 0 to 1, without 1.
    mutating func unit() -> Double { Double(next() >> 11) / 9_007_199_254_740_992 }

    mutating func within(_ range: ClosedRange<Double>) -> Double {
        range.lowerBound + (range.upperBound - range.lowerBound) * unit()
    }

    /// Of mean 0 and variance 1 (Box and Muller 1958).
    mutating func normal() -> Double { (-2 * log(1 - unit())).squareRoot() * cos(2 * .pi * unit()) }
}
