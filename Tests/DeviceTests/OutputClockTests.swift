import Testing

@testable import Device

@Suite struct OutputClockTests {
    private let block = 64
    private func begin(_ index: Int) -> UInt64 { 1_000_000_000 + UInt64(index * block) * 1_000_000_000 / 48_000 }

    /// A driver that tells another delay every few seconds, as sound servers do.
    private func reported(_ index: Int) -> UInt64 { begin(index) + UInt64(5 + index / 1000 * 3) * 1_000_000 }

    @Test func aCalibratedDeviceIsBelievedBeforeItsDriver() {
        let timing = OutputTiming(.calibrated)
        var clock = OutputClock(rate: 48_000, calibrated: 15_000_000, timing)
        for index in 0..<8000 {
            let output = clock.output(begin: begin(index), reported: reported(index), frames: block)
            #expect(abs(Double(output) - Double(begin(index)) - 15e6) < 1000, "\(index)")
        }
        #expect(timing.reading.source == .calibrated && timing.reading.delay == 15)
    }

    @Test func othersFollowTheirDriver() {
        let timing = OutputTiming(.reported)
        var clock = OutputClock(rate: 48_000, calibrated: nil, timing)
        for index in 0..<2900 {
            let output = clock.output(begin: begin(index), reported: reported(index), frames: block)
            // Half a second for the first block's sake, and half a second after each change.
            guard index % 1000 > 800 else { continue }
            #expect(abs(Double(output) - Double(reported(index))) < 200_000, "\(index)")
        }
        #expect(abs(timing.reading.delay - 11) < 0.2, "\(timing.reading)")
    }

    /// After an underrun the buffers are filled again.
    @Test func aRestartBeginsANewFit() {
        var clock = OutputClock(rate: 48_000, calibrated: nil, OutputTiming(.reported))
        for index in 0..<2000 { _ = clock.output(begin: begin(index), reported: reported(0) + begin(index) - begin(0), frames: block) }
        clock.restart()
        #expect(clock.output(begin: begin(9000), reported: begin(9000) + 80_000_000, frames: block) == begin(9000) + 80_000_000)
    }

    @Test func nothingIsOutputBeforeItIsRendered() {
        var clock = OutputClock(rate: 48_000, calibrated: nil, OutputTiming(.reported))
        for index in 0..<2000 {
            #expect(clock.output(begin: begin(index), reported: begin(index) - 3_000_000, frames: block) >= begin(index))
        }
    }
}
