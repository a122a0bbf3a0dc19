internal import DSP

/// Filters and delays of both ears for sound from directions all around, from a measured head, in the form in which the audio thread
/// reads them. Shared by all listeners with this head.
///
/// A filter has two partitions of ``HRTFFrame/part`` samples, as spectra of twice as many: the real parts, then the imaginary ones.
public final class HRTFTable: Sendable {
    public let grid: DirectionGrid
    public let frame: HRTFFrame
    // SAFETY: written by the initializer alone; freed with the one object that owns it.
    private nonisolated(unsafe) let spectra: UnsafeMutablePointer<Float>
    // SAFETY: as above. Delays of the left and the right ear, samples.
    private nonisolated(unsafe) let delays: UnsafeMutablePointer<SIMD2<Float>>
    // SAFETY: as above. The first direction of each ring, and the number of its directions.
    private nonisolated(unsafe) let rings: UnsafeMutablePointer<SIMD2<Int32>>

    /// Delay of sound at the head's centre, without that of a partition, samples: it leaves room for ears that sound reaches earlier.
    public static func latency(rate: Float) -> Float { Float(RampedDelay.least) + Self.earliest * rate }

    /// Longest delay, samples.
    public static func longestDelay(rate: Float) -> Float { latency(rate: rate) + Self.latest * rate }

    /// Range of delays against the head's centre, seconds: those of the largest head, and of one as large that is turned sideways.
    private static var earliest: Float { 0.000_45 }
    private static var latest: Float { 0.001 }

    /// - Parameters:
    ///   - delays: of the left and the right ear for each direction, seconds after the passage of the head's centre.
    ///   - taps: receives the number of a direction and an ear, and returns ``HRTFFrame/objectTaps`` samples.
    public init(_ grid: DirectionGrid, rate: Float, delays times: [SIMD2<Float>], taps: (_ direction: Int, _ ear: Int) -> [Float]) {
        precondition(times.count == grid.count, "every direction has its delays")
        let frame = HRTFFrame(rate: rate)
        self.grid = grid
        self.frame = frame
        let transform = FourierTransform(count: 2 * frame.part)
        let time = UnsafeMutablePointer<Float>.allocateAligned(2 * frame.part)
        let spectrum = UnsafeMutablePointer<Float>.allocateAligned(2 * transform.bins)
        defer {
            time.deallocate()
            spectrum.deallocate()
        }
        let stride = 2 * frame.plane
        spectra = .allocateAligned(grid.count * 2 * HRTFFrame.objectParts * stride)
        delays = .allocate(capacity: grid.count)
        rings = .allocate(capacity: grid.counts.count)
        for (ring, count) in grid.counts.enumerated() {
            (rings + ring).initialize(to: SIMD2(Int32(clamping: grid.begins[ring]), Int32(clamping: count)))
        }
        let (base, longest) = (Self.latency(rate: rate), Self.longestDelay(rate: rate))
        let scale = 1 / Float(2 * frame.part)
        for direction in 0..<grid.count {
            func samples(_ seconds: Float) -> Float { max(Float(RampedDelay.least), min(longest, base + seconds * rate)) }
            (delays + direction).initialize(to: SIMD2(samples(times[direction][0]), samples(times[direction][1])))
            for ear in 0..<2 {
                let taps = taps(direction, ear)
                for part in 0..<HRTFFrame.objectParts {
                    for i in 0..<frame.part { time[i] = taps[part * frame.part + i] * scale }
                    transform.forward(time, into: spectrum)
                    let place = spectra + ((2 * direction + ear) * HRTFFrame.objectParts + part) * stride
                    for bin in 0..<transform.bins {
                        place[bin] = spectrum[2 * bin]
                        place[frame.plane + bin] = spectrum[2 * bin + 1]
                    }
                }
            }
        }
    }

    deinit {
        spectra.deallocate()
        delays.deallocate()
        rings.deallocate()
    }

    /// The view for the audio thread, valid while this object is held.
    public var view: HRTFTableView {
        HRTFTableView(
            spectra: UnsafePointer(spectra), delays: UnsafePointer(delays), rings: UnsafePointer(rings), count: grid.counts.count,
            plane: frame.plane)
    }
}
