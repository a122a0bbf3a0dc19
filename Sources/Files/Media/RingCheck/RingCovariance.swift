internal import Binaural
internal import DSP
internal import Foundation

/// The covariance of the microphones of a ring in low bands, averaged over a recording.
///
/// Below about 300 Hz a head is small against the wavelength, and all microphones have nearly the same signal: the band for polarities.
/// From `kr` = 0.25 to 1 the signals vary slowly around the ring, whatever the sound field is: the band for the order. Where neighbours are
/// more than a sixth of a wavelength apart, the signals are independent of each other: the band for mixes and copies.
struct RingCovariance {
    let channels: Int
    /// Correlation of the channels' signals in the band for polarities, -1 to 1, and 0 for silent channels.
    private(set) var correlation: [Double]
    /// Power of each channel in that band.
    private(set) var power: [Double]
    /// Covariance in the band for the order, each frequency with equal weight and each channel with equal power.
    private(set) var shape: [Double]
    /// The same in the band for mixes and copies; nil when there is too little sound in it.
    private(set) var independence: [Double]?

    /// Windows that are read at most, evenly spaced.
    private static let mostWindows = 1500
    /// Products of wavenumber and radius.
    private static let (polarities, order) = (0.03...0.45, 0.25...1.0)
    /// Frequencies in the band for mixes and copies at most and at least, and the power below the strongest of them that counts as none.
    private static let (mostHigh, fewestHigh, faintest) = (48, 8, 1e-6)

    /// - Parameter progress: called with the share that is done; returns whether to continue.
    /// - Returns: nil when `progress` returned false.
    init?(_ reader: inout RecordingReader, progress: (Double) -> Bool) throws(MediaError) {
        let (count, rate, frames) = (reader.channels, reader.rate, reader.frames)
        channels = count
        let size = rate > 64_000 ? 4096 : 2048
        let transform = FourierTransform(count: size)
        let hertz = Double(MicrophoneArray.speedOfSound) / (2 * .pi * Double(reader.array.radius))
        func bins(_ range: ClosedRange<Double>) -> Range<Int> {
            let (from, to) = (range.lowerBound * hertz * Double(size) / rate, range.upperBound * hertz * Double(size) / rate)
            let first = max(1, Int(clamping: from.rounded(.up)))
            return first..<max(first + 1, min(transform.bins, Int(clamping: to) + 1))
        }
        let (low, mid) = (bins(Self.polarities), bins(Self.order))
        let below = low.lowerBound..<max(low.upperBound, mid.upperBound)
        let apart = max(1, Double(count) / (2 * .pi)) * hertz * Double(size) / rate
        let all = Array(below) + Self.spread(from: Int(clamping: apart.rounded(.up)), to: Int(clamping: 0.45 * Double(size)))
        let interleaved = UnsafeMutablePointer<Float>.allocate(capacity: size * count)
        let (time, spectrum) = (
            UnsafeMutablePointer<Float>.allocateAligned(size), UnsafeMutablePointer<Float>.allocateAligned(2 * transform.bins)
        )
        defer {
            interleaved.deallocate()
            time.deallocate()
            spectrum.deallocate()
        }
        let window = (0..<size).map { Float(0.5 - 0.5 * cos(2 * .pi * Double($0) / Double(size))) }
        var sums = [[Double]](repeating: [Double](repeating: 0, count: count * count), count: all.count)
        var values = [Float](repeating: 0, count: all.count * count * 2)
        let windows = max(1, min(Self.mostWindows, 2 * frames / size - 1))
        for number in 0..<windows {
            guard progress(Double(number) / Double(windows)) else { return nil }
            let start = windows == 1 ? 0 : number * max(0, frames - size) / (windows - 1)
            try reader.seek(frame: start)
            var got = 0
            while got < min(size, frames) {
                let more = try reader.read(into: interleaved + got * count, frames: size - got)
                guard more > 0 else { break }
                got += more
            }
            (interleaved + got * count).update(repeating: 0, count: (size - got) * count)
            for channel in 0..<count {
                for frame in 0..<size { time[frame] = window[frame] * interleaved[frame * count + channel] }
                transform.forward(time, into: spectrum)
                for (place, bin) in all.enumerated() {
                    values[2 * (place * count + channel)] = spectrum[2 * bin]
                    values[2 * (place * count + channel) + 1] = spectrum[2 * bin + 1]
                }
            }
            for place in all.indices {
                let base = 2 * place * count
                for one in 0..<count {
                    for other in 0...one {
                        let sum =
                            values[base + 2 * one] * values[base + 2 * other] + values[base + 2 * one + 1] * values[base + 2 * other + 1]
                        sums[place][one * count + other] += Double(sum)
                    }
                }
            }
        }
        for place in sums.indices {
            for one in 0..<count { for other in 0..<one { sums[place][other * count + one] = sums[place][one * count + other] } }
        }
        (correlation, power) = Self.correlation(low.map { sums[$0 - below.lowerBound] }, count)
        shape = Self.shape(mid.map { sums[$0 - below.lowerBound] }, count, power)
        independence = Self.independence(Array(sums[below.count...]), count)
    }

    /// The mean of the covariances of frequencies with equal weights.
    private static func mean(_ covariances: [[Double]], _ count: Int) -> [Double] {
        var mean = [Double](repeating: 0, count: count * count)
        for covariance in covariances {
            let trace = (0..<count).reduce(0) { $0 + covariance[$1 * (count + 1)] }
            guard trace > 0 else { continue }
            for i in mean.indices { mean[i] += covariance[i] / trace }
        }
        return mean
    }

    private static func correlation(_ covariances: [[Double]], _ count: Int) -> ([Double], [Double]) {
        let mean = mean(covariances, count)
        let power = (0..<count).map { mean[$0 * (count + 1)] }
        let correlation = (0..<count * count).map { i in
            let product = power[i / count] * power[i % count]
            return product > 0 ? mean[i] / product.squareRoot() : 0
        }
        return (correlation, power)
    }

    private static func shape(_ covariances: [[Double]], _ count: Int, _ power: [Double]) -> [Double] {
        let mean = mean(covariances, count)
        return (0..<count * count).map { i in
            let product = power[i / count] * power[i % count]
            return product > 0 ? mean[i] / product.squareRoot() : 0
        }
    }

    /// Bins from one to another one, evenly spread.
    private static func spread(from first: Int, to last: Int) -> [Int] {
        guard last > first else { return [] }
        let count = min(mostHigh, last - first)
        return (0..<count).map { first + $0 * (last - first) / count }
    }

    private static func independence(_ covariances: [[Double]], _ count: Int) -> [Double]? {
        let powers = covariances.map { covariance in (0..<count).reduce(0) { $0 + covariance[$1 * (count + 1)] } }
        let least = faintest * (powers.max() ?? 0)
        let heard = covariances.indices.filter { powers[$0] > least }
        guard heard.count >= fewestHigh else { return nil }
        return correlation(heard.map { covariances[$0] }, count).0
    }
}
