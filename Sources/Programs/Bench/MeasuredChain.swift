import Binaural
import CRealtime
import Crossing
import DSP
package import Device
import Engine
package import Evaluation
import Foundation
import Hub
import Media
import OSCControl
import Parameters
import Pose
import Render
import RenderInterface

/// The engine with its UDP port, and a client that turns its head and records what it plays.
package final class MeasuredChain {
    package let format: DeviceFormat
    /// Output times of the device; nil for the timer.
    private let timing: OutputTiming?
    /// Output delay that telemetry assumed after every turn, milliseconds.
    private var delays: [Double] = []
    private let engine: Engine
    private let receiver: OSCReceiver
    private let tracker: DatagramSender
    private let ears: CapturedEars
    private var stamps: [LatencyStamp] = []
    private let folder: URL

    /// - Parameters:
    ///   - capture: ALSA input that records the device.
    ///   - instrument: milliseconds from a turn to its sound, found by other means.
    package init(
        device: DeviceSpecification, capture: String?, instrument: Double?, format wanted: DeviceFormat, delays: OutputDelays
    ) throws {
        let opened = try device.open(wanted, delays: delays)
        timing = opened.timing
        format = opened.format
        folder = FileManager.default.temporaryDirectory.appending(path: "vestibule-measure-\(getpid())")
        let options = EngineOptions(
            deviceName: device.description, protection: .always, cues: try CueLibrary(folder: nil, rate: opened.format.rate),
            files: ClientFiles(data: folder.path), matches: OSCAddressPattern.matches)
        engine = try Engine(options, device: opened) { FileHandle.standardError.write(Data("\($0)\n".utf8)) }
        engine.connect()
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let recording = folder.appending(path: "steps.wav").path
        let writer = try SoundWriter(path: recording, channels: StepScene.channels, rate: format.rate)
        // Two seconds, which are looped.
        let samples = StepScene.samples(cycles: format.rate / 4)
        try writer.write(samples, frames: samples.count / StepScene.channels)
        try writer.finish()
        try engine.recording.transport.load(recording)

        let queue = DatagramRing(capacity: 1 << 16)
        let lines = engine.lines.listeners[0]
        let inlet = PoseInlet(lines.networkPoses.take(), horizon: lines.predictionHorizon, arrivals: engine.listeners.arrivals.network[0])
        receiver = try OSCReceiver(host: "127.0.0.1", port: 0, inlets: [inlet], queue: queue.producer)
        tracker = try DatagramSender(host: "127.0.0.1", port: receiver.port)
        if let capture, case .alsa(let name) = try DeviceSpecification(capture) {
            ears = .device(try ALSACapture(name, rate: format.rate))
        } else if let instrument {
            ears = .instrument(milliseconds: instrument)
        } else {
            lines.isHeard.take().set(true)
            ears = .network(NetworkEars(lines.ears.take()))
        }
        engine.hub.handle(
            Message(
                address: ListenerParameter.method.address(), arguments: [.string(InterpolationMethod.linear.name)],
                receiveTime: rt_now()))
        engine.recording.transport.state = TransportParameter.playing
        _ = try engine.start { failure in
            if let failure { FileHandle.standardError.write(Data("\(failure.description)\n".utf8)) }
        }
        try receiver.start {}
        engine.telemetry.tap = { [unowned self] in stamps += $0.stamps }
    }

    deinit {
        receiver.stop()
        engine.stop()
        try? FileManager.default.removeItem(at: folder)
    }

    /// Turns the head and measures when the change is heard.
    ///
    /// - Parameters:
    ///   - interval: seconds between two turns, to which up to as much is added at random; nil derives it from the latency.
    ///   - show: called with the progress, 0 to 1.
    package func measure(steps: Int, interval: Double?, show: (Double) -> Void) throws -> LatencyMeasurement {
        wait(seconds: 1)
        // Two turns, half a second apart, to estimate the latency.
        for warm in [0, 1] {
            turn(step: warm)
            wait(seconds: 0.5)
        }
        let expected = stamps.map { Double($0.outputTime &- $0.receiveTime) / 1e9 }.max() ?? 0.02
        stamps = []
        let xruns = engine.telemetry.state.xruns
        // The tone has to be absent for a while from the ear in which it begins next.
        let pause = interval ?? max(0.04, min(1, expected + 0.03))
        var sent: [UInt64] = []
        var random = SeededRandom(seed: 7)
        for step in 0..<steps {
            sent.append(turn(step: step))
            show(Double(step) / Double(steps))
            delays.append(timing?.reading.delay ?? 0)
            wait(seconds: pause * random.within(1...2))
        }
        wait(seconds: expected + 0.5)
        let timed = try ears.finish(
            rate: Double(format.rate), stamps: stamps, chain: engine.lines.protectionLatency)
        return evaluate(sent, timed, xruns: Int(engine.telemetry.state.xruns - xruns))
    }

    /// Origin of the output times reported by telemetry.
    package var source: OutputTiming.Source { timing?.reading.source ?? .exact }

    /// - Returns: time at which the pose was sent, CLOCK_MONOTONIC nanoseconds.
    @discardableResult
    private func turn(step: Int) -> UInt64 {
        let bytes = OSCPacket.bytes(
            ListenerParameter.ypr.address(), [.float(StepScene.yaw(step: step)), .float(0), .float(0)])
        let now = rt_now()
        tracker.send(bytes)
        return now
    }

    /// Waits, and collects telemetry and sound meanwhile.
    private func wait(seconds: Double) {
        let end = rt_now() + UInt64(clamping: seconds * 1e9)
        while rt_now() < end {
            engine.tick()
            ears.collect()
            realtime_sleep_until(min(end, rt_now() + 4_000_000))
        }
    }

    private func evaluate(_ sent: [UInt64], _ sound: CapturedEars.Timed, xruns: Int) -> LatencyMeasurement {
        let detector = StepDetector(sound.samples)
        var (found, missed): ([LatencyMeasurement.Step], Int) = ([], 0)
        for (step, time) in sent.enumerated() {
            let next = step + 1 < sent.count ? sent[step + 1] : .max
            let until = step + 2 < sent.count ? sent[step + 2] : .max
            guard let stamp = stamps.first(where: { $0.receiveTime >= time && $0.receiveTime < next }),
                let heard = heard(step, from: time, until: until, sound, detector)
            else {
                missed += 1
                continue
            }
            func milliseconds(_ to: Int64) -> Double { Double(to - Int64(time)) / 1e6 }
            found.append(
                .init(
                    sent: Double(time - sent[0]) / 1e9, heard: heard,
                    told: milliseconds(Int64(stamp.outputTime)), delay: delays[step]))
        }
        return LatencyMeasurement(found, missed: missed, xruns: xruns)
    }

    /// Milliseconds from a turn to its first changed frame; nil when there is none.
    private func heard(
        _ step: Int, from time: UInt64, until: UInt64, _ sound: CapturedEars.Timed, _ detector: StepDetector
    ) -> Double? {
        if case .instrument(let milliseconds) = ears { return milliseconds }
        let begin = sound.frame(time)
        let end = until == .max ? sound.samples.count / 2 : sound.frame(until)
        return detector.onset(ear: StepScene.ear(step: step), in: max(0, begin)..<max(begin, end, 0))
            .map { Double(sound.time($0) - Int64(time)) / 1e6 }
    }
}
