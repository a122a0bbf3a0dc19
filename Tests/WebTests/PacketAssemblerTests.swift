import COpus
import Foundation
import Streaming
import Testing

@testable import ListenerStreams

@Suite struct PacketAssemblerTests {
    static let frequencies = [1000.0, 440.0]

    static func tone(_ frame: Int) -> [Float] {
        frequencies.map { frequency -> Float in Float(0.4 * sin(2 * Double.pi * frequency * Double(frame) / 48_000)) }
    }

    static func number(_ bytes: ArraySlice<UInt8>) -> Int {
        var number = 0
        for byte in bytes.reversed() { number = number << 8 | Int(byte) }
        return number
    }

    /// Packets of a second of sound that begins at a sample count, added in uneven parts.
    static func packets(_ encoding: StreamEncoding, from begin: Int) throws -> [EncodedPacket] {
        var assembler = try #require(PacketAssembler(encoding, rate: 48_000))
        var packets: [EncodedPacket] = []
        var frame = begin
        for part in (0...).lazy.map({ 100 + $0 * 37 % 300 }) {
            guard frame < begin + 48_000 else { break }
            let samples = (frame..<(frame + part)).flatMap(tone)
            samples.withUnsafeBufferPointer { assembler.add($0, at: Int64(frame), listener: 3) { packets.append($0) } }
            frame += part
        }
        return packets
    }

    @Test(arguments: zip([5, 10, 20, 10, 5], [96_000, 64_000, 64_000, 256_000, 256_000]))
    func decodedSoundIsTheSoundAtTheSampleCountPlusTheDelay(_ milliseconds: Int, _ bitrate: Int) throws {
        let packets = try Self.packets(StreamEncoding(codec: .opus, bitrate: bitrate, milliseconds: milliseconds), from: 7777)
        let frames = 48 * milliseconds
        #expect(packets.count >= 48_000 / frames)
        var status: Int32 = 0
        let decoder = try #require(opus_decoder_create(48_000, 2, &status))
        defer { opus_decoder_destroy(decoder) }
        var (decoded, bytes) = ([Float](), 0)
        for (index, packet) in packets.enumerated() {
            let content = packet.bytes
            #expect(Self.number(content[0..<4]) == index && Self.number(content[4..<8]) == frames)
            #expect(Self.number(content[8..<16]) == 7777 + index * frames && packet.end == Int64(7777 + (index + 1) * frames))
            var sound = [Float](repeating: 0, count: 2 * frames)
            let count = opus_decode_float(decoder, Array(content[16...]), Int32(content.count - 16), &sound, Int32(frames), 0)
            #expect(Int(count) == frames)
            decoded += sound
            bytes += content.count - 16
        }
        for ear in 0..<2 {
            var (product, power, expected) = (0.0, 0.0, 0.0)
            for frame in 4800..<40_000 {
                let ideal = Double(Self.tone(7777 + frame - OpusPacketEncoder.standardDelay)[ear])
                let sample = Double(decoded[2 * frame + ear])
                product += ideal * sample
                power += sample * sample
                expected += ideal * ideal
            }
            #expect(product / (power * expected).squareRoot() > 0.98)
            #expect(abs(product / expected - 1) < 0.1)
        }
        let seconds = Double(packets.count * frames) / 48_000
        #expect(abs(Double(8 * bytes) / seconds / Double(bitrate) - 1) < 0.2)
    }

    @Test func plainPacketsOfEveryLengthAreTheSamples() throws {
        for milliseconds in StreamEncoding.lengths {
            let packets = try Self.packets(StreamEncoding(codec: .plain, bitrate: 0, milliseconds: milliseconds), from: 5)
            let content = packets[3].bytes
            #expect(content.count == 16 + 4 * 48 * milliseconds)
            let left = Int16(truncatingIfNeeded: Self.number(content[16..<18]))
            #expect(abs(Float(left) / 32768 - Self.tone(5 + 3 * 48 * milliseconds)[0]) < 2 / 32768)
        }
    }

    @Test func samplesThatAreNoSoundAreEncodedAsSilence() throws {
        var encoder = try #require(OpusPacketEncoder(bitrate: 64_000)) as any PacketEncoder
        var bytes: [UInt8] = []
        let samples = [Float](repeating: .nan, count: 480) + [Float](repeating: .infinity, count: 480)
        samples.withUnsafeBufferPointer { encoder.encode($0, into: &bytes) }
        #expect(!bytes.isEmpty && bytes.count <= 1276)
    }

    @Test func aGapShowsInTheNumbersAndNoPacketSpansIt() throws {
        var assembler = try #require(PacketAssembler(.plain, rate: 48_000))
        var packets: [EncodedPacket] = []
        func add(_ frames: Int, at position: Int64) {
            [Float](repeating: 0.5, count: 2 * frames).withUnsafeBufferPointer {
                assembler.add($0, at: position, listener: 1) { packets.append($0) }
            }
        }
        add(700, at: 0)
        assembler.skip()
        add(480, at: 5000)
        #expect(packets.map { Self.number($0.bytes[0..<4]) } == [0, 2])
        #expect(packets.map { Self.number($0.bytes[8..<16]) } == [0, 5000])
    }

    @Test func otherRatesHaveNoOpus() {
        #expect(PacketAssembler(StreamEncoding(codec: .opus, bitrate: 64_000, milliseconds: 10), rate: 44_100) == nil)
    }
}
