import Foundation
import Media
import TestSupport

/// A test's folder, removed together with this value.
final class TestFolder {
    static let presets = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().appending(path: "presets").path

    private let folder = TemporaryFolder()

    func path(_ name: String) -> String { folder.path(name) }

    /// Writes two seconds of a ring of eight microphones, one with a tone of 750 Hz at -9 dB, the others silent.
    /// - Parameter microphone: index clockwise from the front, from 0: 6 is at the left ear, 2 at the right one.
    func recording(_ name: String = "recording.wav", microphone: Int = 6) throws -> String {
        try write(name, channels: 8) { frame, channel in channel == microphone ? Self.tone(frame) : 0 }
    }

    /// Writes two seconds of the same tone in one channel.
    func sound(_ name: String) throws -> String {
        try FileManager.default.createDirectory(atPath: path("sounds"), withIntermediateDirectories: true)
        return try write("sounds/" + name, channels: 1) { frame, _ in Self.tone(frame) }
    }

    /// The right channel is 20 dB quieter than the left one.
    func stereoSound(_ name: String) throws -> String {
        try FileManager.default.createDirectory(atPath: path("sounds"), withIntermediateDirectories: true)
        return try write("sounds/" + name, channels: 2) { frame, channel in Self.tone(frame) * (channel == 0 ? 1 : 0.1) }
    }

    private static func tone(_ frame: Int) -> Float { 0.5 * sinf(2 * .pi * Float(frame % 64) / 64) }

    /// Writes a sound file, two seconds long unless another length is given.
    /// - Parameter sample: receives a frame and a channel, both from 0.
    func write(_ name: String, channels: Int, frames: Int = 2 * 48_000, _ sample: (Int, Int) -> Float) throws -> String {
        var samples: [Float] = []
        samples.reserveCapacity(frames * channels)
        for frame in 0..<frames { for channel in 0..<channels { samples.append(sample(frame, channel)) } }
        let writer = try SoundWriter(path: path(name), channels: channels, rate: 48_000)
        try writer.write(samples, frames: frames)
        try writer.finish()
        return path(name)
    }
}
