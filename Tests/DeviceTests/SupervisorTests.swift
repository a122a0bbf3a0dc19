import CRealtime
import Parameters
import Render
import Synchronization
import TestSupport
import Testing

@testable import Device

/// The supervisor with devices that fail and hang on request.
@Suite(.serialized) struct SupervisorTests {
    /// The devices of a machine, by name, and what was reported.
    private final class Machine: Sendable {
        let devices = Mutex<[String: FakeDevice]>([:])
        let opened = Atomic(0)
        let words = Mutex<[String]>([])
        /// Openers of the device "stuck" that have been called; none returns until it is let go.
        let stuck = Atomic(0)
        let isFree = Flag()

        func plug(_ name: String, _ device: FakeDevice?) { devices.withLock { $0[name] = device } }

        var opener: DeviceOpener {
            { [self] specification throws(DeviceError) in
                guard case .alsa(let name) = specification else {
                    // The real one reports the stalls of a busy machine as xruns.
                    if let timer = devices.withLock({ $0["timer"] }) { return timer }
                    return TimerDevice(try DeviceFormat(rate: 48_000, period: 48))
                }
                if name == "stuck" {
                    stuck.add(1, ordering: .relaxed)
                    _ = isFree.wait(within: 60_000_000_000)
                }
                opened.add(1, ordering: .relaxed)
                // Every opening is a new device, as for a driver.
                guard let device = devices.withLock({ $0[name] }) else { throw DeviceError("There is no \(name).") }
                return device
            }
        }
    }

    private let machine = Machine()
    private let log = ProbeLog()

    /// A supervisor whose devices are not lost because the machine stalls.
    ///
    /// - Parameters:
    ///   - silence: nanoseconds after which a device that does not ask for sound is lost.
    ///   - start: nanoseconds after which a device that was opened and does not ask for sound is given up.
    private func supervisor(
        _ device: any AudioDevice, silence: UInt64 = 600_000_000_000, start: UInt64 = 600_000_000_000
    ) throws -> DeviceSupervisor<ProbeRenderer> {
        let patience = DevicePatience(silence: silence, start: start, end: 60_000_000_000)
        return try DeviceSupervisor(ProbeRenderer(log), on: device, as: .alsa("first"), patience: patience, opener: machine.opener) {
            [machine] text in machine.words.withLock { $0.append(text) }
        }
    }

    private func more(_ blocks: Int = 50) { log.wait(blocks: log.blocks.load(ordering: .acquiring) + blocks) }

    /// Ends the supervisor, and checks that one renderer has rendered every frame.
    private func finish(_ supervisor: DeviceSupervisor<ProbeRenderer>) throws {
        guard let renderer = supervisor.stop() else { throw Lost() }
        #expect(renderer.frame == log.sizes.reduce(0, +))
        #expect(log.alive.load(ordering: .relaxed) == 1)
    }

    @Test func aDeviceThatFailsIsReplacedAndReturnedTo() throws {
        let device = try FakeDevice()
        let supervisor = try supervisor(device)
        more()
        device.failing.raise()
        waitUntil("lost") { supervisor.status.state == .lost }
        more()
        waitUntil("it is looked for") { supervisor.status.problem == "There is no first." }
        #expect(supervisor.status.device == .alsa("first"))
        let lost = supervisor.status.lostFrames
        waitUntil("lost frames are counted") { supervisor.status.lostFrames > lost }
        machine.plug("first", try FakeDevice())
        waitUntil("back") { supervisor.status.state == .playing }
        let whole = supervisor.status.lostFrames
        more()
        let status = supervisor.status
        try finish(supervisor)
        #expect(status.losses == 1 && status.lostFrames == whole && status.problem.isEmpty && status.device == .alsa("first"))
        let words = machine.words.withLock { $0 }
        #expect(words[0].hasPrefix("The fake device was unplugged. The engine continues without it"))
        #expect(words[1] == "The device alsa:first plays again; \(whole) frames were not heard on a device.")
        #expect(words.count == 2)
    }

