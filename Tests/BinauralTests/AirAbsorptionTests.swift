import Binaural
import DSP
import Testing

/// Absorption by air compared with the printed table of ISO 9613-2:1996 (table 2), which was computed by ISO 9613-1.
@Suite struct AirAbsorptionTests {
    /// Degrees Celsius, percent, and decibels per kilometre in the octaves from 125 Hz to 8 kHz.
    private static let table: [(Float, Float, [Float])] = [
        (10, 70, [0.4, 1.0, 1.9, 3.7, 9.7, 32.8, 117]), (20, 70, [0.3, 1.1, 2.8, 5.0, 9.0, 22.9, 76.6]),
        (30, 70, [0.3, 1.0, 3.1, 7.4, 12.7, 23.1, 59.3]), (15, 20, [0.6, 1.2, 2.7, 8.2, 28.2, 88.8, 202]),
        (15, 50, [0.5, 1.2, 2.2, 4.2, 10.8, 36.2, 129]), (15, 80, [0.3, 1.1, 2.4, 4.1, 8.3, 23.7, 82.8]),
    ]

    @Test func valuesAreThoseOfTheTable() {
        for (temperature, humidity, row) in Self.table {
            let found = AirAbsorption(temperature: temperature, humidity: humidity).decibels * 1000
            for band in 0..<7 {
                // The table is rounded, and computed for exact midband frequencies: 7943 Hz instead of 8000.
                let allowed = max(0.06, 0.025 * row[band])
                #expect(
                    abs(found[band] - row[band]) < allowed,
                    "\(temperature) degrees, \(humidity) %, \(OctaveFilter.centres[band]) Hz: \(found[band]), \(row[band])")
            }
        }
    }
}
