import Foundation
import Synchronization
import TestSupport
import Testing

@testable import Broadcast
@testable import ListenerStreams
@testable import Web

@Suite struct HLSTests {
    private static let rate = 48_000

    /// Feeds 20 ms at a time, and returns what the encoder makes of it.
    private func feed(_ encoder: HLSEncoder, from start: Int, to end: Int) -> [HLSFragment] {
        for at in stride(from: start, to: end, by: 960) {
            let count = min(960, end - at)
            let samples = (0..<(2 * count)).map { sin(0.05 * Float(at + $0 / 2)) / 2 }
            samples.withUnsafeBufferPointer { encoder.inlet.put($0, at: Int64(at), newest: Int64(at + count)) }
            _ = encoder.turn()
        }
        return encoder.take()
    }

    private func parts(_ fragments: [HLSFragment], _ format: HLSFormat) -> [(part: HLSPart, date: Double)] {
        fragments.compactMap { fragment -> (part: HLSPart, date: Double)? in
            guard case .part(format, let part, let date) = fragment else { return nil }
            return (part, date)
        }
    }

    private func lost(_ fragments: [HLSFragment]) -> [Int] {
        fragments.compactMap { fragment -> Int? in
            guard case .lost(let frames) = fragment else { return nil }
            return frames
        }
    }

    @Test func partsOfBothFormatsLastEquallyLong() throws {
        let made = feed(HLSEncoder(rate: Self.rate, bitrate: 128_000), from: 0, to: 4 * Self.rate)
        for format in HLSFormat.allCases {
            let parts = parts(made, format)
            #expect((11...12).contains(parts.count) && parts.allSatisfy { abs($0.part.duration - 0.32) < 1e-9 })
            // A fragment begins with its table, the sound follows.
            #expect(parts.allSatisfy { Array($0.part.bytes[4..<8]) == Array("moof".utf8) })
        }
        // At other rates there is no Opus.
        let other = feed(HLSEncoder(rate: 44_100, bitrate: 128_000), from: 0, to: 2 * 44_100)
        #expect(parts(other, .opus).isEmpty && (4...6).contains(parts(other, .aac).count))
    }

    @Test func silenceStandsInThePlaceOfLostSound() {
        let encoder = HLSEncoder(rate: Self.rate, bitrate: 128_000)
        let whole = feed(encoder, from: 0, to: 2 * Self.rate)
        #expect(lost(whole).isEmpty)
        // A second is missing.
        let later = feed(encoder, from: 3 * Self.rate, to: 5 * Self.rate)
        #expect(lost(later) == [Self.rate])
        // 5 s in all are 15 parts and a bit, whatever arrived of them.
        #expect((14...15).contains(parts(whole + later, .opus).count))
        // After a long gap, and when the counts restart, the sound continues at once.
        let far = feed(encoder, from: 100 * Self.rate, to: 101 * Self.rate)
        let anew = feed(encoder, from: 0, to: Self.rate)
        #expect(lost(far).isEmpty && lost(anew).isEmpty)
        #expect((5...8).contains(parts(far + anew, .aac).count))
    }

    @Test func soundWithoutRoomIsLeftOut() {
        let encoder = HLSEncoder(rate: Self.rate, bitrate: 128_000)
        let samples = [Float](repeating: 0.1, count: 2 * Self.rate)
        // The encoder does not keep up: four seconds fit, the fifth and sixth do not.
        for second in 0..<6 {
            let begin = Int64(second * Self.rate)
            samples.withUnsafeBufferPointer { encoder.inlet.put($0, at: begin, newest: begin + Int64(Self.rate)) }
        }
        _ = encoder.turn()
        samples.withUnsafeBufferPointer { encoder.inlet.put($0, at: Int64(6 * Self.rate), newest: Int64(7 * Self.rate)) }
        _ = encoder.turn()
        #expect(lost(encoder.take()) == [2 * Self.rate])
    }

    @Test func samplesThatAreNoNumbersAreSilent() {
        let encoder = HLSEncoder(rate: Self.rate, bitrate: 128_000)
        let samples = [Float](repeating: .nan, count: Self.rate) + [Float](repeating: .infinity, count: Self.rate)
        samples.withUnsafeBufferPointer { encoder.inlet.put($0, at: 0, newest: Int64(Self.rate)) }
        #expect(encoder.turn())
        let made = encoder.take()
        #expect(parts(made, .aac).count >= 2 && parts(made, .opus).count >= 2)
    }