    /// The timer renders until a device that is absent at the start is there.
    @Test func aDeviceThatIsAbsentAtTheStartIsLookedFor() throws {
        let reason = DeviceError("There is no first.", isAbsence: true)
        let supervisor = try supervisor(AbsentDevice(try DeviceFormat(rate: 48_000, period: 48), reason: reason))
        let absent = supervisor.status
        #expect(absent.state == .lost && absent.problem == "There is no first." && absent.device == .alsa("first"))
        more()
        machine.plug("first", try FakeDevice())
        waitUntil("it plays") { supervisor.status.state == .playing }
        more()
        let status = supervisor.status
        try finish(supervisor)
        #expect(status.losses == 0 && status.problem.isEmpty && status.device == .alsa("first") && status.lostFrames > 0)
        let words = machine.words.withLock { $0 }
        #expect(words.count == 2 && words[0] == "There is no first. The engine starts without it, and uses it when it is there.")
        #expect(words[1] == "The device alsa:first plays now; \(status.lostFrames) frames were not heard on a device.")
    }

    @Test func aDeviceThatHangsIsReplacedAndClosedWhenItReturns() throws {
        var device: FakeDevice? = try FakeDevice()
        let (silent, closed) = (device!.silent, device!.closed)
        let supervisor = try supervisor(device!, silence: 2_000_000_000)
        device = nil
        more()
        silent.raise()
        waitUntil("lost") { supervisor.status.state == .lost }
        more()
        #expect(machine.words.withLock { $0[0] }.hasPrefix("The device alsa:first no longer requests sound"))
        // It is not opened a second time while it still hangs.
        machine.plug("first", try FakeDevice())
        more(600)
        #expect(!closed.isRaised && machine.opened.load(ordering: .relaxed) == 0 && supervisor.status.state == .lost)
        silent.lower()
        waitUntil("back") { supervisor.status.state == .playing }
        #expect(closed.isRaised)
        try finish(supervisor)
        // The timer renders what the device left out, so that listeners on the network miss nothing.
        let begins = log.times.map { Int(clamping: $0.begin) }
        let gaps = zip(begins, begins.dropFirst()).map { $1 - $0 }
        let losses = gaps.indices.filter { gaps[$0] > 51_000_000 }
        #expect(!losses.isEmpty)
        // A device never makes up for a gap. Where the machine itself stands still for more than a second, the timer does not either.
        let isMadeUp = losses.contains { loss in
            begins[(loss + 1)...].enumerated().contains { index, begin in begin - begins[loss] - (index + 1) * 1_000_000 < 50_000_000 }
        }
        #expect(isMadeUp, "gaps of \(losses.map { gaps[$0] }) ns")
    }

    /// Listeners on the network do not wait for a device that is late, and the device is not lost for it.
    @Test func theTimerRendersWhileADevicePauses() throws {
        let device = try FakeDevice()
        let supervisor = try supervisor(device)
        more()
        device.silent.raise()
        more()
        let before = device.rendered.blocks.load(ordering: .relaxed)
        device.silent.lower()
        waitUntil("it plays on the device again") { device.rendered.blocks.load(ordering: .relaxed) > before + 50 }
        let status = supervisor.status
        #expect(status.losses == 0 && status.lostFrames == 0 && status.state == .playing)
        try finish(supervisor)
    }

    @Test func anotherDeviceIsSelected() throws {
        // The timer would render in the place of devices of short buffers while the machine stalls, and count what is late.
        let supervisor = try supervisor(try FakeDevice(isPatient: true))
        machine.plug("second", try FakeDevice(isPatient: true))
        machine.plug("timer", try FakeDevice(isPatient: true))
        more()
        supervisor.select(.alsa("second"))
        waitUntil("second") { supervisor.status.device == .alsa("second") && supervisor.status.state == .playing }
        #expect(supervisor.status.order == [.alsa("second"), .alsa("first")])
        more()
        supervisor.select(.timer)
        waitUntil("timer") { supervisor.status.device == .timer && supervisor.status.state == .playing }
        more()
        #expect(supervisor.status.order == [.timer, .alsa("second"), .alsa("first")])
        let status = supervisor.status
        try finish(supervisor)
        #expect(status.lostFrames == 0 && status.losses == 0 && log.xruns.isEmpty)
    }

    @Test func aSelectionThatFailsLeavesTheSoundWhereItIs() throws {
        let supervisor = try supervisor(try FakeDevice(), start: 1_000_000_000)
        machine.plug("mute", try FakeDevice(silent: true))
        more()
        supervisor.select(.alsa("none"))
        waitUntil("refused") { machine.words.withLock { $0 }.contains("There is no none. The sound stays on alsa:first.") }
        supervisor.select(.alsa("mute"))
        waitUntil("refused") {
            machine.words.withLock { $0 }.contains(
                "The device alsa:mute was opened but does not request sound. The sound stays on alsa:first.")
        }
        machine.devices.withLock { $0["mute"] }?.silent.lower()
        #expect(supervisor.status.device == .alsa("first") && supervisor.status.state == .playing && supervisor.status.order.isEmpty)
        try finish(supervisor)
    }

