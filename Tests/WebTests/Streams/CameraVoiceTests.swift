import COpus
import Crossing
import DSP
import Foundation
import Testing

@testable import Cameras

/// Packets of a microphone and the blocks of an engine with another clock, in simulated time.
@Suite struct CameraVoiceTests {
    private static let hertz = 440.0

    /// Packets of 20 ms of a tone.
    private static func packets(_ count: Int) -> [[UInt8]] {
        var status: Int32 = 0
        // Other modes add noise to a tone.
        let encoder = opus_encoder_create(48_000, 1, OPUS_APPLICATION_RESTRICTED_LOWDELAY, &status)!
        _ = opus_encoder_set(encoder, OPUS_SET_BITRATE_REQUEST, 128_000)
        defer { opus_encoder_destroy(encoder) }
        return (0..<count).map { packet in
            let samples = (0..<960).map { Float(0.3 * sin(2 * .pi * hertz * Double(packet * 960 + $0) / 48_000)) }
            var bytes = [UInt8](repeating: 0, count: 1276)
            let length = opus_encode_float(encoder, samples, 960, &bytes, 1276)
            return Array(bytes.prefix(Int(length)))
        }
    }

    private struct Result {
        var sound: [Float] = []
        var counts = VoiceCounts()
        /// Milliseconds of sound that wait, at each packet.
        var waiting: [Double] = []
        /// Blocks for which there was too little.
        var missed = 0
    }

    /// - Parameters:
    ///   - lost: numbers of packets that never come.
    ///   - drift: of the sender's clock, parts per million.
    ///   - isHeard: whether the sound fades out and in again where there is too little, as an object's does; it is cut there otherwise.
    ///   - delay: milliseconds by which a packet is late, by its number.
    private static func run(
        _ packets: [[UInt8]], skipping lost: Set<Int> = [], rate: Int = 48_000, period: Int = 128, drift: Double = 0,
        isHeard: Bool = false, delay: (Int) -> Double
    ) throws -> Result {
        let ring = FrameRing(channels: 1, capacity: 1 << 17)
        var consumer = ring.consumer
        let made = CameraVoice(ring.producer, rate: rate, period: period, floor: 5)
        let voice = try #require(made)
        var result = Result()
        let block = UnsafeMutablePointer<Float>.allocate(capacity: max(period, rate / 200))
        defer { block.deallocate() }
        var (rendered, latest) = (0.0, 0.0)
        var (isFading, level) = (false, Float(1))
        /// Appends what was read, with the level on its way to another one.
        func append(_ count: Int, to wanted: Float) {
            for frame in 0..<count {
                if isHeard { level += min(max(wanted - level, -200 / Float(rate)), 200 / Float(rate)) }
                result.sound.append(block[frame] * level)
            }
        }
        for (number, packet) in packets.enumerated() where !lost.contains(number) {
            latest = max(latest, 20 * Double(number + 1) * (1 - drift * 1e-6) + delay(number))
            while rendered < latest {
                if consumer.available >= period + rate / 200 {
                    _ = consumer.read(block, frames: period)
                    append(period, to: 1)
                    isFading = false
                } else if number > 0 {
                    result.missed += 1
                    // An object fades out.
                    if !isFading, isHeard { append(consumer.read(block, frames: rate / 200), to: 0) }
                    if !isFading, !isHeard { consumer.skip(rate / 200) }
                    isFading = true
                }
                rendered += 1000 * Double(period) / Double(rate)
            }
            result.waiting.append(1000 * Double(consumer.available) / Double(rate))
            voice.push(packet, number: UInt32(number), now: latest)
            voice.work()
        }
        result.counts = voice.counts
        return result
    }

    /// Share of the sound that is not a tone, in every fifth part of a tenth of a second; the tone may be 0.3 % too high or too low while
    /// the clocks approach each other.
    private static func rests(_ sound: ArraySlice<Float>, rate: Double) -> [Double] {
        let length = Int(rate / 10)
        return stride(from: sound.startIndex, to: sound.endIndex - length, by: 5 * length).map { begin in
            let part = sound[begin..<begin + length]
            let whole = part.reduce(0.0) { $0 + Double($1) * Double($1) }
            let tones = (-10...10).map { step in
                let turn = -2 * .pi * hertz * (1 + 0.0003 * Double(step)) / rate
                let tone = part.enumerated().reduce(Complex(0)) { sum, each in
                    sum + Complex(magnitude: Double(each.element), phase: turn * Double(each.offset))
                }
                return tone.re * tone.re + tone.im * tone.im
            }
            return 1 - 2 * (tones.max() ?? 0) / Double(length) / whole
        }
    }

    @Test(arguments: [(48_000, 300.0), (48_000, -300.0), (44_100, 0.0), (96_000, 100.0)])
    func clocksThatDriftApartLeaveTheSoundWhole(_ rate: Int, _ drift: Double) throws {
        let result = try Self.run(Self.packets(700), rate: rate, drift: drift) { _ in 0 }
        #expect(result.counts.heard == 700 && result.counts.late == 0 && result.missed == 0, "\(result.counts), missed \(result.missed)")
        let rests = Self.rests(result.sound.dropFirst(rate), rate: Double(rate))
        #expect(rests.allSatisfy { abs($0) < 3e-3 }, "\(rests.max() ?? 1)")
        #expect(result.waiting.dropFirst(400).allSatisfy { $0 < 25 }, "\(result.waiting.max() ?? 0)")
    }

