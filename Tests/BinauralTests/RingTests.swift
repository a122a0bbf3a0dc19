import Binaural
import DSP
import Foundation
import TestSupport
import Testing

@Suite struct RingTests {
    @Test func microphonesGoClockwiseFromTheFront() {
        let array = MicrophoneArray.uniform(count: 16)
        #expect(array.azimuths[0] == 0)
        #expect(array.azimuths[1] == -22.5)
        #expect(array.azimuths[4] == -90)
        #expect(array.azimuths[12] == 90)
        #expect(abs(RingLookup(array).frequency(.neighbours) - 2496) < 1)
        #expect(abs(RingLookup(array).frequency(.ring) - 3993) < 1)
    }

    /// Compared with a search over all pairs, on uniform and on uneven rings.
    @Test func bracketsAreTheNeighbours() {
        var random = SeededRandom()
        for count in [4, 7, 8, 16, 64] {
            for uneven in [false, true] {
                let azimuths = (0..<count).map {
                    100 - 360 * Float($0) / Float(count) + (uneven ? Float.random(in: -1...1, using: &random) * 120 / Float(count) : 0)
                }
                let array = MicrophoneArray(azimuths: azimuths, radius: 0.0875)
                let lookup = RingLookup(array)
                for _ in 0..<200 {
                    let azimuth = wrapDegrees(Float.random(in: -180...180, using: &random))
                    let bracket = lookup.bracket(azimuth)
                    func forward(_ from: Float, _ to: Float) -> Float {
                        let turn = wrapDegrees(to - from)
                        return turn < 0 ? turn + 360 : turn
                    }
                    let lower = (0..<count).min {
                        forward(array.azimuths[$0], azimuth) < forward(array.azimuths[$1], azimuth)
                    }!
                    #expect(bracket.lower == lower)
                    let width = forward(array.azimuths[lower], array.azimuths[bracket.upper])
                    #expect(
                        (0..<count).allSatisfy {
                            $0 == lower || forward(array.azimuths[lower], array.azimuths[$0]) >= width - 1e-3
                        })
                    #expect(abs(bracket.fraction - forward(array.azimuths[lower], azimuth) / width) < 1e-4)
                }
            }
        }
    }

    @Test func earsFollowTheHead() {
        let nose = SIMD2<Float>(0, 1)
        func ears(_ quaternion: SIMD4<Float>, front: Float = 0) -> SIMD2<Float> {
            Ears.azimuths(head: quaternion, nose: nose, front: front, previous: .init(11, 22))
        }
        #expect(ears(.init(1, 0, 0, 0)) == .init(90, -90))
        let half = Float(0.5).squareRoot()
        let left = ears(.init(half, 0, 0, half))  // Yaw +90: the right ear is in front.
        #expect(abs(abs(left[0]) - 180) < 0.01 && abs(left[1]) < 0.01)
        let recentred = ears(.init(half, 0, 0, half), front: 90)
        #expect(abs(recentred[0] - 90) < 0.01 && abs(recentred[1] + 90) < 0.01)
        // With the head on its side the ears point up and down and keep their previous positions.
        #expect(ears(.init(half, half, 0, 0)) == .init(11, 22))
    }

    @Test func theNearestStaysUntilAnotherIsClearlyNearer() {
        let lookup = RingLookup(.uniform(count: 16))
        var nearest = NearestMicrophone()
        func heard() -> [Int: Float] {
            let weights = UnsafeMutablePointer<Float>.allocate(capacity: Taps.rows)
            weights.initialize(repeating: 0, count: Taps.rows)
            defer { weights.deallocate() }
            var taps = Taps(weights: weights)
            nearest.add(to: &taps, .full)
            return Dictionary(uniqueKeysWithValues: (0..<64).filter { weights[$0] != 0 }.map { ($0, weights[$0]) })
        }
        nearest.advance(lookup.bracket(0), seconds: 0.001)
        #expect(heard() == [0: 1])
        nearest.advance(lookup.bracket(11.25 + 0.9), seconds: 0.001)  // Past the border, within the margin.
        #expect(heard() == [0: 1])
        nearest.advance(lookup.bracket(11.25 + 1.1), seconds: 0.001)
        #expect(heard().keys.sorted() == [0, 15])
        #expect(abs(heard()[15]! - 0.1) < 1e-5)  // A tenth of the 10 ms crossfade.
        nearest.advance(lookup.bracket(11.25 - 0.9), seconds: 0.001)  // The hysteresis applies in the other direction as well.
        #expect(abs(heard()[15]! - 0.2) < 1e-5)
        for _ in 0..<9 { nearest.advance(lookup.bracket(12), seconds: 0.001) }
        #expect(heard() == [15: 1])
    }

    @Test func sharesAlwaysAddUpToOne() {
        let lookup = RingLookup(.uniform(count: 64))
        var nearest = NearestMicrophone()
        var random = SeededRandom()
        for _ in 0..<20_000 {
            nearest.advance(lookup.bracket(wrapDegrees(Float.random(in: -180...180, using: &random))), seconds: 0.0013)
            let weights = UnsafeMutablePointer<Float>.allocate(capacity: Taps.rows)
            weights.initialize(repeating: 0, count: Taps.rows)
            var taps = Taps(weights: weights)
            nearest.add(to: &taps, .high)
            let sum = (0..<64).reduce(Float(0)) { $0 + weights[Taps.row(.high, $1)] }
            weights.deallocate()
            #expect(abs(sum - 1) < 1e-3)
            if abs(sum - 1) >= 1e-3 { break }
        }
    }
}
