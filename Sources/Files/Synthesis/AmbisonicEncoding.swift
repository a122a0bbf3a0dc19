public import Binaural
internal import Glibc
public import Media

/// Encoder from a recording of a ring on a rigid sphere to Ambisonics (AmbiX).
///
/// The sphere's influence on the ring's circular harmonics is removed; they become a horizontal sound field, whose spherical harmonics
/// follow (Ahrens et al., JASA 150(2), 2021; in real numbers: Ahrens, arXiv 2211.00584). A ring cannot distinguish elevations: sound from
/// above is heard in the horizontal plane, with another timbre. Sound with pressure 1 at the centre without the sphere has 1 in the first
/// channel. The result is as long as the recording and has no delay.
public struct AmbisonicEncoding {
    public let order: Int
    public let channels: Int
    private let array: MicrophoneArray
    private let ring: RingDecomposition
    private let filter: RadialFilter
    /// Harmonic and weight of each channel; nil where a horizontal field has no component.
    private let parts: [(harmonic: Int, share: Float)?]

    /// Range of the largest amplification of a harmonic, dB.
    public static let limits = 0.0...40.0

    /// Returns the highest order that an array supports.
    public static func highest(_ array: MicrophoneArray) -> Int { RingDecomposition.best(array, upTo: .max) }

    /// - Parameters:
    ///   - rate: frames per second.
    ///   - order: 0 and up; at most ``highest(_:)``.
    ///   - limit: largest amplification in dB, within ``limits``.
    public init(_ array: MicrophoneArray, rate: Double, order: Int, limit: Double = 20) throws(MediaError) {
        guard Self.limits.contains(limit) else {
            throw MediaError("The limit \(limit) dB is out of range: choose 0 to 40 dB.")
        }
        let highest = RingDecomposition.highest(microphones: array.count)
        guard (0...highest).contains(order) else {
            throw MediaError(
                "Order \(order) is not possible with \(array.count) microphones: they resolve orders 0 to \(highest).")
        }
        guard let ring = RingDecomposition(array, order: order) else {
            throw MediaError(
                "Order \(order) is not possible with these microphones: they are spaced so unevenly that "
                    + "\(RingDecomposition.best(array, upTo: order)) is the highest order.")
        }
        self.array = array
        self.order = order
        self.ring = ring
        channels = AmbisonicChannel.count(order: order)
        filter = RadialFilter(radius: array.radius, rate: rate, order: order, limit: limit)
        parts = (0..<channels).map { number in
            let channel = AmbisonicChannel(number: number)
            guard channel.horizontal != 0 else { return nil }
            let harmonic = channel.degree == 0 ? 0 : 2 * abs(channel.degree) - (channel.degree > 0 ? 1 : 0)
            return (harmonic, Float(channel.horizontal))
        }
    }

    /// Encodes a recording of this array from its current position to its end.
    ///
    /// - Parameters:
    ///   - sink: called with interleaved frames and their number.
    ///   - progress: called with the completed share, 0 to 1.
    public func encode(
        _ recording: inout RecordingReader, progress: (Double) -> Void = { _ in },
        sink: ([Float], Int) throws(MediaError) -> Void
    ) throws(MediaError) {
        precondition(recording.channels == array.count, "a recording is encoded with its own array")
        var convolver = HarmonicConvolver(filter, order: order)
        let frames = recording.frames - recording.position
        let input = AlignedFloats(convolver.block * array.count)
        var output = [Float](repeating: 0, count: convolver.block * channels)
        // Writing lags behind reading by the filters' delay.
        var written = -filter.delay
        while written < frames {
            var count = 0
            while count < convolver.block {
                let got = try recording.read(
                    into: input.floats + count * array.count, frames: convolver.block - count)
                if got == 0 { break }
                count += got
            }
            let read = count * array.count
            (input.floats + read).update(repeating: 0, count: input.count - read)
            encodeBlock(input.floats, &convolver, into: &output)
            let skipped = max(0, -written)
            let kept = min(convolver.block - skipped, frames - max(0, written))
            if kept > 0 {
                try sink(skipped == 0 ? output : Array(output[(skipped * channels)...]), kept)
            }
            written += convolver.block
            progress(min(1, Double(max(0, written)) / Double(frames)))
        }
    }

    /// - Parameters:
    ///   - input: a block of interleaved microphones.
    ///   - output: a block of interleaved channels; channels without a component are left unchanged.
    private func encodeBlock(
        _ input: UnsafePointer<Float>, _ convolver: inout HarmonicConvolver, into output: UnsafeMutablePointer<Float>
    ) {
        let (block, microphones) = (convolver.block, array.count)
        for harmonic in 0..<convolver.count {
            let weights = ring.rows[harmonic].map { Float($0) }
            let next = convolver.next(harmonic)
            for frame in 0..<block {
                var sum: Float = 0
                let here = input + frame * microphones
                for microphone in 0..<microphones { sum += weights[microphone] * here[microphone] }
                next[frame] = sum
            }
            convolver.process(harmonic) { filtered in
                for (channel, part) in parts.enumerated() {
                    guard let part, part.harmonic == harmonic else { continue }
                    for frame in 0..<block { output[frame * channels + channel] = part.share * filtered[frame] }
                }
            }
        }
    }
}

/// One channel of an ambisonic signal in the AmbiX convention: ACN order, SN3D normalisation, no Condon-Shortley phase.
///
/// Nachbar, Zotter, Deleflie, Sontacchi, "AmbiX - a suggested ambisonics format", Ambisonics Symposium 2011.
public struct AmbisonicChannel: Sendable, Equatable {
    /// Order, 0 or greater.
    public let order: Int
    /// Degree, -order to order; cos(m azimuth) for positive, sin(|m| azimuth) for negative degrees.
    public let degree: Int

    /// - Parameter number: channel number in the file, from 0.
    public init(number: Int) {
        order = Int(clamping: Double(number).squareRoot())
        degree = number - order * order - order
    }

    /// Number of channels of all orders up to `order`.
    public static func count(order: Int) -> Int { (order + 1) * (order + 1) }

    /// Gain of a horizontal plane wave in this channel, apart from cos(m azimuth) or sin(|m| azimuth).
    public var horizontal: Double {
        let m = abs(degree)
        guard (order - m).isMultiple(of: 2) else { return 0 }
        // The associated Legendre function at 0: P_m^m, then by the recurrence over n in steps of two.
        var legendre = 1.0
        for odd in stride(from: 1, to: 2 * m, by: 2) { legendre *= Double(odd) }
        for n in stride(from: m + 2, through: order, by: 2) { legendre *= -Double(n + m - 1) / Double(n - m) }
        var share = m == 0 ? 1.0 : 2
        for factor in stride(from: order - m + 1, through: order + m, by: 1) { share /= Double(factor) }
        return share.squareRoot() * legendre
    }
}

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
