internal import Foundation
internal import ListenerStreams
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

    /// The token in the query of a request, as `?token=`, which playlists without a key may have, and the question of a proxy about them;
    /// nil without one.
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
        // Caches would keep one answer for each spelling.
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
