internal import DSP

/// A row of complex numbers in whole lanes, real and imaginary parts separate; freed with its owner.
final class PlanarRow {
    let re: UnsafeMutablePointer<Float>
    let im: UnsafeMutablePointer<Float>
    let width: Int

    /// Zeros.
    init(width: Int) {
        self.width = width
        re = .allocate(capacity: 2 * width)
        re.initialize(repeating: 0, count: 2 * width)
        im = re + width
    }

    deinit { re.deallocate() }

    func copy(from other: PlanarRow) { re.update(from: other.re, count: 2 * width) }

    func set(_ goal: HRTFTarget) {
        re.update(from: goal.re, count: width)
        im.update(from: goal.im, count: width)
    }

    func clear() { re.update(repeating: 0, count: 2 * width) }

    func add(_ other: PlanarRow) {
        for i in stride(from: 0, to: 2 * width, by: laneCount) { re.setLanes(i, re.lanes(i) + other.re.lanes(i)) }
    }

    /// Extrapolates: as far from `newer` as `newer` is from `older`.
    func overshoot(_ newer: PlanarRow, _ older: PlanarRow) {
        for i in stride(from: 0, to: 2 * width, by: laneCount) {
            re.setLanes(i, newer.re.lanes(i) + newer.re.lanes(i) - older.re.lanes(i))
        }
    }

    /// Replaces the magnitudes and keeps the phases.
    func take(magnitudes: [Float]) {
        magnitudes.withUnsafeBufferPointer { magnitudes in
            for i in stride(from: 0, to: width, by: laneCount) {
                let (x, y) = (re.lanes(i), im.lanes(i))
                let square = x * x + y * y
                let scale = magnitudes.baseAddress!.lanes(i) / (square + 1e-24).squareRoot()
                re.setLanes(i, x * scale)
                im.setLanes(i, y * scale)
            }
        }
    }

    /// Weighted sum of squared magnitudes.
    func energy(weights: [Float]) -> Double {
        weights.withUnsafeBufferPointer { weights in
            var sum = Lanes.zero
            for i in stride(from: 0, to: width, by: laneCount) {
                let (x, y) = (re.lanes(i), im.lanes(i))
                sum += (x * x + y * y) * weights.baseAddress!.lanes(i)
            }
            return Double(sum.sum())
        }
    }
}
