public import Binaural
internal import DSP

extension HRTFTable {
    /// Filters and delays for sound objects that differ between directions and ears.
    public static func made(seed: UInt64, rate: Float = 48_000) -> HRTFTable {
        var random = SeededRandom(seed: seed)
        let grid = DirectionGrid(step: 30)
        let delays = (0..<grid.count).map { _ in SIMD2(0.0003 * Float(random.white()), 0.0003 * Float(random.white())) }
        let length = HRTFFrame(rate: rate).objectTaps
        let taps = (0..<2 * grid.count).map { _ in (0..<length).map { $0 < 40 ? 0.1 * Float(random.white()) : 0 } }
        return HRTFTable(grid, rate: rate, delays: delays) { taps[2 * $0 + $1] }
    }
}
