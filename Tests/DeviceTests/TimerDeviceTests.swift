import Foundation
import Render
import Synchronization
import Testing

@testable import Device

@Suite struct TimerDeviceTests {
    @Test func blocksStandExactlyOnTheGrid() throws {
        let log = ProbeLog()
        let device = TimerDevice(try DeviceFormat(rate: 44_100, period: 64))
        let run = try device.start(ProbeRenderer(log)) { _ in }
        log.wait(blocks: 100)
        let renderer = try run.finish()
        #expect(renderer.frame == log.blocks.load(ordering: .relaxed) * 64)
        #expect(log.threads.count == 1)
        #expect(log.sizes.allSatisfy { $0 == 64 })
        // For any load of the machine, every output time lies on the grid.
        #expect(isOnGrid(log, device.format))
    }

    @Test func aSlowBlockIsCountedAndTheScheduleRecovers() throws {
        let log = ProbeLog()
        let device = TimerDevice(try DeviceFormat(rate: 48_000, period: 96))
        var slow = ProbeRenderer(log)
        slow.slow = (block: 5, nanoseconds: 100_000_000)  // Fifty periods.
        let run = try device.start(slow) { _ in }
        log.wait(blocks: 60)
        _ = try run.finish()
        #expect(log.xruns.contains { $0 >= 49 })
        #expect(isOnGrid(log, device.format))
        let outputs = log.times.map(\.output)
        #expect(outputs[6] - outputs[5] >= 98_000_000)
        #expect(zip(outputs, outputs.dropFirst()).allSatisfy { $0 < $1 })
    }

    @Test func theRendererIsFreedWhereTheRunIsStopped() throws {
        let log = ProbeLog()
        let device = TimerDevice(try DeviceFormat(rate: 48_000, period: 64))
        let run = try device.start(ProbeRenderer(log)) { _ in Issue.record("a stopped run has not ended by itself") }
        log.wait(blocks: 3)
        #expect(log.alive.load(ordering: .relaxed) == 1)
        do {
            _ = try run.finish()
        }
        #expect(log.alive.load(ordering: .relaxed) == 0)
        #expect(log.droppedOn.load(ordering: .relaxed) == UInt(pthread_self()))
        #expect(log.threads.isDisjoint(with: [log.droppedOn.load(ordering: .relaxed)]))
        let again = run.stop()
        let none = again == nil
        #expect(none)
    }

    @Test func anUnreferencedRunEnds() throws {
        let log = ProbeLog()
        let device = TimerDevice(try DeviceFormat(rate: 48_000, period: 64))
        do {
            let run = try device.start(ProbeRenderer(log)) { _ in }
            log.wait(blocks: 1)
            let second = #expect(throws: DeviceError.self) { _ = try device.start(ProbeRenderer(ProbeLog())) { _ in } }
            #expect(second?.description == "The device is already running; stop it before starting it again.")
            #expect(run.hints.allSatisfy { !$0.contains("\n") })
        }
        #expect(log.alive.load(ordering: .relaxed) == 0)
        let next = try device.start(ProbeRenderer(log)) { _ in }
        _ = try next.finish()
    }

    func isOnGrid(_ log: ProbeLog, _ format: DeviceFormat) -> Bool {
        // The start is unknown to the test, and so is the number of blocks that a machine that stalls leaves out before the first one. The
        // fractions of nanoseconds repeat after 441 blocks, or sooner.
        let ends = BlockGrid(start: 0, format: format)
        return (1...441 as ClosedRange<UInt64>).contains { block in
            let grid = BlockGrid(start: log.times[0].output - ends.begin(of: block), format: format)
            return log.times.allSatisfy { $0.output == grid.begin(of: grid.block(at: $0.output)) }
        }
    }
}
