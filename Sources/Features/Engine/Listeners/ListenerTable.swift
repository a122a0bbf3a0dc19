import CRealtime
import Files
import Foundation
import Hub
import Parameters

/// A page of the table of listeners: the heads in the scene, and where each is heard.
package struct ListenerTable: Encodable {
    /// One listener. Latency is nil without poses.
    struct Row: Encodable {
        var number: Int
        var name: String
        /// Whether it is rendered on the audio thread, for the sound device.
        var isWired: Bool
        /// Channels of the sound device; nil for listeners that are not played there.
        var channels: String?
        /// Clients that listen; nil for listeners of the device.
        var clients: Int?
        /// Whether its client is connected, even if it does not listen at the moment; nil for listeners of the device.
        var isHeld: Bool?
        /// Seconds until a listener whose client has gone is removed; nil when it stays.
        var seconds: Double?
        var isMuted: Bool
        /// Group of listeners that play together, from 1; 0 for none.
        var group: Int
        /// Client that listens; nil if no client has described itself.
        var client: Client?
        /// Stream to the client; nil without a client that reports measurements.
        var stream: Stream?
        /// Yaw, pitch and roll, degrees.
        var pose: [Float]
        /// Yaw that counts as straight ahead, degrees.
        var front: Float
        /// Metres to the front, to the left and up from the world's origin.
        var place: [Float]
        var method: String
        /// RMS of both ears, linear.
        var rms: [Float]
        /// Median time from motion to sound, milliseconds.
        var motionToSound: Float?
        /// Poses per second.
        var poses: Float
    }

    /// State of a client, as it reports it.
    struct Client: Encodable {
        var name: String
        /// The same as ``name``, under the key that was used until release 0.2.
        var device: String
        var mode: String
        /// Per cent; nil when it is not known.
        var battery: Int?
        var isCharging: Bool
        /// Milliseconds to the ear.
        var delay: Float
    }

    /// State of a stream, as both ends have measured it; bit rate in kilobits per second, times in milliseconds.
    struct Stream: Encodable {
        var format: String
        var bitrate: Float
        var packet: Float
        var roundTrip: Float
        var buffer: Float
        var late: Int
        var lost: Int
        var leftOut: Int
        /// Seconds.
        var concealed: Float
    }

    /// Maximum number of rows on a page.
    package static let most = 200

    /// Origin of the output times in `motionToSound`: exact, reported or calibrated.
    private let outputTimes: String
    /// Number of listeners.
    private let total: Int
    /// Number of listeners that the search has found.
    private let matching: Int
    /// Place of the first row among those, from 0.
    private let from: Int
    private let listeners: [Row]

    /// - Parameters:
    ///   - rows: of all listeners.
    ///   - outputTimes: origin of the times at which sound is output.
    ///   - search: words to search for in number, name, method and connection, ignoring case.
    init(_ rows: some Sequence<Row>, outputTimes: String, from: Int, count: Int, search: String) {
        self.outputTimes = outputTimes
        let words = search.lowercased().split(separator: " ")
        var total = 0
        let found = rows.filter { row in
            total += 1
            return words.allSatisfy { word in row.texts.contains { $0.lowercased().contains(word) } }
        }
        self.total = total
        matching = found.count
        self.from = min(max(from, 0), found.count)
        listeners = Array(found.dropFirst(self.from).prefix(min(max(count, 0), Self.most)))
    }

    package var bytes: [UInt8] {
        return [UInt8]((try? JSONEncoder.wire.encode(self)) ?? Data())
    }
}

extension ListenerTable.Row {
    /// The texts that a search looks through.
    fileprivate var texts: [String] {
        // A page that plays a recording instead of the engine's sound counts as listening.
        let isListening = clients ?? 0 > 0 || (isHeld == true && client?.mode == ListenerClient.Mode.offline.rawValue)
        let connection =
            if isWired { channels.map { "device \($0)" } ?? "device" } else if isListening { "listening" } else if isHeld == true {
                "connected"
            } else if seconds != nil { "kept" } else { "added" }
        return ["\(number)", name, method, connection, client?.name ?? "", client?.mode ?? "", group > 0 ? "group \(group)" : ""]
    }
}

extension Engine {
    /// A page of the table of listeners, as JSON.
    package func listenerTable(from: Int, count: Int, search: String) -> [UInt8] {
        let now = rt_now()
        let isPresent = hub.tree.isPresent
        let rows = isPresent.indices.lazy.filter { isPresent[$0] }.map { [self] in row($0, now: now) }
        let source = Int(clamping: hub.value(tree.index(LatencyParameter.source)).numbers[0])
        return ListenerTable(rows, outputTimes: LatencyParameter.sources[source], from: from, count: count, search: search).bytes
    }

    private func row(_ index: Int, now: UInt64) -> ListenerTable.Row {
        func value(_ parameter: ListenerParameter) -> ParameterValue { hub.value(tree.index(parameter, index)) }
        let latency = telemetry.latency(ofListener: index)
        let delay = latency.stages[.motionToSound]?.first ?? 0
        let isWired = index < tree.wired
        let method = tree.nodes[tree.index(ListenerParameter.method, index)]
        let word = if case .string(let name) = method.spec.arguments(hub.value(method.index)).first { name } else { "" }
        let channels = value(.output).text ?? ""
        let network = isWired ? nil : listeners.network.connection(index, now: now)
        return ListenerTable.Row(
            number: index + 1, name: value(.name).text ?? "", isWired: isWired, channels: channels.isEmpty ? nil : channels,
            clients: network?.clients, isHeld: isWired ? nil : listeners.network.isHeld(index), seconds: network?.seconds,
            isMuted: value(.mute).numbers[0] != 0,
            group: Int(clamping: value(.group).numbers[0]), client: client(index), stream: stream(index), pose: value(.ypr).numbers,
            front: value(.front).numbers[0], place: value(.xyz).numbers, method: word,
            rms: hub.value(tree.index(ListenerMeter.rms, index)).numbers, motionToSound: delay > 0 ? delay : nil,
            poses: latency.rate)
    }

    private func client(_ index: Int) -> ListenerTable.Client? {
        func value(_ parameter: ListenerClient) -> ParameterValue { hub.value(tree.index(parameter, index)) }
        let (name, mode) = (value(.name).text ?? "", ListenerClient.Mode(number: value(.mode).numbers[0]) ?? ListenerClient.Mode.none)
        guard !name.isEmpty || mode != .none else { return nil }
        let battery = Int(clamping: value(.battery).numbers[0])
        return ListenerTable.Client(
            name: name, device: name, mode: mode.rawValue, battery: battery < 0 ? nil : battery,
            isCharging: value(.charging).numbers[0] != 0, delay: value(.delay).numbers[0])
    }

    private func stream(_ index: Int) -> ListenerTable.Stream? {
        func value(_ parameter: ListenerStream) -> ParameterValue { hub.value(tree.index(parameter, index)) }
        func number(_ parameter: ListenerStream) -> Float { value(parameter).numbers[0] }
        func count(_ parameter: ListenerStream) -> Int { Int(clamping: number(parameter)) }
        guard let format = value(.format).text, !format.isEmpty else { return nil }
        return ListenerTable.Stream(
            format: format, bitrate: number(.bitrate), packet: number(.packet), roundTrip: number(.roundTrip), buffer: number(.buffer),
            late: count(.late), lost: count(.lost), leftOut: count(.leftOut), concealed: number(.concealed))
    }
}
