import Foundation
import Media

/// This program's own `serve` in a process of its own, with 16 microphones of noise, for benchmarks from outside.
final class ServedProgram {
    private let process = Process()
    private let folder: URL
    private(set) var httpPort = 0
    private(set) var oscPort = 0
    /// From the start of the process to the moment the ready file was seen, seconds.
    private(set) var secondsToSound = 0.0

    private struct Ready: Decodable {
        let http_port: Int
        let osc_port: Int
    }

    init(options: [String] = []) throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "vestibule-bench-\(getpid())-\(UInt32.random(in: 0 ... .max))")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let recording = folder.appending(path: "noise.wav")
        let writer = try SoundWriter(path: recording.path, channels: 16, rate: 48_000)
        let noise = (0..<16 * 48_000).map { _ in Float.random(in: -0.1...0.1) }
        for _ in 0..<4 { try writer.write(noise, frames: 48_000) }
        try writer.finish()
        let ready = folder.appending(path: "ready.json")
        process.executableURL = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
        process.arguments =
            ["serve", "--recording", recording.path, "--osc-port", "0", "--http-port", "0", "--ready-file", ready.path]
            + options
        process.standardOutput = FileHandle.nullDevice
        let begin = Date()
        try process.run()
        while !FileManager.default.fileExists(atPath: ready.path) {
            guard process.isRunning, -begin.timeIntervalSinceNow < 20 else { throw MediaError("the server did not start") }
            usleep(1000)
        }
        secondsToSound = -begin.timeIntervalSinceNow
        let ports = try JSONDecoder().decode(Ready.self, from: Data(contentsOf: ready))
        (httpPort, oscPort) = (ports.http_port, ports.osc_port)
    }

    deinit {
        process.terminate()
        process.waitUntilExit()
        try? FileManager.default.removeItem(at: folder)
    }

    /// The numbers of one parameter.
    func numbers(_ address: String) -> [Double] {
        guard let client = LoopbackSocket(.tcp, port: httpPort) else { return [] }
        client.send("GET \(address)?VALUE HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n")
        let answer = client.receiveAll()
        guard let start = answer.range(of: "\r\n\r\n"), let open = answer[start.upperBound...].firstIndex(of: "["),
            let end = answer[open...].lastIndex(of: "]")
        else { return [] }
        return answer[answer.index(after: open)..<end].split(separator: ",").compactMap { Double($0) }
    }

    /// OSC datagrams that the program has read since its start.
    var datagrams: Int {
        guard let client = LoopbackSocket(.tcp, port: httpPort) else { return 0 }
        client.send("GET /metrics HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n")
        let line = client.receiveAll().split(separator: "\n").first { $0.hasPrefix("vestibule_osc_datagrams_total ") }
        return line?.split(separator: " ").last.flatMap { Int($0.trimmingCharacters(in: .whitespaces)) } ?? 0
    }

    /// Datagrams that the kernel threw away because the program's socket was full; -1 when it does not say.
    var kernelDrops: Int {
        let table = (try? String(contentsOfFile: "/proc/net/udp", encoding: .utf8)) ?? ""
        let port = String(format: ":%04X", oscPort)
        let line = table.split(separator: "\n").first { $0.split(separator: " ").dropFirst().first?.hasSuffix(port) == true }
        return line?.split(separator: " ").last.flatMap { Int($0) } ?? -1
    }

    /// Seconds of processor time the control thread has used; it is the process's first thread.
    var controlSeconds: Double {
        let pid = process.processIdentifier
        let text = (try? String(contentsOfFile: "/proc/\(pid)/task/\(pid)/schedstat", encoding: .utf8)) ?? ""
        return (text.split(separator: " ").first.flatMap { Double($0) } ?? 0) / 1e9
    }
}
