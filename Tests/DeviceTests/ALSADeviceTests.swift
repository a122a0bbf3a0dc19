import Foundation
import Render
import Synchronization
import Testing

@testable import Device

/// ALSA's `null` device, which accepts everything at once and needs no sound card. With the environment variable
/// `VESTIBULE_TEST_ALSA`, also the named device, which has to play in real time (for example one made by
/// Tests/Integration/support/pulse_sink.py).
@Suite(.serialized) struct ALSADeviceTests {
    static let played = ProcessInfo.processInfo.environment["VESTIBULE_TEST_ALSA"]

    @Test func nullDeviceAcceptsTheRequestedFormat() throws {
        let device = try ALSADevice("null", DeviceFormat(rate: 44_100, period: 128, periods: 3))
        #expect(device.format == (try DeviceFormat(rate: 44_100, period: 128, periods: 3)))
        #expect(device.buffer == 384)
    }

    @Test func aDeviceThatDoesNotPlayIsRefused() throws {
        let log = ProbeLog()
        let end = EndLog()
        let device = try ALSADevice("null", DeviceFormat(rate: 48_000, period: 256))
        let run = try device.start(ProbeRenderer(log)) { end.end($0?.description) }
        #expect(
            end.wait() == "The ALSA device \"null\" accepts sound without playing it. To run without a sound card, "
                + "use the device timer.")
        let renderer = try run.finish()
        #expect(renderer.frame >= 48_000)
        #expect(log.xruns.isEmpty)
        #expect(zip(log.times, log.times.dropFirst()).allSatisfy { $0.begin <= $1.begin })
        #expect(log.times.allSatisfy { $0.output >= $0.begin })
    }

    @Test func stopGivesTheRendererBack() throws {
        let log = ProbeLog()
        let device = try ALSADevice("null", DeviceFormat(rate: 48_000, period: 64))
        for _ in 0..<2 {
            let run = try device.start(ProbeRenderer(log)) { _ in }
            _ = try run.finish()
        }
        #expect(log.alive.load(ordering: .relaxed) == 0)
    }

    @Test func unknownNameListsTheKnownOnes() throws {
        let format = try DeviceFormat(rate: 48_000, period: 256)
        let error = #expect(throws: DeviceError.self) { try ALSADevice("no-such-card", format) }
        let words = error?.description ?? ""
        #expect(words.hasPrefix("There is no ALSA device \"no-such-card\" to play. Known devices: timer, jack[:CLIENT], file:PATH, alsa:"))
    }

    @Test(.enabled(if: played != nil)) func aRealDevicePlaysInRealTime() throws {
        let log = ProbeLog()
        let format = try DeviceFormat(rate: 48_000, period: 256)
        let device = try ALSADevice(Self.played!, format)
        let run = try device.start(ProbeRenderer(log)) { Issue.record("ended: \($0?.description ?? "")") }
        log.wait(blocks: 100)
        _ = try run.finish()
        #expect(device.format.period == 256)
        // At least one buffer, less than a second.
        #expect(log.times.dropFirst(10).allSatisfy { $0.output > $0.begin && $0.output - $0.begin < 1_000_000_000 })
    }
}
