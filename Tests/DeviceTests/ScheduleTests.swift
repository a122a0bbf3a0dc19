import Testing

@testable import Device

@Suite struct ScheduleTests {
    @Test(arguments: [(48_000, 256), (44_100, 64), (44_100, 441), (192_000, 16), (8000, 8192)])
    func theGridNeverDrifts(rate: Int, period: Int) throws {
        let grid = BlockGrid(start: 123_456_789, format: try DeviceFormat(rate: rate, period: period))
        // A whole number of seconds ends exactly on a second, even after a year.
        let year: UInt64 = 365 * 86400
        #expect(grid.time(ofFrame: year * UInt64(rate)) == 123_456_789 + year * 1_000_000_000)
        for block: UInt64 in [0, 1, 2, 999, 1_000_003, 9_876_543_210] {
            let begin = grid.begin(of: block)
            let exact = Double(block) * Double(period) / Double(rate)
            #expect(abs(Double(begin - 123_456_789) / 1e9 - exact) <= 1e-9 + exact * 1e-15)
            #expect(grid.block(at: begin) == block)
            #expect(grid.block(at: grid.begin(of: block + 1) - 1) == block)
        }
        #expect(grid.block(at: 0) == 0)
    }

    func schedule() throws -> TimerSchedule {
        TimerSchedule(BlockGrid(start: 1_000_000_000, format: try DeviceFormat(rate: 48_000, period: 480)))
    }

    @Test func blocksInTimeFollowEachOther() throws {
        var schedule = try schedule()
        for block: UInt64 in 0..<100 {
            #expect(schedule.begin == 1_000_000_000 + block * 10_000_000)
            #expect(schedule.output == schedule.begin + 10_000_000)
            let lost = schedule.finish(at: schedule.output)
            #expect(lost == 0)
        }
    }

    @Test func aLateBlockCountsAndTheScheduleStays() throws {
        var schedule = try schedule()
        // Block 0 ends 45 ms late; blocks 1 to 4 are late before they begin, block 5 catches up.
        var now: UInt64 = 1_055_000_000
        var losses: [Int] = []
        for block: UInt64 in 0..<6 {
            #expect(schedule.output == 1_010_000_000 + block * 10_000_000)
            losses.append(schedule.finish(at: now))
            now += 100_000
        }
        #expect(losses == [1, 1, 1, 1, 1, 0])
    }

    @Test func aRendererThatIsFarBehindLeavesOutWhatItMissed() throws {
        var schedule = try schedule()
        // Rendering ends during block 9, the eighth after block 1 and the last that may be caught up.
        var patient = schedule
        var counts = [patient.finish(at: 1_089_000_000), patient.catchUp(at: 1_089_900_000)]
        #expect(counts == [1, 0])
        #expect(patient.block == 1)
        // Rendering ends during block 50: blocks 1 to 50 are skipped, and 51 starts on the grid.
        counts = [schedule.finish(at: 1_503_000_000), schedule.catchUp(at: 1_503_000_001)]
        #expect(counts == [1, 50])
        #expect(schedule.block == 51)
        #expect(schedule.begin == 1_510_000_000)
        let leftOut = schedule.catchUp(at: schedule.begin + 100_000)
        #expect(leftOut == 0)
    }

    @Test func aRendererThatWakesLateRendersNothingForThePast() throws {
        var schedule = try schedule()
        let leftOut = [schedule.catchUp(at: 1_079_000_000), schedule.catchUp(at: 1_081_000_000)]
        #expect(leftOut == [0, 9])
        #expect(schedule.output > 1_081_000_000)
    }
}
