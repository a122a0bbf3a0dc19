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
