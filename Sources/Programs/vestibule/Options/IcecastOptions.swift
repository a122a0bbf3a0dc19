import ArgumentParser
import Broadcast
import Foundation

/// The stream of a listener's sound to an Icecast server.
struct IcecastOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Mount point that gets a listener's sound as Opus: icecast://[user@]host[:port]/mount, or icecasts:// with TLS.",
            valueName: "url"))
    var icecast: String?

    @Option(name: .customLong("icecast-listener"), help: "Listener whose sound is sent, from 1 to --listeners (default: 1).")
    var icecastListener: Int?

    @Option(name: .customLong("icecast-bitrate"), help: "Bit rate of that stream, kbit/s from 32 to 320 (default: 160).")
    var icecastBitrate: Int?

    @Option(name: .customLong("icecast-name"), help: "Name of that stream in the server's list (default: Vestibule).")
    var icecastName: String?

    @Option(
        name: .customLong("icecast-password-file"),
        help: "File whose first line is the source's password (default: the environment variable VESTIBULE_ICECAST_PASSWORD).")
    var icecastPasswordFile: String?

    @Option(
        name: .customLong("icecast-ca"), help: "PEM file of the authority of the server's certificate (default: the system's authorities).")
    var icecastCA: String?

    func validate() throws {
        let isGiven = [icecastListener != nil, icecastBitrate != nil, icecastName != nil, icecastPasswordFile != nil, icecastCA != nil]
        guard icecast != nil || !isGiven.contains(true) else { throw ValidationError("Icecast options require --icecast.") }
        if let icecast {
            do { _ = try IcecastServer(icecast) } catch { throw ValidationError("--icecast: \(error)") }
        }
        if let icecastBitrate, !IcecastSettings.bitrates.contains(icecastBitrate) {
            throw ValidationError("--icecast-bitrate \(icecastBitrate): give kilobits per second from 32 to 320.")
        }
    }

    /// - Parameter listeners: number of listeners of the device.
    func check(listeners: Int) throws {
        guard let icecastListener, !(1...listeners).contains(icecastListener) else { return }
        throw ValidationError("--icecast-listener \(icecastListener): give a listener from 1 to \(listeners), the number in --listeners.")
    }

    /// Files that are read.
    var inputs: [String] { [icecastPasswordFile, icecastCA].compactMap(\.self) }

    /// - Returns: nil without a server.
    func settings() throws -> IcecastSettings? {
        guard let icecast else { return nil }
        return try IcecastSettings(
            server: IcecastServer(icecast), listener: icecastListener ?? 1,
            bitrate: icecastBitrate ?? IcecastSettings.standardBitrate, name: icecastName ?? "Vestibule",
            authorities: icecastCA, passwordFile: icecastPasswordFile,
            password: ProcessInfo.processInfo.environment["VESTIBULE_ICECAST_PASSWORD"])
    }
}
