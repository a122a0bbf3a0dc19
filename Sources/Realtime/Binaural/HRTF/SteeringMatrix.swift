internal import CRealtime
internal import DSP

/// Responses of every microphone to plane waves from every direction at one frequency, and the sums needed for fitting.
///
/// Rows of directions are whole lanes; entries past the last direction have no weight. For one thread at a time.
struct SteeringMatrix: ~Copyable {
    /// Number of microphones.
    let count: Int
    /// Floats in a row.
    let width: Int
    private let places: [SphereTable.Place]
    private let directions: Int
    // SAFETY: owned by this value alone, which cannot be copied. Rows of real parts, then of imaginary parts.
    private nonisolated(unsafe) let values: UnsafeMutablePointer<Float>
    // SAFETY: as above. The same, each times the weight of its direction.
    private nonisolated(unsafe) let weighted: UnsafeMutablePointer<Float>
    private let weights: [Float]

    /// - Parameters:
    ///   - azimuths: azimuths of the microphones relative to the nose, degrees.
    ///   - weights: weights of the directions, in whole lanes.
    init(azimuths: [Double], _ directions: HeadDirections, weights: [Float]) {
        count = azimuths.count
        width = weights.count
        self.directions = directions.units.count
        self.weights = weights
        places = azimuths.flatMap { azimuth in
            let microphone = HeadDirections.unit(azimuth: azimuth, elevation: 0)
            return directions.units.map { SphereTable.Place(cosine: HeadDirections.cosine(microphone, $0)) }
        }
        values = .allocate(capacity: 2 * count * width)
        values.initialize(repeating: 0, count: 2 * count * width)
        weighted = .allocate(capacity: 2 * count * width)
        weighted.initialize(repeating: 0, count: 2 * count * width)
    }

    deinit {
        values.deallocate()
        weighted.deallocate()
    }

    private func re(_ microphone: Int) -> UnsafeMutablePointer<Float> { values + microphone * width }
    private func im(_ microphone: Int) -> UnsafeMutablePointer<Float> { values + (count + microphone) * width }

    /// Computes the responses at another frequency.
    func fill(_ table: SphereTable) {
        table.re.withUnsafeBufferPointer { tableRe in
            table.im.withUnsafeBufferPointer { tableIm in
                places.withUnsafeBufferPointer { places in
                    for microphone in 0..<count {
                        let (re, im) = (re(microphone), im(microphone))
                        for direction in 0..<directions {
                            let place = places[microphone * directions + direction]
                            re[direction] = Self.sum(tableRe.baseAddress! + place.index, place.shares)
                            im[direction] = Self.sum(tableIm.baseAddress! + place.index, place.shares)
                        }
                    }
                }
            }
        }
        weights.withUnsafeBufferPointer { weights in
            for row in 0..<2 * count {
                for i in stride(from: row * width, to: (row + 1) * width, by: laneCount) {
                    weighted.setLanes(i, values.lanes(i) * weights.baseAddress!.lanes(i - row * width))
                }
            }
        }
    }

    private static func sum(_ entries: UnsafePointer<Float>, _ shares: SIMD4<Float>) -> Float {
        entries[0] * shares[0] + entries[1] * shares[1] + entries[2] * shares[2] + entries[3] * shares[3]
    }

    /// The normal equations of a least-squares fit, regularised.
    func system() -> HermitianSystem {
        var gram = gram()
        let floor = (0..<count).reduce(0) { $0 + gram[$1 * (count + 1)].re } * HRTFDesign.floor * HRTFDesign.floor
        for i in 0..<count { gram[i * (count + 1)].re += floor }
        return HermitianSystem(gram, count: count)
    }

    /// Computes the lower triangle of the weighted products of all pairs of rows.
    private func gram() -> [Complex] {
        var gram = [Complex](repeating: Complex(0), count: count * count)
        for row in 0..<count {
            let (a, b) = (weighted + row * width, weighted + (count + row) * width)
            for column in 0...row {
                gram[row * count + column] = Self.product(a, b, re(column), im(column), width)
            }
        }
        return gram
    }

    /// Computes the weighted product of a target for every direction with each row.
    func project(_ wish: PlanarRow) -> [Complex] {
        (0..<count).map { row in
            Self.product(weighted + row * width, weighted + (count + row) * width, wish.re, wish.im, width)
        }
    }

    /// Returns the sum of b times the conjugate of a.
    private static func product(
        _ aRe: UnsafePointer<Float>, _ aIm: UnsafePointer<Float>, _ bRe: UnsafePointer<Float>,
        _ bIm: UnsafePointer<Float>, _ width: Int
    ) -> Complex {
        var (re, im, negative) = (Lanes.zero, Lanes.zero, Lanes.zero)
        for i in stride(from: 0, to: width, by: laneCount) {
            let (a, b, c, d) = (aRe.lanes(i), aIm.lanes(i), bRe.lanes(i), bIm.lanes(i))
            re = rt_fma16(b, d, rt_fma16(a, c, re))
            im = rt_fma16(a, d, im)
            negative = rt_fma16(b, c, negative)
        }
        return Complex(Double(rt_sum16(re)), Double(rt_sum16(im - negative)))
    }

    /// Computes the response to every direction with the given weights of the microphones.
    func apply(_ filter: [Complex], into result: PlanarRow) {
        for i in stride(from: 0, to: width, by: laneCount) {
            var (re, im) = (Lanes.zero, Lanes.zero)
            for (microphone, weight) in filter.enumerated() {
                let (a, b) = (Lanes(repeating: Float(weight.re)), Lanes(repeating: Float(weight.im)))
                let (x, y) = (values.lanes(microphone * width + i), values.lanes((count + microphone) * width + i))
                re = rt_fma16(a, x, re) - b * y
                im = rt_fma16(b, x, rt_fma16(a, y, im))
            }
            result.re.setLanes(i, re)
            result.im.setLanes(i, im)
        }
    }
}
