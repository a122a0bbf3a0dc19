import Foundation
import Media
import Testing

/// The values of EBU Tech 3341 for a meter of integrated loudness. Integration tests compare with ffmpeg.
@Suite struct LoudnessMeterTests {
    func loudness(rate: Double, _ parts: [(seconds: Double, level: Double)], frequency: Double = 1000) throws -> Double? {
        let meter = try LoudnessMeter(rate: Int(rate), measuresPeaks: false)
        var place = 0
        for part in parts {
            let count = Int((part.seconds * rate).rounded())
            let pairs = (0..<2 * count).map { i in
                Float(pow(10, part.level / 20) * sin(2 * .pi * frequency * Double(place + i / 2) / rate))
            }
            try meter.add(pairs, frames: count)
            place += count
        }
        return meter.loudness.integrated
    }

    @Test(arguments: [44_100.0, 48_000, 96_000]) func aStereoSineReadsItsLevel(rate: Double) throws {
        #expect(abs(try #require(try loudness(rate: rate, [(20, -23)])) + 23) < 0.1)
        #expect(abs(try #require(try loudness(rate: rate, [(20, -33)])) + 33) < 0.1)
    }

    @Test func quietPartsAreGated() throws {
        #expect(abs(try #require(try loudness(rate: 48_000, [(10, -36), (60, -23), (10, -36)])) + 23) < 0.1)
        #expect(abs(try #require(try loudness(rate: 48_000, [(10, -72), (10, -36), (60, -23), (10, -36), (10, -72)])) + 23) < 0.1)
    }

    @Test func silenceHasNoLoudness() throws {
        #expect(try loudness(rate: 48_000, [(5, -90)]) == nil)
        #expect(try loudness(rate: 48_000, [(0.3, -23)]) == nil)
    }

    @Test func lowFrequenciesCountLess() throws {
        let low = try #require(try loudness(rate: 48_000, [(10, -23)], frequency: 40))
        #expect(low < -26)
    }
}
