internal import Binaural
internal import Foundation

/// Channels of a ring whose sound is made of that of others: mixes of several, and copies of one.
///
/// At high frequencies the microphones of a ring have different sound, so none of them is a sum of others with positive weights. A mix is,
/// up to its rounding.
struct RingDependence {
    /// Channels from 0, in order.
    private(set) var mixes: [Int] = []
    /// Groups of channels from 0 with the same sound, up to gain and polarity.
    private(set) var copies: [[Int]] = []

    /// Share of a channel's power that the best sum of other channels may leave if the channel is a mix of them.
    private static let most = 1e-4
    /// Least ratio of the independent share of the other channels to that of a mix.
    private static let factor = 100.0
    /// Number of iterations over the weights of a sum.
    private static let passes = 300

    /// - Parameters:
    ///   - ring: nothing is found where it has too little sound at high frequencies.
    ///   - quiet: channels without sound.
    init(_ ring: RingCovariance, azimuths: [Double], without quiet: [Int]) {
        guard let covariance = ring.independence else { return }
        let count = ring.channels
        let heard = (0..<count).filter { !quiet.contains($0) && covariance[$0 * (count + 1)] > 0 }
        func value(_ one: Int, _ other: Int) -> Double { covariance[one * count + other] }
        func areSame(_ one: Int, _ other: Int) -> Bool { 1 - value(one, other) * value(one, other) < Self.most }
        // Groups of copies; the first channel of each stands for the group.
        var groups: [[Int]] = []
        for channel in heard {
            if let group = groups.firstIndex(where: { areSame($0[0], channel) }) {
                groups[group].append(channel)
            } else {
                groups.append([channel])
            }
        }
        if !Self.isSymmetric(groups) { copies = groups.filter { $0.count > 1 && !Self.areMirrored($0, azimuths, areSame) } }
        let single = groups.map { $0[0] }
        let rests = single.map { channel in Self.rest(channel, of: single.filter { $0 != channel }, value) }
        let found = single.indices.filter { rests[$0] < Self.most }
        let others = single.indices.filter { rests[$0] >= Self.most }.map { single[$0] }
        guard others.count > 1, let largest = found.map({ rests[$0] }).max() else { return }
        // If the other channels depend on each other as well, it is not clear which ones are the mixes.
        guard Self.isDefinite(others, least: Self.factor * max(largest, 1e-12), value) else { return }
        mixes = found.map { single[$0] }
    }

    /// Whether all channels but two are in pairs, as in the symmetric field of a single simulated source, in any order. With five channels
    /// or fewer, two may be copies even so.
    private static func isSymmetric(_ groups: [[Int]]) -> Bool {
        groups.joined().count > 5 && groups.allSatisfy { $0.count <= 2 } && groups.count { $0.count == 1 } <= 2
    }

    /// Whether all channels of a group are mirror images of each other in a sound field that is symmetric, as that of a simulated source.
    private static func areMirrored(_ group: [Int], _ azimuths: [Double], _ areSame: (Int, Int) -> Bool) -> Bool {
        func partner(_ channel: Int, _ sum: Double) -> Int? {
            azimuths.firstIndex { abs(wrapDegrees(Float(azimuths[channel] + $0 - sum))) < 0.1 }
        }
        return group.dropFirst().allSatisfy { other in
            let sum = azimuths[group[0]] + azimuths[other]
            return azimuths.indices.allSatisfy { channel in
                guard let image = partner(channel, sum) else { return false }
                return image == channel || areSame(channel, image)
            }
        }
    }

    /// Share of a channel's power that the best sum of other channels with positive weights leaves.
    private static func rest(_ channel: Int, of others: [Int], _ value: (Int, Int) -> Double) -> Double {
        let count = others.count
        let products = others.map { value($0, channel) }
        let matrix = others.flatMap { one in others.map { value(one, $0) } }
        var weights = [Double](repeating: 0, count: count)
        // Products of the present sum with each channel.
        var sums = [Double](repeating: 0, count: count)
        for _ in 0..<passes {
            var largest = 0.0
            for index in 0..<count {
                let weight = max(0, weights[index] + (products[index] - sums[index]) / matrix[index * (count + 1)])
                let change = weight - weights[index]
                guard change != 0 else { continue }
                weights[index] = weight
                largest = max(largest, abs(change))
                for other in 0..<count { sums[other] += change * matrix[index * count + other] }
            }
            if largest < 1e-8 { break }
        }
        let power = weights.indices.reduce(0) { $0 + weights[$1] * (sums[$1] - 2 * products[$1]) }
        return max(0, 1 + power / value(channel, channel))
    }

    /// Whether all eigenvalues of the covariance of some channels are above a limit, that is, whether the covariance minus the limit on its
    /// diagonal has a Cholesky decomposition.
    private static func isDefinite(_ channels: [Int], least: Double, _ value: (Int, Int) -> Double) -> Bool {
        let count = channels.count
        var root = [Double](repeating: 0, count: count * count)
        for row in 0..<count {
            for column in 0...row {
                var sum = value(channels[row], channels[column]) - (row == column ? least : 0)
                for i in 0..<column { sum -= root[row * count + i] * root[column * count + i] }
                if row == column {
                    guard sum > 0 else { return false }
                    root[row * count + row] = sum.squareRoot()
                } else {
                    root[row * count + column] = sum / root[column * count + column]
                }
            }
        }
        return true
    }
}
