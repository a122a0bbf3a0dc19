internal import Binaural
internal import Glibc

/// Decomposes the signals of a ring into circular harmonics: the least-squares fit of
/// c_0 + sum over m of c_m cos(m azimuth) + s_m sin(m azimuth) to the microphones.
///
/// On an even ring this is the discrete Fourier transform over the microphones.
struct RingDecomposition {
    /// Rows c_0, c_1, s_1, c_2, s_2 and so on, each with one weight per microphone.
    let rows: [[Double]]

    /// Returns the highest order that this number of microphones resolves.
    static func highest(microphones: Int) -> Int { (microphones - 1) / 2 }

    /// Largest increase of the microphones' noise over that of an even ring: 10 dB.
    private static let noiseLimit = 3.2

    /// Returns nil when the microphones are spaced too unevenly for the order.
    init?(_ array: MicrophoneArray, order: Int) {
        let azimuths = array.azimuthList.map { Double($0) * .pi / 180 }
        let fits = azimuths.map { azimuth in
            [1.0] + (1..<order + 1).flatMap { [cos(Double($0) * azimuth), sin(Double($0) * azimuth)] }
        }
        let count = 2 * order + 1
        // The normal equations, augmented by their right-hand sides.
        var equations = (0..<count).map { row in
            (0..<count).map { column in fits.reduce(0) { $0 + $1[row] * $1[column] } } + fits.map { $0[row] }
        }
        for pivot in 0..<count {
            let best = (pivot..<count).max { abs(equations[$0][pivot]) < abs(equations[$1][pivot]) }!
            equations.swapAt(pivot, best)
            guard abs(equations[pivot][pivot]) > 1e-9 else { return nil }
            let scale = 1 / equations[pivot][pivot]
            equations[pivot] = equations[pivot].map { $0 * scale }
            for row in 0..<count where row != pivot && equations[row][pivot] != 0 {
                let factor = equations[row][pivot]
                for column in equations[row].indices { equations[row][column] -= factor * equations[pivot][column] }
            }
        }
        rows = equations.map { Array($0[count...]) }
        let even = (2 / Double(array.count)).squareRoot()
        for row in rows where row.reduce(0, { $0 + $1 * $1 }).squareRoot() > Self.noiseLimit * even { return nil }
    }

    /// Returns the highest order up to `order` that this array supports; 0 is always supported.
    static func best(_ array: MicrophoneArray, upTo order: Int) -> Int {
        stride(from: min(order, highest(microphones: array.count)), through: 1, by: -1)
            .first { RingDecomposition(array, order: $0) != nil } ?? 0
    }
}
