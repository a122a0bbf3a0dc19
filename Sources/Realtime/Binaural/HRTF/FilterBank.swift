internal import CRealtime
internal import DSP

/// All filters for one array and one head, as spectra in the order in which the audio thread reads them. Shared by all
/// listeners with this head.
public final class FilterBank: Sendable {
    /// Array that the filters were made for.
    public let layout: HRTFLayout
    public let frame: HRTFFrame
    // SAFETY: written by the initializer alone; freed with the one object that owns it.
    private nonisolated(unsafe) let spectra: UnsafeMutablePointer<Float>
    // SAFETY: as above.
    private nonisolated(unsafe) let channels: UnsafeMutablePointer<Int32>
    // SAFETY: as above. Square root of the energy of each filter.
    private nonisolated(unsafe) let gains: UnsafeMutablePointer<Float>

    /// - Parameter sets: results of ``HRTFDesign/taps(set:)``, one for each set of the layout.
    public init(_ layout: HRTFLayout, _ frame: HRTFFrame, sets: [[Float]]) {
        let count = layout.channels.count
        precondition(sets.count == layout.sets && sets.allSatisfy { $0.count == 2 * count * frame.taps })
        self.layout = layout
        self.frame = frame
        let transform = FourierTransform(count: 2 * frame.part)
        let time = UnsafeMutablePointer<Float>.allocateAligned(2 * frame.part)
        let spectrum = UnsafeMutablePointer<Float>.allocateAligned(2 * transform.bins)
        defer {
            time.deallocate()
            spectrum.deallocate()
        }
        let parts = HRTFFrame.parts
        let ear = count * parts * 2 * frame.plane
        spectra = .allocateAligned(sets.count * 2 * ear)
        let scale = 1 / Float(2 * frame.part)
        for (index, taps) in sets.enumerated() {
            for row in 0..<2 * count * parts {
                for i in 0..<frame.part { time[i] = taps[row * frame.part + i] * scale }
                transform.forward(time, into: spectrum)
                let first = spectra + (2 * index + row / (count * parts)) * ear
                for bin in 0..<transform.bins {
                    // In the audio thread's order: sixteen bins of all first partitions, then of the next ones.
                    let turn = (bin / laneCount * parts + row % parts) * count + row / parts % count
                    let place = first + turn * 2 * laneCount + bin % laneCount
                    place[0] = spectrum[2 * bin]
                    place[laneCount] = spectrum[2 * bin + 1]
                }
            }
        }
        gains = .allocate(capacity: sets.count * 2 * count)
        for (set, taps) in sets.enumerated() {
            for row in 0..<2 * count {
                let energy = taps[row * frame.taps..<(row + 1) * frame.taps].reduce(0) { $0 + $1 * $1 }
                (gains + set * 2 * count + row).initialize(to: energy.squareRoot())
            }
        }
        channels = .allocate(capacity: count)
        for (place, channel) in layout.channels.enumerated() { (channels + place).initialize(to: Int32(channel)) }
    }

    deinit {
        spectra.deallocate()
        channels.deallocate()
        gains.deallocate()
    }

    /// The view for the audio thread, valid while this object is held.
    public var view: FilterBankView {
        FilterBankView(
            spectra: UnsafePointer(spectra), channels: UnsafePointer(channels), gains: UnsafePointer(gains), count: layout.channels.count,
            sectors: layout.sectors, sets: layout.sets, plane: frame.plane)
    }
}