    @Test func datesAreThoseOfTheCalendar() throws {
        let format = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
        for time in [0, 951_782_399.75, 951_782_400, 1_709_251_199.5, 1_735_689_599.25, 1_795_000_000.125, 4_107_542_400] {
            #expect(HLSPlaylist.date(time) == Date(timeIntervalSince1970: time).formatted(format), "\(time)")
        }
    }

    @Test func addressesHaveOneForm() {
        #expect(HLSAddress("/hls/listener/3/index.m3u8") == .index(listener: 3))
        #expect(HLSAddress("/hls/key/abc/listener/3/aac.m3u8") == .playlist(listener: 3, .aac))
        #expect(HLSAddress("/hls/listener/3/run/opus/12.4.m4s") == .resource(listener: 3, run: "run", .opus, .part(12, 4)))
        #expect(HLSAddress("/hls/listener/3/run/opus/12.m4s") == .resource(listener: 3, run: "run", .opus, .segment(12)))
        #expect(HLSAddress("/hls/listener/03/index.m3u8") == .index(listener: 0))
        for path in [
            "/hls/", "/hls/key/", "/hls/key/abc", "/hls/listener/3/run/opus/12.m4s.m4s", "/hls/listener/3/run/opus/-1.m4s",
            "/hls/listener/3/run/opus/.m4s", "/hls/listener/3/run/opus/1..m4s", "/hls/listener/3/run/mp3/1.m4s",
            "/hls/listener//3/index.m3u8", "/hls/listener/3/run/opus/99999999999999999999.m4s",
        ] {
            #expect(HLSAddress(path) == nil, "\(path)")
        }
    }

    @Test func namesLeadToNumbers() {
        let numbers = ["west choir": 7]
        func path(_ path: String) -> String? { HLSAddress.numbered(path) { numbers[$0] } }
        #expect(path("/hls/listener/west choir/index.m3u8") == "/hls/listener/7/index.m3u8")
        #expect(path("/hls/key/abc/listener/west choir/opus.m3u8") == "/hls/key/abc/listener/7/opus.m3u8")
        for other in ["/hls/listener/7/index.m3u8", "/hls/listener/east/index.m3u8", "/hls/listener/west choir/run/opus/1.m4s", "/hls/x"] {
            #expect(path(other) == nil, "\(other)")
        }
    }

    @Test func requestsThatWaitEndWithTheStream() throws {
        let (server, engine) = try AudioSocketTests().make(capacity: 1 << 17)
        let answers = Holder(Mutex<[Int]>([]))
        func ask(_ path: String) {
            Thread {
                let status = Answer.get(server.port, path)?.status ?? 0
                answers.value.withLock { $0.append(status) }
            }.start()
        }
        func statuses() -> [Int] { answers.value.withLock { $0 } }
        // The first request waits for a whole segment, for eight seconds: a machine that stalls for so long asks again.
        for attempt in 1...10 where statuses().last != 200 {
            ask("/hls/listener/1/opus.m3u8")
            waitUntil("the sound is wanted") { engine.isWanted || statuses().count == attempt }
            engine.render(2 * Self.rate)
            waitUntil("the request is answered") { statuses().count == attempt }
        }
        let answered = statuses()
        #expect(answered.last == 200, "\(answered)")
        let text = try #require(Answer.get(server.port, "/hls/listener/1/opus.m3u8")?.text)
        let number = try #require(text.split(separator: "\n").first { $0.hasPrefix("#EXT-X-MEDIA-SEQUENCE:") }?.split(separator: ":").last)
        let asked = ContinuousClock.now
        ask("/hls/listener/1/opus.m3u8?_HLS_msn=\((Int(number) ?? 0) + text.matches(of: /#EXTINF/).count)")
        holds("the request waits") { statuses() == answered || ContinuousClock.now - asked > .seconds(7) }
        server.perform { _, server in server.streams.isPresent = { _ in false } }
        waitUntil("the request has ended: \(statuses())") { statuses() == answered + [503] }
        waitUntil("nobody wants the sound") { !engine.isWanted }
        #expect(Answer.get(server.port, "/hls/listener/1/opus.m3u8")?.status == 404)
    }
}
