internal import Binaural
internal import Foundation

/// Channels of a ring recording that are silent, not independent microphones, inverted, or in another order than the microphones, as far as
/// the sound shows.
public struct RingFinding: Sendable, Equatable, Codable {
    public enum Order: String, Sendable, Codable {
        /// The signals fit their places.
        case right
        /// Another order fits, and no other one does.
        case wrong
        /// The order is wrong, and several others fit.
        case ambiguous
        /// Undetermined: too little low-frequency sound, or too much noise.
        case unknown
    }

    public let order: Order
    /// The channel, from 1, that belongs at each place; absent unless the order is wrong.
    public let channels: [Int]?
    /// Channels, from 1, whose polarity is inverted.
    public let inverted: [Int]
    /// Channels, from 1, without sound.
    public let silent: [Int]
    /// Channels, from 1, whose sound has nothing in common with that of the others: microphones that are not connected.
    public let unconnected: [Int]
    /// Channels, from 1, that are mixes of others.
    public let mixes: [Int]
    /// Groups of channels, from 1, with the same sound at equal or different levels: all but one are copies.
    public let copies: [[Int]]
    /// Level in dB by which the signals fit the order that was found better than the current one.
    public let margin: Double
    /// The smallest correlation of a channel with the others, by which polarities are determined, 0 to 1.
    public let correlation: Double

    /// Channels, from 1, that the polarities and the order leave out.
    public var excluded: [Int] { (silent + unconnected + mixes + copies.joined()).sorted() }

    /// Whether there are enough other channels to judge.
    public let isJudged: Bool

    /// Whether anything can be corrected.
    public var isCorrectable: Bool { channels != nil || !inverted.isEmpty }

    /// Level in dB below the strongest channel at which one counts as silent.
    private static let silence = -60.0
    /// Correlation below which polarities are unknown.
    private static let leastCorrelation = 0.25

    /// Largest misfit of a right order, and the least factor by which that of a wrong order is larger.
    private static func limits(_ count: Int) -> (misfit: Double, factor: Double) {
        count < 8 ? (0.12, 2) : count < 12 ? (0.02, 3) : (0.01, 4)
    }

    /// Reads a recording.
    /// - Parameter progress: called with the share that is done, 0 to 1; returns whether to continue.
    /// - Returns: nil when `progress` returned false.
    public init?(path: String, progress: (Double) -> Bool) throws(MediaError) {
        var reader = try RecordingReader(path: path)
        guard let covariance = try RingCovariance(&reader, progress: progress) else { return nil }
        self.init(covariance, azimuths: reader.array.azimuthList.map(Double.init))
    }

    init(_ ring: RingCovariance, azimuths: [Double]) {
        let count = ring.channels
        let strongest = ring.power.max() ?? 0
        let quiet = (0..<count).filter { ring.power[$0] <= strongest * pow(10, Self.silence / 10) }
        silent = quiet.map { $0 + 1 }
        let dependence = RingDependence(ring, azimuths: azimuths, without: quiet)
        mixes = dependence.mixes.map { $0 + 1 }
        copies = dependence.copies.map { $0.map { $0 + 1 } }
        let doubtful = quiet + dependence.mixes + dependence.copies.joined()
        let apart = Self.unconnected(ring, without: doubtful)
        unconnected = apart.map { $0 + 1 }
        let (signs, correlation) = Self.polarities(ring, without: doubtful + apart)
        self.correlation = (100 * correlation).rounded() / 100
        let judged = (0..<count).filter { !doubtful.contains($0) && !apart.contains($0) }
        isJudged = judged.count >= RecordingReader.channelRange.lowerBound
        guard isJudged, correlation >= Self.leastCorrelation else {
            (order, channels, inverted, margin) = (.unknown, nil, [], 0)
            return
        }
        inverted = judged.filter { signs[$0] < 0 }.map { $0 + 1 }
        let shape = judged.flatMap { one in judged.map { other in ring.shape[one * count + other] * signs[one] * signs[other] } }
        let fit = RingOrder(shape, azimuths: judged.map { azimuths[$0] })
        let present = Array(judged.indices)
        let best = fit.best
        let (now, least) = (max(1e-9, fit.misfit(present)), max(1e-9, fit.misfit(best)))
        let limits = Self.limits(judged.count)
        margin = (100 * log10(now / least)).rounded() / 10
        if now < limits.factor * least || fit.isEquivalent(best, present) {
            (order, channels) = (now <= limits.misfit ? .right : .unknown, nil)
        } else if least > limits.misfit {
            (order, channels) = (.unknown, nil)
        } else if fit.isUnique(best) {
            (order, channels) = (.wrong, Self.channels(fit.nearest(best), judged, count))
        } else {
            (order, channels) = (.ambiguous, nil)
        }
    }

    /// The channel, from 1, at each place; channels that were not judged keep their places.
    /// - Parameter order: of the judged channels, by their indices among these.
    private static func channels(_ order: [Int], _ judged: [Int], _ count: Int) -> [Int] {
        var channels = Array(1...count)
        for (place, channel) in zip(judged, order) { channels[place] = judged[channel] + 1 }
        return channels
    }

    /// Channels whose sound correlates with none of the others, where these correlate with each other.
    private static func unconnected(_ ring: RingCovariance, without excluded: [Int]) -> [Int] {
        let heard = (0..<ring.channels).filter { !excluded.contains($0) }
        let apart = heard.filter { one in
            heard.allSatisfy { one == $0 || abs(ring.correlation[one * ring.channels + $0]) < leastCorrelation }
        }
        guard !apart.isEmpty, heard.count - apart.count >= RecordingReader.channelRange.lowerBound,
            polarities(ring, without: excluded + apart).1 >= leastCorrelation
        else { return [] }
        return apart
    }

    /// The sign of each channel, most of them positive, and the smallest mean correlation of one with the others.
    private static func polarities(_ ring: RingCovariance, without quiet: [Int]) -> ([Double], Double) {
        let (count, heard) = (ring.channels, (0..<ring.channels).filter { !quiet.contains($0) })
        var signs = [Double](repeating: 1, count: count)
        guard let first = heard.first, heard.count > 1 else { return (signs, 0) }
        for channel in heard { signs[channel] = ring.correlation[first * count + channel] < 0 ? -1 : 1 }
        func mean(_ channel: Int) -> Double {
            heard.reduce(0) { $0 + ($1 == channel ? 0 : signs[$1] * ring.correlation[channel * count + $1]) } / Double(heard.count - 1)
        }
        for _ in 0..<count { for channel in heard { signs[channel] = mean(channel) < 0 ? -1 : 1 } }
        if 2 * heard.count(where: { signs[$0] < 0 }) > heard.count { signs = signs.map { -$0 } }
        return (signs, heard.map { signs[$0] * mean($0) }.min() ?? 0)
    }
}
