internal import Foundation
internal import ListenerStreams
internal import Media
internal import Web

/// Paths below `/hls`, with or without a key: `/hls/listener/1/index.m3u8`, `/hls/key/KEY/listener/1/index.m3u8`.
enum HLSAddress: Equatable {
    private static let prefix = "/hls/"
    private static let keyed = "/hls/key/"

    /// Addresses of a listener's stream, for clients that may view.
    case address
    /// Asks whether the sender may listen.
    case access
    /// The multivariant playlist of a listener.
    case index(listener: Int)
    /// The media playlist of a format.
    case playlist(listener: Int, HLSFormat)
    /// A resource of a run of a stream.
    case resource(listener: Int, run: String, HLSFormat, Resource)

    enum Resource: Equatable {
        case initialization
        case segment(Int)
        /// A part, counted from 0.
        case part(Int, Int)
    }

    /// Whether a path belongs to a stream.
    private static func holds(_ path: String) -> Bool { path.hasPrefix(prefix) }

    /// The key in a path; nil without one.
    static func key(_ path: String) -> String? {
        guard path.hasPrefix(keyed) else { return nil }
        return String(path.dropFirst(keyed.count).prefix { $0 != "/" })
    }

    /// The token in the query of a request, as `?token=`; nil without one. Requests for playlists without a key may have it, and those of a
    /// proxy for `/hls/access`.
    static func token(_ request: Request) -> String? {
        let takesToken = holds(request.path) && key(request.path) == nil
        guard takesToken, request.path.hasSuffix(".m3u8") || request.path == prefix + "access" else { return nil }
        return request.query("token").flatMap { $0.isEmpty ? nil : $0 }
    }

    /// The path with a key.
    static func path(_ path: String, key: String?) -> String {
        key.map { keyed + $0 + "/" + path.dropFirst(prefix.count) } ?? path
    }

    private static func parts(_ path: String) -> [Substring] {
        let parts = path.dropFirst(prefix.count).split(separator: "/", omittingEmptySubsequences: false)
        return key(path) == nil ? parts : Array(parts.dropFirst(2))
    }

    /// The path of a playlist that names a listener, `/hls/listener/choir/index.m3u8`, by its number; nil for other paths.
    ///
    /// - Parameter number: number of the listener with a name; nil for none.
    static func numbered(_ path: String, _ number: (_ name: String) -> Int?) -> String? {
        guard holds(path), path.hasSuffix(".m3u8") else { return nil }
        let parts = parts(path)
        guard parts.count == 3, parts[0] == "listener", AudioStreams.number(parts[1]) == 0,
            let number = number(String(parts[1]))
        else { return nil }
        return path.dropLast(parts[1].count + parts[2].count + 1) + "\(number)/\(parts[2])"
    }

    /// - Returns: nil for an unknown path.
    init?(_ path: String) {
        guard Self.holds(path) else { return nil }
        let parts = Self.parts(path)
        switch parts.count {
        case 1 where parts[0] == "access": self = .access
        case 1 where parts[0] == "address": self = .address
        case 3 where parts[0] == "listener" && parts[2] == "index.m3u8": self = .index(listener: AudioStreams.number(parts[1]))
        case 3 where parts[0] == "listener" && parts[2].hasSuffix(".m3u8"):
            guard let format = HLSFormat(rawValue: String(parts[2].dropLast(5))) else { return nil }
            self = .playlist(listener: AudioStreams.number(parts[1]), format)
        case 5 where parts[0] == "listener":
            guard let format = HLSFormat(rawValue: String(parts[3])), let resource = Resource(parts[4]) else { return nil }
            self = .resource(listener: AudioStreams.number(parts[1]), run: String(parts[2]), format, resource)
        default: return nil
        }
    }
}

extension HLSAddress.Resource {
    /// - Returns: nil for an unknown name.
    init?(_ name: Substring) {
        guard name != "init.mp4" else {
            self = .initialization
            return
        }
        guard name.hasSuffix(".m4s") else { return nil }
        // Other spellings of a number are refused: caches would keep one answer for each.
        let numbers = name.dropLast(4).split(separator: ".", omittingEmptySubsequences: false).map { text in
            RequestForm.number(String(text)).flatMap { String($0) == text ? $0 : nil }
        }
        switch (numbers.first ?? nil, numbers.count) {
        case (let segment?, 1): self = .segment(segment)
        case (let segment?, 2):
            guard let part = numbers[1] else { return nil }
            self = .part(segment, part)
        default: return nil
        }
    }

    var name: String {
        switch self {
        case .initialization: "init.mp4"
        case .segment(let number): "\(number).m4s"
        case .part(let segment, let part): "\(segment).\(part).m4s"
        }
    }
}

/// Formats of an HLS stream, one rendition each.
enum HLSFormat: String, CaseIterable, Sendable {
    /// Plays everywhere.
    case aac
    case opus

    /// Name of the codec in playlists (RFC 6381).
    var codec: String { self == .aac ? "mp4a.40.2" : "Opus" }

    var kind: SoundPacker.Kind { self == .aac ? .aacFragments : .opusFragments }

    /// Highest rate of AAC.
    static let highestRate = 96_000

    /// The formats that libav encodes at a rate: Opus only at 48,000 frames per second, none above 96,000.
    static func possible(rate: Int) -> [HLSFormat] {
        if rate == Opus.rate { return allCases }
        return rate <= highestRate ? [.aac] : []
    }
}

/// A place in a stream that a playlist request asks for: `_HLS_msn` and `_HLS_part`.
struct HLSPosition: Equatable {
    let segment: Int
    /// From 0; nil waits for the whole segment.
    let part: Int?

    /// Reason why a position is invalid.
    struct Problem: Error {
        let text: String
    }

    /// - Parameters:
    ///   - segment: `_HLS_msn` as text.
    ///   - part: `_HLS_part` as text.
    /// - Returns: nil when the request names none.
    static func asked(segment: String?, part: String?) throws(Problem) -> HLSPosition? {
        guard let segment else {
            guard part == nil else { throw Problem(text: "_HLS_part needs _HLS_msn") }
            return nil
        }
        // Other spellings of a number are refused: caches would keep one answer for each.
        func isPlain(_ text: String) -> Bool { text == "0" || !text.hasPrefix("0") }
        guard let number = RequestForm.number(segment), isPlain(segment) else {
            throw Problem(text: "_HLS_msn is a number of at most 18 digits, without leading zeros")
        }
        guard let part else { return HLSPosition(segment: number, part: nil) }
        guard let place = RequestForm.number(part), isPlain(part) else {
            throw Problem(text: "_HLS_part is a number of at most 18 digits, without leading zeros")
        }
        guard place < 2 * HLSTiming.parts else { throw Problem(text: "_HLS_part is too far ahead: a segment has \(HLSTiming.parts) parts") }
        // Parts after the last one are those of the next segment.
        return place < HLSTiming.parts ? HLSPosition(segment: number, part: place) : HLSPosition(segment: number + 1, part: 0)
    }
}
