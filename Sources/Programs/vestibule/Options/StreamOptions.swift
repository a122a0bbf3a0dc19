import ArgumentParser
import Broadcast
import Engine
import Parameters
import Web

/// Compressed streams for clients of `/audio/N`.
struct StreamOptions: ParsableArguments {
    @Option(name: .customLong("stream-bitrate"), help: "Bit rate of Opus streams, kbit/s from 32 to 256 (default: 128).")
    var bitrate: Float?

    @Option(name: .customLong("stream-lowest"), help: "Lowest bit rate of streams on a slow network, kbit/s (default: 32).")
    var lowest: Float?

    @Option(name: .customLong("stream-packet"), help: "Length of packets: 5, 10 or 20 milliseconds (default: 10).")
    var packet: Int?

    @Option(name: .customLong("stream-longest"), help: "Greatest length of packets on a slow network, milliseconds (default: 20).")
    var longest: Int?

    @Flag(name: .customLong("stream-fixed"), help: "Keep the bit rate and packet length of streams instead of adapting to the network.")
    var fixed = false

    @Option(
        name: .customLong("stream-group"),
        help: "Common delay of all browsers after the engine, up to 1000 milliseconds (default: 0, each as early as possible).")
    var group: Float?

    @Option(name: .customLong("hls"), help: "Number of listeners that can be encoded for HLS at the same time; 0 turns HLS off.")
    var hls = HLSSettings().listeners

    @Option(name: .customLong("hls-bitrate"), help: "Bit rate of HLS streams, kbit/s from 64 to 320.")
    var hlsBitrate = HLSSettings().bitrate / 1000

    @Option(
        name: .customLong("hls-origin"),
        help: ArgumentHelp(
            "Origin of another server's page that may play HLS streams, such as https://museum.example; * for all. May be repeated.",
            valueName: "origin"))
    var hlsOrigins: [String] = []

    var hlsSettings: HLSSettings {
        var settings = HLSSettings()
        (settings.listeners, settings.bitrate, settings.origins) = (hls, 1000 * hlsBitrate, hlsOrigins)
        return settings
    }

    /// The parameters that were given.
    var settings: [StartState.Setting<StreamParameter>] {
        var settings: [StartState.Setting<StreamParameter>] = []
        if let bitrate { settings.append((.bitrate, .float(bitrate))) }
        if let lowest { settings.append((.lowestBitrate, .float(lowest))) }
        if let packet { settings.append((.packet, .string("\(packet) ms"))) }
        if let longest { settings.append((.longestPacket, .string("\(longest) ms"))) }
        if fixed { settings.append((.adapt, .float(0))) }
        if let group { settings.append((.group, .float(group))) }
        return settings
    }

    func validate() throws {
        for (name, rate) in [("bitrate", bitrate), ("lowest", lowest)] {
            if let rate, !StreamParameter.bitrates.contains(rate) {
                throw ValidationError("--stream-\(name) \(rate): give kilobits per second from 32 to 256.")
            }
        }
        for (name, length) in [("packet", packet), ("longest", longest)] {
            if let length, !StreamParameter.lengths.contains(length) {
                throw ValidationError("--stream-\(name) \(length): give 5, 10 or 20 milliseconds.")
            }
        }
        guard (0...HLSSettings.mostListeners).contains(hls) else {
            throw ValidationError("--hls \(hls): give a number of listeners from 0 to \(HLSSettings.mostListeners).")
        }
        guard (0...1000).contains(hlsBitrate), HLSSettings.bitrates.contains(1000 * hlsBitrate) else {
            throw ValidationError("--hls-bitrate \(hlsBitrate): give kilobits per second from 64 to 320.")
        }
        for origin in hlsOrigins where !HLSSettings.isOrigin(origin) {
            throw ValidationError(
                "--hls-origin \(origin): give http:// or https://, a host name in lower case, a port if it is not the usual one, and no path, "
                    + "such as https://museum.example; or * for all.")
        }
        if let group, !(0...1000).contains(group) {
            throw ValidationError("--stream-group \(group): give milliseconds from 0 to 1000.")
        }
    }
}
