internal import CRealtime

extension Section {
    /// The digital section nearest to the analogue one from 0 Hz to 20 kHz.
    ///
    /// The squared magnitude of a section is a quotient of two sums of three functions of frequency (Vicanek 2016), so
    /// that matching the prototype at 0 Hz and four more frequencies is a linear system. Several sets of frequencies
    /// are tried, because some give negative squares. At 48 kHz, shelves up to 16 kHz stay within 0.1 dB of the
    /// prototype for gains up to 12 dB, and peaks up to 20 kHz for gains up to 15 dB, where the bilinear transform is
    /// wrong by decibels. At 44.1 kHz, where 20 kHz is nearer to half the rate, the best section has peaks of 6 dB
    /// within 0.1 dB up to 20 kHz and peaks of 15 dB within 0.2 dB.
    ///
    /// - Parameter isRough: for a band that is moving; see ``peak(_:_:q:_:isRough:)``.
    @_noLocks @_noAllocation
    static func matched(_ band: Equaliser.Band, rate: Float, isRough: Bool = false) -> Section? {
        guard !band.isFlat else { return nil }
        let rate = Double(rate)
        // Highest frequency of the band, where the digital response may still vary.
        let top = min(0.42 * rate, 40_000)
        var highest = 0.95 * top
        switch band.kind {
        case .peak: highest = peakTop(rate)
        default: break
        }
        let f = max(5, min(Double(band.frequency), highest))
        var held = band
        held.frequency = Float(f)
        let prototype = Prototype(held)
        let section =
            switch band.kind {
            case .highPass: highPass(prototype, f, q: Double(band.q), top: top, rate)
            case .peak: peak(prototype, f, q: Double(band.q), rate, isRough: isRough)
            case .lowPass: slope(prototype, f, near: 0.6, top: top, rate)
            default: slope(prototype, f, near: 0.5, top: top, rate)
            }
        return section ?? near(prototype, f, top: top, rate)
    }

    /// Frequencies at which a resonance at `f` has half its gain in dB, with its width `1 / q` times `share`.
    @_noLocks @_noAllocation
    private static func edges(_ f: Double, q: Double, share: Double) -> (Double, Double) {
        let half = share / (2 * max(0.05, q))
        let root = rt_sqrt_double(1 + half * half)
        return (f * (root - half), f * (root + half))
    }

    @_noLocks @_noAllocation
    private static func slope(_ prototype: Prototype, _ f: Double, near: Double, top: Double, _ rate: Double) -> Section? {
        guard f < 0.9 * top else { return nil }
        let between = f + 0.35 * (top - f)
        return fit(prototype, .init(near * f, f, between, top), rate)
            ?? fit(prototype, .init(1.5 * near * f, f, between, top), rate)
            ?? fit(prototype, .init(0.6 * near * f, f, between, top), rate)
            ?? fit(prototype, .init(near * f, 0.8 * f, min(1.1 * f, 0.99 * top), top), rate)
    }

    @_noLocks @_noAllocation
    private static func highPass(_ prototype: Prototype, _ f: Double, q: Double, top: Double, _ rate: Double) -> Section? {
        let (low, high) = edges(f, q: q, share: 1.4)
        if f < 0.9 * top {
            if let fit = highPass(prototype, .init(low, f, min(high, f + 0.5 * (top - f))), rate) { return fit }
            if let fit = highPass(prototype, .init(low, f, top), rate) { return fit }
        }
        return highPass(prototype, .init(0.6 * low, low, f), rate)
            ?? highPass(prototype, .init(0.4 * f, 0.7 * f, f), rate)
    }

    /// Designs a section when all else has failed, mostly for bands at very high frequencies.
    @_noLocks @_noAllocation
    private static func near(_ prototype: Prototype, _ f: Double, top: Double, _ rate: Double) -> Section? {
        fit(prototype, .init(0.5 * f, 0.75 * f, 0.9 * f, f), rate)
            ?? fit(prototype, .init(0.3 * f, 0.55 * f, 0.8 * f, f), rate)
            ?? fit(prototype, .init(0.3 * top, 0.55 * top, 0.8 * top, top), rate)
    }

    /// cos^2(w/2), sin^2(w/2), sin^2(w).
    @_noLocks @_noAllocation
    static func basis(_ frequency: Double, _ rate: Double) -> (Double, Double, Double) {
        let sine = rt_sine_double(.pi * frequency / rate)
        let square = sine * sine
        return (1 - square, square, 4 * square * (1 - square))
    }

    /// Returns the section that is exact at 0 Hz and at four frequencies.
    @_noLocks @_noAllocation
    static func fit(_ prototype: Prototype, _ at: SIMD4<Double>, _ rate: Double) -> Section? {
        let zero = prototype.power(0)
        var rows = (SIMD8<Double>.zero, SIMD8<Double>.zero, SIMD8<Double>.zero, SIMD8<Double>.zero)
        for i in 0..<4 {
            let (p0, p1, p2) = basis(at[i], rate)
            let power = prototype.power(at[i])
            let row = SIMD8(p1, p2, -power * p1, -power * p2, (power - zero) * p0, 0, 0, 0)
            switch i {
            case 0: rows.0 = row
            case 1: rows.1 = row
            case 2: rows.2 = row
            default: rows.3 = row
            }
        }
        guard let x = LinearSystem.solve(rows) else { return nil }
        return Section(squared: .init(zero, x[0], x[1], 0), over: .init(1, x[2], x[3], 0))
    }

    /// Returns the section with two zeros at 0 Hz that is exact at three frequencies.
    @_noLocks @_noAllocation
    private static func highPass(_ prototype: Prototype, _ at: SIMD3<Double>, _ rate: Double) -> Section? {
        var rows = (SIMD8<Double>.zero, SIMD8<Double>.zero, SIMD8<Double>.zero, SIMD8<Double>(0, 0, 0, 1, 0, 0, 0, 0))
        for i in 0..<3 {
            let (p0, p1, p2) = basis(at[i], rate)
            let row = SIMD8(16 * p1 * p1 / prototype.power(at[i]), -p1, -p2, 0, p0, 0, 0, 0)
            switch i {
            case 0: rows.0 = row
            case 1: rows.1 = row
            default: rows.2 = row
            }
        }
        guard let x = LinearSystem.solve(rows), x[0] > 0 else { return nil }
        guard var section = Section(squared: .init(1, 1, 0, 0), over: .init(1, x[1], x[2], 0)) else { return nil }
        let scale = rt_sqrt_double(x[0]) * section.b0
        (section.b0, section.b1, section.b2) = (scale, -2 * scale, scale)
        return section
    }
}