    /// Deviations of the pitch from that of the tone, as a share, in every tenth of a second.
    private static func bends(_ sound: ArraySlice<Float>, rate: Double) -> [Double] {
        let length = Int(rate / 10)
        let phases = stride(from: sound.startIndex, to: sound.endIndex - length, by: length).map { begin in
            var (re, im) = (0.0, 0.0)
            for frame in begin..<begin + length {
                let angle = -2 * .pi * hertz * Double(frame) / rate
                let share = 0.5 - 0.5 * cos(2 * .pi * Double(frame - begin) / Double(length))
                re += share * Double(sound[frame]) * cos(angle)
                im += share * Double(sound[frame]) * sin(angle)
            }
            return atan2(im, re)
        }
        return zip(phases, phases.dropFirst()).map { one, next in
            let turn = (next - one).remainder(dividingBy: 2 * .pi)
            return turn / (2 * .pi * hertz * 0.1)
        }
    }

    /// No listener hears one cent, which is 0.06 %.
    @Test(arguments: [0.0, 200, -200]) func thePitchIsRightFromTheBeginning(_ drift: Double) throws {
        let result = try Self.run(Self.packets(400), drift: drift) { 3 * Double($0 % 3) }
        let bends = Self.bends(result.sound.dropFirst(9600), rate: 48_000)
        #expect(bends.allSatisfy { abs($0) < 6e-4 + abs(drift) * 1e-6 }, "\(bends.map { 1e6 * abs($0) }.max() ?? 0) ppm")
    }

    /// A network that stands still, and delivers everything at once when it continues; packets that are lost; a decoder that refuses.
    @Test(arguments: ["stall", "loss", "damage"]) func soundThatIsMissingEndsWithoutAClick(_ kind: String) throws {
        var packets = Self.packets(400)
        if kind == "damage" { for number in stride(from: 60, to: 300, by: 31) { packets[number] = [0xFF] } }
        let lost = kind == "loss" ? Set(stride(from: 60, to: 300, by: 31)) : []
        let result = try Self.run(packets, skipping: lost, isHeard: true) { number in
            guard kind == "stall" else { return 0 }
            // Two stalls, of 640 ms and of 1.2 s, after which packets come with a little jitter.
            for (begin, length) in [(60, 32), (200, 60)] where (begin..<begin + length).contains(number) {
                return 20 * Double(begin + length - number)
            }
            return number > 60 ? 4 * Double(number % 2) : 0
        }
        let sound = result.sound.dropFirst(4800)
        let steepest = zip(sound, sound.dropFirst()).map { abs($1 - $0) }.max() ?? 0
        // The steepest part of the tone itself: 2 pi 440 / 48000 of its level.
        #expect(steepest < 1.5 * Float(2 * .pi * Self.hertz / 48_000 * 0.3), "\(steepest), \(result.counts)")
        #expect(result.counts.heard > 280, "\(result.counts)")
        // Refusals are few: one gap, and none later.
        if kind == "stall" { #expect(result.counts.leftOut > 0) }
    }

    @Test func packetsThatComeInLumpsAreWaitedFor() throws {
        // Every third packet comes with the next ones.
        let result = try Self.run(Self.packets(1000)) { $0 % 3 == 1 ? 35 : 0 }
        #expect((1..<12).contains(result.counts.late), "\(result.counts)")
        #expect(result.waiting.dropFirst(300).max()! < 90)
        #expect(Self.rests(result.sound.dropFirst(6 * 48_000), rate: 48_000).allSatisfy { $0 < 1e-2 })
    }

    @Test func damagedPacketsAreCountedAndTheSoundGoesOn() throws {
        var packets = Self.packets(300)
        for number in stride(from: 30, to: 200, by: 10) { packets[number] = [] }
        for number in stride(from: 35, to: 200, by: 10) { packets[number] = Array(packets[number].prefix(1)) + [] }
        // Code 3 of a packet without its count of frames.
        for number in stride(from: 37, to: 200, by: 10) { packets[number] = [0xFF] }
        packets[205] = .init(repeating: 7, count: 5000)
        let result = try Self.run(packets) { _ in 0 }
        #expect(result.counts.refused >= 17 + 17 + 1, "\(result.counts)")
        #expect(result.sound.allSatisfy { abs($0) <= 1 })
        let rests = Self.rests(result.sound.suffix(48_000), rate: 48_000)
        #expect(rests.allSatisfy { $0 < 1e-2 }, "\(rests)")
    }

    @Test func aFloodIsLeftOutAndStaysShort() throws {
        let packets = Self.packets(1200)
        let ring = FrameRing(channels: 1, capacity: 1 << 15)
        var consumer = ring.consumer
        let made = CameraVoice(ring.producer, rate: 48_000, period: 128, floor: 5)
        let voice = try #require(made)
        for (number, packet) in packets.enumerated() {
            voice.push(packet, number: UInt32(number), now: 1)
            voice.work()
        }
        #expect(voice.counts.leftOut > 1100, "\(voice.counts)")
        let waiting = consumer.available
        consumer.skip(waiting)
        #expect(waiting < 48 * 150)
    }
}
