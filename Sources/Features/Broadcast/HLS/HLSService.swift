internal import CRealtime
internal import Foundation
internal import Hub
package import ListenerStreams
internal import Media
internal import Threads
package import Web

/// Settings of HLS streams.
public struct HLSSettings: Sendable {
    /// Listeners that are encoded at once; 0 turns HLS off.
    public var listeners = 4
    /// Bits per second of either format.
    public var bitrate = 160_000
    /// Origins of other servers' pages that may play the streams, such as `https://museum.example`; `*` for all.
    public var origins: [String] = []

    public static let bitrates = 64_000...320_000
    public static let mostListeners = 64

    /// Whether a text is an origin as browsers send it: a scheme, a name in lower case and a port other than the usual one; or `*`.
    public static func isOrigin(_ text: String) -> Bool {
        if text == "*" { return true }
        for (scheme, port) in [("http://", ":80"), ("https://", ":443")] where text.hasPrefix(scheme) {
            let host = String(text.dropFirst(scheme.count))
            return RequestForm.isHost(host) && !host.hasSuffix(port) && host == host.lowercased()
        }
        return false
    }

    public init() {}
}

/// Answers requests for playlists, segments and parts, at once or when the requested part exists.
package final class HLSService: WebFeature, LaterAnswers {
    /// Requests that may wait at once.
    private static let mostWaiting = 512
    /// Number of these that the requests for a single listener cannot take.
    private static let reserve = 64
    /// Seconds that a request may wait: three times the longest segment, at most 2.3 s at low rates.
    private static let longest: UInt64 = 8

    private struct Waiting {
        let listener: Int
        let address: HLSAddress
        let position: HLSPosition?
        let isHead: Bool
        /// Headers that its answer gets in any case.
        let headers: [(name: String, value: String)]
        let since: UInt64
    }

    private let streams: HLSStreams
    private let sharing: HLSSharing
    private unowned let web: WebServer
    private var waiting: [Connection: Waiting] = [:]
    /// Bytes of segments and parts in answers since the start.
    private var sent = 0
    /// Answers to requests that have waited.
    private var answers: [Connection: Response] = [:]

    package init(_ settings: HLSSettings, on web: WebServer, audio: AudioStreams) {
        (self.web, sharing) = (web, HLSSharing(origins: settings.origins))
        streams = HLSStreams(settings, hub: web.hub, audio: audio, wake: web.wake)
        streams.onChange = { [unowned self] in change($0) }
    }

    package func addMetrics(_ text: inout MetricsText) {
        guard streams.settings.listeners > 0 else { return }
        text.gauge("vestibule_hls_streams", "Listeners that are encoded for HLS.", Double(streams.count))
        text.gauge("vestibule_hls_waiting_requests", "Requests that wait for a part or a playlist.", Double(waiting.count))
        text.counter("vestibule_hls_segments_total", "Segments made, of all formats.", Double(streams.counts.segments))
        text.counter("vestibule_hls_sent_bytes_total", "Bytes of segments and parts in answers.", Double(sent))
        text.counter(
            "vestibule_hls_lost_seconds_total", "Sound lost because the machine was too busy; replaced by silence.", streams.counts.lost)
    }

    package var routes: [Route] {
        let streams = Route(
            path: "/hls/{path}", methods: [.get], audience: .view,
            summary: "[HLS streams](README.md#hls-streams): playlists, segments, and where they are.",
            key: AddressKey(token: HLSAddress.token, key: { HLSAddress.key($0.path) }), headers: sharing.headers,
            action: .later(self) { [unowned self] in answer($0.connection, $0.request) })
        // The key of streams gives access to nothing else: no WebSocket may be opened with it.
        let refused = Route.socket(
            "/hls/{path}", .everybody, "Answered with 400.",
            refusal: { _ in .text(400, "there are no WebSockets below /hls; /audio/N is one") }, client: { _ in nil })
        return [.page("/hls", "hls.html", "The page that plays the HLS stream of a listener."), streams, refused] + sharing.routes
    }

    package func settle() { streams.settle() }

    /// - Returns: the answer; nil for a request that waits for it.
    private func answer(_ connection: Connection, _ request: Request) -> Response? {
        guard var response = present(connection, request) else { return nil }
        response.headers += sharing.headers(request)
        return response
    }

    private func present(_ connection: Connection, _ request: Request) -> Response? {
        guard streams.settings.listeners > 0 else { return .text(404, "this server has no HLS streams (--hls 0)") }
        if request.path.hasSuffix(".m3u8"), HLSAddress.token(request) != nil {
            // Relative addresses in playlists keep a key in the path, but not a token after it.
            let path = HLSAddress.path(request.path, key: web.streamKey)
            return Response(status: 302, headers: [("location:", path)])
        }
        if let path = HLSAddress.numbered(request.path, streams.number) {
            return Response(status: 302, headers: [("location:", path), ("cache-control:", "no-store")])
        }
        guard let address = HLSAddress(request.path) else { return .text(404, "there is no such stream, segment or part") }
        switch address {
        case .access: return Response(status: 204, headers: [("cache-control:", "no-store")])
        case .address: return places(connection, request)
        case .index(let listener):
            guard streams.hasListener(listener) else { return Self.noListener }
            guard !streams.formats(listener).isEmpty else { return Self.noFormat }
            return Self.playlist(HLSPlaylist.multivariant(streams.formats(listener), bitrate: streams.settings.bitrate), age: 1)
        case .playlist(let listener, let format): return playlist(connection, request, address, listener, format)
        case .resource(let listener, let run, let format, let resource):
            guard let stream = streams[listener], stream.run == run, let rendition = stream.renditions[format] else {
                return Self.noSegment
            }
            if let bytes = rendition.bytes(resource) { return media(bytes, isHead: request.method == .head) }
            let next = rendition.next
            // Players request the part that the playlist announces before it exists.
            guard resource == .part(next.segment, next.part ?? 0) else { return Self.noSegment }
            return wait(connection, request, listener, address, next)
        }
    }

    private func playlist(
        _ connection: Connection, _ request: Request, _ address: HLSAddress, _ listener: Int, _ format: HLSFormat
    ) -> Response? {
        guard streams.hasListener(listener) else { return Self.noListener }
        guard !streams.formats(listener).isEmpty else { return Self.noFormat }
        guard streams.formats(listener).contains(format) else {
            return .text(404, "this format needs a sound device at \(Opus.rate) frames per second")
        }
        let position: HLSPosition?
        do throws(HLSPosition.Problem) {
            position = try .asked(segment: request.query("_HLS_msn"), part: request.query("_HLS_part"))
        } catch { return .text(400, error.text) }
        let begun: HLSStream?
        do throws(ThreadError) { begun = try streams.stream(listener) } catch {
            return .text(503, "listener \(listener) is not encoded: \(error)")
        }
        guard let stream = begun else {
            var response = Response.text(
                503, "\(streams.settings.listeners) listeners are encoded already; try again later, or start the server with a larger --hls"
            )
            response.headers.append(("retry-after:", "5"))
            return response
        }
        let tooFar = position.map { $0.segment > stream.present + 2 } ?? false
        guard !tooFar else { return .text(400, "_HLS_msn is too far ahead: segment \(stream.present) is being made") }
        guard let rendition = stream.renditions[format], rendition.has(position) else {
            return wait(connection, request, listener, address, position)
        }
        return ready(listener, format, position)
    }

    /// The playlist, which has the requested part.
    private func ready(_ listener: Int, _ format: HLSFormat, _ position: HLSPosition?) -> Response {
        guard let bytes = streams.playlist(listener, format) else { return Self.ended }
        guard let position else { return Self.playlist(bytes, age: 1) }
        // All numbers in the past have the same answer, and caches would keep a copy for each.
        let isPast = position.segment < (streams[listener]?.present ?? 0) - HLSRendition.listed
        return Self.playlist(bytes, age: isPast ? 0 : 12)
    }

    // MARK: Waiting

    private func wait(
        _ connection: Connection, _ request: Request, _ listener: Int, _ address: HLSAddress, _ position: HLSPosition?
    ) -> Response? {
        // Reserves slots so that one popular listener cannot use all of them.
        let own = waiting.values.count { $0.listener == listener }
        guard waiting.count < Self.mostWaiting, own < Self.mostWaiting - Self.reserve else {
            var response = Response.text(503, "\(waiting.count) requests wait for sound already; put a cache in front of this server")
            response.headers.append(("retry-after:", "1"))
            return response
        }
        waiting[connection] = Waiting(
            listener: listener, address: address, position: position, isHead: request.method == .head,
            headers: sharing.headers(request), since: rt_now())
        web.deadlines.noteProgress(connection)
        connection.pauseReading()
        return nil
    }

    private func change(_ listener: Int) {
        for (connection, request) in waiting where request.listener == listener {
            if let response = answer(request) { finish(connection, response) }
        }
    }

    /// The answer to a request that waits; nil while there is none.
    private func answer(_ request: Waiting) -> Response? {
        guard let stream = streams[request.listener] else { return Self.ended }
        switch request.address {
        case .playlist(let listener, let format):
            guard stream.renditions[format]?.has(request.position) == true else { return nil }
            return ready(listener, format, request.position)
        case .resource(_, _, let format, let resource):
            return stream.renditions[format]?.bytes(resource).map { media($0, isHead: request.isHead) }
        default: return Self.noSegment
        }
    }

    private func finish(_ connection: Connection, _ response: Response) {
        guard let request = waiting.removeValue(forKey: connection) else { return }
        var response = response
        response.headers += request.headers
        answers[connection] = response
        connection.resumeReading()
        connection.requestWriting()
    }

    package func take(_ connection: Connection) -> Response? { answers.removeValue(forKey: connection) }

    /// Ends requests that have waited too long, because no sound comes; called about once a second.
    package func check(now: UInt64) {
        streams.check(now: now)
        for (connection, request) in waiting where now > request.since + Self.longest * 1_000_000_000 { finish(connection, Self.ended) }
    }

    package func remove(_ connection: Connection) {
        waiting[connection] = nil
        answers[connection] = nil
    }

    // MARK: Answers

    private static let noListener = Response.text(404, "there is no such listener")
    private static let noFormat = Response.text(
        404, "HLS needs a sound device at \(HLSFormat.highestRate) frames per second or fewer")
    private static let noSegment = Response.text(404, "there is no such segment; it is older than the playlist, or not available yet")
    private static var ended: Response {
        var response = Response.text(503, "this stream has no sound at present")
        response.headers.append(("retry-after:", "1"))
        return response
    }

    /// - Parameter age: seconds for which caches may keep the playlist; 0 for not at all.
    private static func playlist(_ bytes: [UInt8], age: Int) -> Response {
        let caching = age > 0 ? "public, max-age=\(age)" : "no-store"
        return Response(
            status: 200, headers: [("content-type:", "application/vnd.apple.mpegurl"), ("cache-control:", caching)], body: .bytes(bytes))
    }

    private func media(_ bytes: [UInt8], isHead: Bool) -> Response {
        if !isHead { sent += bytes.count }
        return Response(
            status: 200, headers: [("content-type:", "audio/mp4"), ("cache-control:", "public, max-age=31536000, immutable")],
            body: .bytes(bytes))
    }

    // MARK: Addresses

    private struct Places: Encodable {
        /// Beginning of the addresses of streams.
        let path: String
        /// Listeners that can be encoded at once.
        let listeners: Int
        /// Bits per second.
        let bitrate: Int
        let playlist: String?
        let page: String?
        /// QR code of the page, one text per row, `1` for dark.
        let code: [String]?
    }

    /// The addresses of a stream, which carry a key where one is needed.
    private func places(_ connection: Connection, _ request: Request) -> Response {
        let prefix = web.streamKey.map { "/hls/key/\($0)" } ?? "/hls"
        let isSecure = request.referer?.hasPrefix("https:") == true
        let origin = web.address.origin(isSecure ? "https" : nil, host: request.host)
        let listener = request.query("listener").map { text in
            let number = AudioStreams.number(text)
            return number > 0 ? number : streams.number(text) ?? 0
        }
        let page = listener.map { "\(origin)/hls?listener=\($0)" + (web.streamKey.map { "#key=\($0)" } ?? "") }
        return .json(
            200,
            Places(
                path: prefix, listeners: streams.settings.listeners, bitrate: streams.settings.bitrate,
                playlist: listener.map { "\(origin)\(prefix)/listener/\($0)/index.m3u8" }, page: page,
                code: page.flatMap(QRCode.init)?.rows))
    }
}
