import DSP
import Files
import Foundation
import Media

/// `vestibule serve` in a separate process, with 16 microphones of noise, for benchmarks over the network.
final class ServedProgram {
    private let process = Process()
    private let folder: URL
    private(set) var httpPort = 0
    private(set) var oscPort = 0
    /// Time from the start of the process until the ready file appeared, in seconds.
    private(set) var secondsToSound = 0.0

    private struct Ready: Decodable {
        let http_port: Int
        let osc_port: Int
    }

    init(options: [String] = []) throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "vestibule-bench-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let recording = folder.appending(path: "noise.wav")
        let writer = try SoundWriter(path: recording.path, channels: 16, rate: 48_000)
        var random = SeededRandom(seed: 7)
        let noise = (0..<16 * 48_000).map { _ in Float(0.1 * random.white()) }
        for _ in 0..<4 { try writer.write(noise, frames: 48_000) }
        try writer.finish()
        let ready = folder.appending(path: "ready.json")
        process.executableURL = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
        process.arguments =
            ["serve", "--recording", recording.path, "--osc-port", "0", "--http-port", "0", "--ready-file", ready.path]
            // Neither recovers the unsaved changes of the user, nor leaves any.
            + ["--autosave", "0"] + options
        process.standardOutput = FileHandle.nullDevice
        let begin = Date()
        try process.run()
        while !FileManager.default.fileExists(atPath: ready.path) {
            guard process.isRunning, -begin.timeIntervalSinceNow < 20 else {
                throw MediaError("The benchmark's server did not start within 20 s. Run vestibule serve to see why.")
            }
            usleep(1000)
        }
        secondsToSound = -begin.timeIntervalSinceNow
        let ports = try JSONDecoder().decode(Ready.self, from: Data(RegularFile(ready.path).bytes(atMost: RegularFile.largestText)))
        (httpPort, oscPort) = (ports.http_port, ports.osc_port)
    }

    deinit {
        process.terminate()
        process.waitUntilExit()
        try? FileManager.default.removeItem(at: folder)
    }

    /// Returns the numeric values of one parameter.
    func numbers(_ address: String) -> [Double] {
        guard let client = LoopbackSocket(.tcp, port: httpPort) else { return [] }
        client.send("GET \(address)?VALUE HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n")
        let answer = client.receiveAll()
        guard let start = answer.range(of: "\r\n\r\n"), let open = answer[start.upperBound...].firstIndex(of: "["),
            let end = answer[open...].lastIndex(of: "]")
        else { return [] }
        return answer[answer.index(after: open)..<end].split(separator: ",").compactMap { Double($0) }
    }

    /// Number of OSC datagrams read by the program since its start.
    var datagrams: Int {
        guard let client = LoopbackSocket(.tcp, port: httpPort) else { return 0 }
        client.send("GET /metrics HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n")
        let line = client.receiveAll().split(separator: "\n").first { $0.hasPrefix("vestibule_osc_datagrams_total ") }
        return line?.split(separator: " ").last.flatMap { Int($0.trimmingCharacters(in: .whitespaces)) } ?? 0
    }

    /// Number of datagrams dropped by the kernel because the program's socket was full; -1 when unknown.
    var kernelDrops: Int {
        let table = (try? RegularFile.text("/proc/net/udp")) ?? ""
        let port = String(format: ":%04X", oscPort)
        let line = table.split(separator: "\n").first { $0.split(separator: " ").dropFirst().first?.hasSuffix(port) == true }
        return line?.split(separator: " ").last.flatMap { Int($0) } ?? -1
    }

    /// Processor time of the control thread, the process's first thread, in seconds.
    var controlSeconds: Double {
        let pid = process.processIdentifier
        let text = (try? RegularFile.text("/proc/\(pid)/task/\(pid)/schedstat")) ?? ""
        return (text.split(separator: " ").first.flatMap { Double($0) } ?? 0) / 1e9
    }
}

/// A client socket on this machine for benchmarks, closed on deinitialisation.
final class LoopbackSocket {
    let handle: Int32

    enum Kind { case tcp, udp }

    init?(_ kind: Kind, port: Int) {
        handle = socket(AF_INET, Int32(kind == .tcp ? SOCK_STREAM.rawValue : SOCK_DGRAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = UInt16(port).bigEndian
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        let result = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(handle, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        if result != 0 { return nil }
        var limit = timeval(tv_sec: 5, tv_usec: 0)
        setsockopt(handle, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    }

    deinit { close(handle) }

    func send(_ bytes: [UInt8]) { _ = Glibc.send(handle, bytes, bytes.count, Int32(MSG_NOSIGNAL)) }

    func send(_ text: String) { send(Array(text.utf8)) }

    /// Returns received data, at most 64 KiB; empty at the end of the connection.
    func receive(waiting: Bool = true) -> [UInt8] {
        var piece = [UInt8](repeating: 0, count: 65_536)
        let count = recv(handle, &piece, piece.count, waiting ? 0 : Int32(MSG_DONTWAIT))
        return Array(piece[..<max(0, count)])
    }

    /// Returns all data up to the end of the connection.
    func receiveAll() -> String {
        var all: [UInt8] = []
        while case let piece = receive(), !piece.isEmpty { all += piece }
        return String(decoding: all, as: UTF8.self)
    }

    /// Upgrades the connection to a WebSocket and reads the response.
    func upgrade(path: String, subprotocol: String? = nil) {
        let wanted = subprotocol.map { "Sec-WebSocket-Protocol: \($0)\r\n" } ?? ""
        send(
            "GET \(path) HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                + "Sec-WebSocket-Key: dmVzdGlidWxlIGJlbmNoIQ==\r\nSec-WebSocket-Version: 13\r\n\(wanted)\r\n")
        _ = receive()
    }

    /// Sends a masked text frame of at most 125 bytes; the mask is zero.
    func sendText(_ text: String) {
        send([0x81, 0x80 | UInt8(text.utf8.count), 0, 0, 0, 0] + Array(text.utf8))
    }
}
