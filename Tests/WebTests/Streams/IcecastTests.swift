import Testing

@testable import Broadcast
@testable import ListenerStreams

/// Addresses of mount points, and the pages of Ogg that are sent to them.
@Suite struct IcecastTests {
    private static let rate = 48_000

    @Test(arguments: [
        ("icecast://radio.example.org/hall.opus", "icecast://radio.example.org:8000/hall.opus"),
        ("icecasts://me@radio:8443/a%20b", "icecasts://radio:8443/a b"), ("icecast://[::1]:80/x/y", "icecast://[::1]:80/x/y"),
        ("ICECASTS://Radio:8443/A", "icecasts://Radio:8443/A"),
    ])
    func addressesOfMountPointsAreRead(text: String, described: String) throws {
        #expect(try IcecastServer(text).description == described)
    }

    @Test(arguments: [
        "", "radio/hall", "http://radio/hall", "icecast://", "icecast:///hall", "icecast://radio", "icecast://radio/",
        "icecast://radio/a?b", "icecast://radio/a#b", "icecast://me:secret@radio/a", "icecast://radio:0/a", "icecast://radio:70000/a",
        "icecast://radio:x/a",
        "icecast://radio/a%0Ab",
    ])
    func otherAddressesAreRefused(text: String) {
        let refusal = #expect(throws: IcecastSettingsError.self) { try IcecastServer(text) }
        #expect(refusal?.description.contains("secret") == false)
    }

    @Test func passwordsOfAnyCharactersReachTheServer() throws {
        let plain = try IcecastServer("icecast://radio/a%20b").address(password: "p@ss:w/ord +%")
        #expect(plain == "http://source:p%40ss:w%2Ford%20+%25@radio:8000/a%20b")
        #expect(try IcecastServer("icecasts://m%40e@[::1]/a").address(password: "?#") == "https://m%40e:%3F%23@[::1]:8443/a")
    }

    /// The pages of a stream: sample count at the end of each, and bytes.
    private func pages(_ bytes: [UInt8]) -> [(granule: Int, content: ArraySlice<UInt8>)] {
        var (found, rest): ([(Int, ArraySlice<UInt8>)], ArraySlice<UInt8>) = ([], bytes[...])
        while rest.count >= 27, rest.starts(with: Array("OggS".utf8)) {
            let start = rest.startIndex
            let granule = (0..<8).reduce(0) { $0 | Int(rest[start + 6 + $1]) << (8 * $1) }
            let segments = Int(rest[start + 26])
            let size = rest[(start + 27)..<(start + 27 + segments)].reduce(0) { $0 + Int($1) }
            found.append((granule, rest[(start + 27 + segments)..<(start + 27 + segments + size)]))
            rest = rest[(start + 27 + segments + size)...]
        }
        #expect(rest.isEmpty)
        return found
    }

    private func batch(from start: Int, frames: Int) -> SoundInlet.Batch {
        let samples = (0..<(2 * frames)).map { sample in Float(sample % 100) / 200 }
        return SoundInlet.Batch(start: Int64(start), samples: samples, origin: 0)
    }

    @Test func pagesOfATenthOfASecondFollowTheHeaders() throws {
        var stream = try OggOpusStream(rate: Self.rate, bitrate: 128_000)
        let headers = pages(stream.headers)
        #expect(headers.count == 2 && headers[0].content.starts(with: Array("OpusHead".utf8)))
        #expect(headers[1].content.starts(with: Array("OpusTags".utf8)))
        var made: [UInt8] = []
        for start in stride(from: 0, to: 2 * Self.rate, by: 960) { made += try stream.add(batch(from: start, frames: 960)) }
        let sound = pages(made)
        // 2 s, of which the encoder may hold one packet back.
        #expect((19...20).contains(sound.count))
        #expect(sound.enumerated().allSatisfy { $0.element.granule == 4800 * ($0.offset + 1) })
        #expect(stream.frames == 4800 * sound.count && stream.lost == 0)
        // Streams that follow each other differ in their number.
        let other = try OggOpusStream(rate: Self.rate, bitrate: 128_000)
        #expect(stream.headers[14..<18] != other.headers[14..<18])
    }

    @Test func silenceStandsInThePlaceOfLostSound() throws {
        var stream = try OggOpusStream(rate: Self.rate, bitrate: 128_000)
        _ = try stream.add(batch(from: 0, frames: Self.rate))
        _ = try stream.add(batch(from: 2 * Self.rate, frames: Self.rate))
        #expect(stream.lost == Self.rate && stream.frames > 2 * Self.rate)
        // A long gap is none of the machine's.
        _ = try stream.add(batch(from: 90 * Self.rate, frames: Self.rate))
        #expect(stream.lost == Self.rate && stream.frames <= 4 * Self.rate)
    }

    @Test func otherRatesAreRefusedWithTheReason() {
        let refusal = #expect(throws: SoundPacker.Problem.self) { try OggOpusStream(rate: 44_100, bitrate: 128_000) }
        #expect(refusal?.description.isEmpty == false)
    }
}
