import CRealtime
import Crossing
import Foundation
import Parameters
import RenderInterface
import Testing

@testable import Device
@testable import Render

/// The live input of a sound card whose clock is not that of the device that plays.
@Suite struct InputClockTests {
    /// The left ear of a renderer that has no recording, while a card `drift` faster (1e-6 is 1 ppm) records a tone of 1 kHz.
    ///
    /// - Parameters:
    ///   - silence: a time in seconds from which the card records nothing for a second.
    ///   - window: frames that are kept from each second.
    static func windows(drift: Double, seconds: Int, silence: Double = .infinity, window: Int = 9600) -> [[Float]] {
        let (rate, period) = (48_000, 64)
        let ring = FrameRing(channels: 2, capacity: 16_384)
        let stamps = Latest(LiveStamp(frame: 0, time: 0))
        let readings = Latest(LiveReading(frame: 0, time: 0, reserve: 0))
        var bridge = ArrayBridge(
            ArrayLine(frames: ring.producer, stamps: stamps.writer, readings: readings.reader), period: period, rate: rate, resamples: true)
        let tree = ParameterTree(listeners: 1)
        let store = ParameterStore(tree)
        let lines = RenderConnections(
            store: store, rate: Float(rate), period: period,
            capture: InputFeed(
                frames: ring.consumer, live: LiveFeed(reserve: bridge.reserve, stamps: stamps.reader, readings: readings.writer),
                period: period))
        var graph = lines.graph.take()
        let blocks: [[Float]] = (0..<3).map { block in
            (0..<period).flatMap { frame -> [Float] in
                let sample = ArrayBridgeTests.tone[(block * period + frame) % 48]
                return [sample, -sample]
            }
        }
        func nanoseconds(_ seconds: Double) -> UInt64 { UInt64(clamping: Int64((1_000_000_000 + 1e9 * seconds).rounded())) }
        let (writing, reading) = (Double(period) / Double(rate) / (1 + drift), Double(period) / Double(rate))
        var (left, right) = ([Float](repeating: 0, count: period), [Float](repeating: 0, count: period))
        var windows = [[Float]](repeating: [], count: seconds)
        var written = 0
        for read in 0..<(seconds * rate / period) {
            let begin = 0.0004 + Double(read) * reading
            while Double(written + 1) * writing <= begin {
                let end = Double(written + 1) * writing
                if !(silence..<silence + 1).contains(end) { bridge.write(blocks[written % 3], frames: period, until: nanoseconds(end)) }
                written += 1
            }
            let time = BlockTime(begin: nanoseconds(begin), output: nanoseconds(begin + 2 * reading))
            left.withUnsafeMutableBufferPointer { left in
                right.withUnsafeMutableBufferPointer { right in
                    graph.render(left: left.baseAddress!, right: right.baseAddress!, frames: period, at: time)
                }
            }
            let second = read * period / rate
            if windows[second].count < window { windows[second] += left }
        }
        return windows
    }

    @Test(arguments: [300e-6, -300e-6])
    func twoClocksAreKeptInStep(_ drift: Double) {
        let windows = Self.windows(drift: drift, seconds: 40)
        let worst = windows.dropFirst(25).map(ArrayBridgeTests.residue).max() ?? 0
        let levels = windows.dropFirst(2).map { 2 * $0.reduce(0) { $0 + Double($1) * Double($1) } / Double($0.count) }
        print("\(1e6 * drift) ppm: residue at most \(worst) dB, power \(levels.min() ?? 0) to \(levels.max() ?? 0)")
        #expect(worst < -90)
        #expect(levels.allSatisfy { abs($0 - 0.25) < 1e-3 })
    }

    @Test func aGapIsFadedAndEnds() {
        // Every sample of the seconds around the gap.
        let windows = Self.windows(drift: 0, seconds: 10, silence: 5, window: 48_000)
        #expect(windows[5].suffix(40_000).contains { abs($0) > 0.1 } == false)
        #expect(windows[8].contains { $0 > 0.45 })
        // A tone of 1 kHz at 0.5 rises by at most 0.066 from sample to sample; a block that fades adds at most 0.5 / 64.
        for second in 3..<9 {
            let sound = windows[second] + windows[second + 1].prefix(1)
            let steepest = zip(sound, sound.dropFirst()).map { abs($0 - $1) }.max() ?? 0
            #expect(steepest < 0.08, "second \(second)")
        }
    }

    @Test func theTimerPlaysWithAnyInputOfItsOwn() throws {
        #expect(InputClock.auto.isOwn(.alsa("hw:1"), beside: .timer))
        #expect(InputClock.auto.isOwn(.alsa("hw:1"), beside: .jack(client: "vestibule")))
        #expect(!InputClock.auto.isOwn(.alsa("hw:1"), beside: .alsa("hw:1")))
        #expect(InputClock.own.isOwn(.alsa("hw:1"), beside: .alsa("hw:1")))
        #expect(!InputClock.same.isOwn(.alsa("hw:1"), beside: .alsa("hw:2")))
        #expect(!InputClock.own.isOwn(.jack, beside: .alsa("hw:2")))
        #expect(!InputClock.own.isOwn(.alsa("hw:1"), beside: .file("/tmp/out.wav")))
    }

    @Test func hardwareIsOpenedOnce() throws {
        for (array, input) in [("hw:1,0", "hw:1"), ("plughw:1", "hw:1,0"), ("hw:CARD=USB", "plughw:CARD=USB")] {
            #expect { try ArrayInput.alsa(array).check(beside: .alsa(input)) } throws: { "\($0)".contains("alsa:dsnoop:") }
        }
        for (array, input) in [("hw:1,0", "hw:2"), ("dsnoop:1", "dsnoop:1"), ("default", "default"), ("hw:1,0", "hw:1,1")] {
            try ArrayInput.alsa(array).check(beside: .alsa(input))
        }
        try ArrayInput.alsa("hw:1").check(beside: .jack)
        try ArrayInput.jack(nil).check(beside: .alsa("hw:1"))
    }

    @Test func namesOfOneCardHaveOneClock() {
        let (hardware, converted) = (DeviceClock("alsa:hw:0", card: 0), DeviceClock("alsa:plughw:0", card: 0))
        let (other, server) = (DeviceClock("alsa:hw:1", card: 1), DeviceClock("alsa:default", card: nil))
        let (jack, timer) = (DeviceClock("jack:microphones", card: nil), DeviceClock("timer", card: nil))
        #expect(InputClock.auto.isShared(converted, with: hardware) && InputClock.auto.isShared(server, with: server))
        #expect(InputClock.auto.isShared(jack, with: DeviceClock("jack", card: nil)))
        for (source, device) in [(hardware, other), (hardware, server), (server, DeviceClock("alsa:second", card: nil)), (jack, server)] {
            #expect(!InputClock.auto.isShared(source, with: device) && !InputClock.auto.isShared(device, with: source))
        }
        // A sound server that records one card and plays on another, or two cards with one word clock.
        #expect(!InputClock.own.isShared(server, with: server) && InputClock.same.isShared(hardware, with: other))
        for clock in InputClock.allCases {
            #expect(!clock.isShared(hardware, with: timer) && !clock.isShared(timer, with: timer))
        }
    }
}
