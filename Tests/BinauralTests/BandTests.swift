import Testing

@testable import Binaural

/// Sizes derived from the list of bands: a new band needs no number anywhere else.
@Suite struct BandTests {
    @Test func memoryForWeightsHoldsEveryRowOfEveryBand() {
        let rows = Taps.Band.allCases.flatMap { band in (0..<MicrophoneArray.capacity).map { Taps.row(band, $0) } }
        #expect(rows.min() == 0)
        #expect(rows.max() == Taps.rows - 1)
        #expect(Set(rows).count == Taps.rows)
    }

    @Test func setsHoldEveryBand() {
        for band in Taps.Band.allCases {
            var set = BandSet(band)
            #expect(set.contains(band))
            for other in Taps.Band.allCases where other != band { #expect(!set.contains(other)) }
            #expect(set.popFirst() == band.number)
            #expect(set == BandSet())
        }
    }

    /// A method writes weights only for the bands that it declares, and never outside the rows.
    @Test(arguments: InterpolationMethod.allCases)
    func methodsWriteIntoTheirOwnBandsOnly(_ method: InterpolationMethod) {
        let guardRows = 64
        let memory = UnsafeMutablePointer<Float>.allocate(capacity: Taps.rows + 2 * guardRows)
        defer { memory.deallocate() }
        let ring = RingLookup(.uniform(count: MicrophoneArray.capacity))
        for azimuth in stride(from: Float(-179), through: 180, by: 7.3) {
            memory.initialize(repeating: 0, count: Taps.rows + 2 * guardRows)
            var taps = Taps(weights: memory + guardRows)
            let bracket = ring.bracket(azimuth)
            var nearest = NearestMicrophone()
            nearest.advance(bracket, seconds: 0.001)
            method.add(EarPlace(azimuth: azimuth, bracket, nearest: nearest, fixed: 3), in: ring, to: &taps)
            for i in 0..<guardRows { #expect(memory[i] == 0 && memory[guardRows + Taps.rows + i] == 0) }
            for band in Taps.Band.allCases where !method.bands.contains(band) {
                for channel in 0..<MicrophoneArray.capacity { #expect(memory[guardRows + Taps.row(band, channel)] == 0) }
            }
        }
    }
}
