import Device
import FileOutput
import Files
import Foundation
import Trust

/// The file of measured output delays, which `vestibule measure --apply` stores and later runs on the same device use.
struct OutputDelayFile {
    struct Problem: Error, CustomStringConvertible {
        let description: String
    }

    private struct Contents: Codable {
        var version = 1
        var delays: [Entry]
    }

    private struct Entry: Codable {
        let device: String
        let rate, period, buffer: Int
        /// Mean time from the start of a block's rendering until its first frame leaves the converter.
        let milliseconds: Double
    }

    /// `$XDG_STATE_HOME/vestibule/output-delays.json`
    static var standardPath: String { UserFolder.state + "/output-delays.json" }

    let path: String

    init(_ path: String = standardPath) { self.path = path }

    /// - Throws: ``Problem`` when the file exists but has another format.
    func read() throws -> OutputDelays {
        var delays = OutputDelays()
        let text: String
        do { text = try RegularFile.text(path) } catch {
            guard error.isMissing else { throw problem(error.reason) }
            return delays
        }
        guard let contents = try? JSONDecoder().decode(Contents.self, from: Data(text.utf8)) else {
            throw problem("it is not a list of output delays")
        }
        guard contents.version == 1 else { throw problem("it was written by a newer version of this program") }
        for entry in contents.delays {
            guard let device = try? DeviceSpecification(entry.device),
                entry.rate > 0, entry.period > 0, entry.buffer > 0, (0...OutputDelays.longest).contains(entry.milliseconds)
            else {
                throw problem(
                    "the entry for \"\(entry.device)\" has a device that does not exist, a number of frames below 1, or a delay outside "
                        + "0 to \(OutputDelays.longest) ms")
            }
            delays[.init(device, rate: entry.rate, period: entry.period, buffer: entry.buffer)] = entry.milliseconds
        }
        return delays
    }

    /// Stores a delay beside those of other devices and settings.
    /// - Throws: ``Problem``, and `OutputError` when the file cannot be written.
    func set(_ milliseconds: Double, for key: OutputDelays.Key) throws {
        var delays = try read()
        delays[key] = milliseconds
        let entries = delays.milliseconds
            .map { key, value in
                Entry(
                    device: key.device.description, rate: key.rate, period: key.period, buffer: key.buffer,
                    milliseconds: (value * 1000).rounded() / 1000)
            }
            .sorted { ($0.device, $0.rate, $0.period, $0.buffer) < ($1.device, $1.rate, $1.period, $1.buffer) }
        let text = String(decoding: try JSONEncoder.file.encode(Contents(delays: entries)), as: UTF8.self) + "\n"
        try FileManager.default.createDirectory(
            atPath: URL(filePath: path).deletingLastPathComponent().path, withIntermediateDirectories: true)
        try OutputFile.write(text, to: path, existing: .replaced)
    }

    private func problem(_ reason: String) -> Problem {
        Problem(description: "\(path) cannot be used: \(reason). Correct it, or remove it and run `vestibule measure --apply` again.")
    }
}