    /// A selection does not hide that the device before it was lost.
    @Test func aDeviceThatIsLostWhileAnotherOneOpensIsShown() throws {
        let device = try FakeDevice()
        let supervisor = try supervisor(device)
        more()
        // A selection is given up after five seconds: a machine that stalls for so long selects it again.
        func isChanging() -> Bool {
            if supervisor.status.isChanging { return true }
            supervisor.select(.alsa("stuck"))
            return false
        }
        waitUntil("changing", every: 20) { isChanging() && supervisor.status.state == .changing }
        device.failing.raise()
        waitUntil("lost, although another one is selected", every: 20) { isChanging() && supervisor.status.state == .lost }
        machine.isFree.raise()
        waitUntil("over") { !supervisor.status.isChanging }
        #expect(supervisor.status.state == .lost)
        try finish(supervisor)
    }

    /// A selection that never opens ends.
    @Test func aDeviceThatHangsWhileItIsOpenedIsGivenUp() throws {
        let device = try FakeDevice()
        let supervisor = try supervisor(device)
        more()
        device.failing.raise()
        waitUntil("lost") { supervisor.status.state == .lost }
        supervisor.select(.alsa("stuck"))
        let words = "The device alsa:stuck does not open: its driver or its sound server hangs. The engine still runs without a device."
        waitUntil("given up") { machine.words.withLock { $0 }.contains(words) }
        waitUntil("shown") { supervisor.status.state == .lost && !supervisor.status.isChanging }
        // Another opener would hang as well; other devices are tried beside the one that does.
        machine.plug("first", try FakeDevice())
        supervisor.prefer([.alsa("stuck"), .alsa("first")])
        waitUntil("the next device plays") { supervisor.status.state == .playing && supervisor.status.device == .alsa("first") }
        #expect(machine.stuck.load(ordering: .relaxed) == 1)
        machine.isFree.raise()
        try finish(supervisor)
    }

    @Test func aDeviceThatIsNotHeardIsReported() throws {
        let device = try FakeDevice()
        let supervisor = try supervisor(device)
        more()
        #expect(supervisor.status.problem == "")
        device.isUnheard.raise()
        waitUntil("told") { supervisor.status.problem == "The fake card has left." && supervisor.status.state == .playing }
        device.isUnheard.lower()
        waitUntil("over") { supervisor.status.problem == "" }
        #expect(machine.words.withLock { $0 } == ["The fake card has left."])
        try finish(supervisor)
    }

    @Test func anotherLengthOfBlocksIsShown() throws {
        let device = try FakeDevice()
        let supervisor = try supervisor(device)
        #expect(supervisor.status.period == 48)
        device.isLong.raise()
        waitUntil("shown") { supervisor.status.period == 96 }
        try finish(supervisor)
    }

    @Test func theBestDeviceOfTheOrderPlays() throws {
        let first = try FakeDevice()
        let supervisor = try supervisor(first)
        let second = try FakeDevice()
        machine.plug("second", second)
        supervisor.prefer([.alsa("first"), .alsa("second")])
        waitUntil("followed") { supervisor.status.requests == 1 }
        #expect(supervisor.status.device == .alsa("first"))
        first.failing.raise()
        waitUntil("second") { supervisor.status.device == .alsa("second") && supervisor.status.state == .playing }
        more()
        // An order whose best device is there is followed at once.
        machine.plug("third", try FakeDevice())
        supervisor.prefer([.alsa("third"), .alsa("second")])
        waitUntil("third") { supervisor.status.device == .alsa("third") }
        more()
        // An empty order is the device of the start.
        machine.plug("first", try FakeDevice())
        supervisor.prefer([])
        waitUntil("first") { supervisor.status.device == .alsa("first") }
        try finish(supervisor)
    }

    @Test func aSupervisorWithoutADeviceEnds() throws {
        let device = try FakeDevice()
        let supervisor = try supervisor(device)
        more()
        device.failing.raise()
        waitUntil("lost") { supervisor.status.state == .lost }
        try finish(supervisor)
    }

    @Test func waitsBetweenTriesGrowToASecond() {
        var delay = RetryDelay.lost
        #expect((0..<6).map { _ in delay.take() / 1_000_000 } == [100, 200, 400, 800, 1000, 1000])
    }
}
