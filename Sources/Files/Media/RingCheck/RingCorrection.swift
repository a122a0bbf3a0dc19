public import FileOutput
internal import Foundation

/// Recordings with their channels in another order and polarity, or of mono files.
public enum RingCorrection {
    private static let piece = 8192

    /// Writes a copy of a recording.
    ///
    /// - Parameter path: of the recording, which is not changed.
    /// - Returns: false when `progress` returned false.
    public static func write(
        _ finding: RingFinding, of path: String, to output: OutputFile, progress: (Double) -> Bool
    ) throws(MediaError) -> Bool {
        var reader = try RecordingReader(path: path)
        let order = (finding.channels ?? Array(1...reader.channels)).map { $0 - 1 }
        return try write(&reader, to: output, order: order, inverted: Set(finding.inverted.map { $0 - 1 }), progress: progress)
    }

    /// Writes mono files as one recording, in this order.
    /// - Returns: false when `progress` returned false.
    public static func join(_ paths: [String], to output: OutputFile, progress: (Double) -> Bool) throws(MediaError) -> Bool {
        var reader = try RecordingReader(files: paths)
        return try write(&reader, to: output, order: Array(paths.indices), inverted: [], progress: progress)
    }

    /// - Parameters:
    ///   - order: the channel at each place of the copy.
    ///   - inverted: channels of the recording.
    private static func write(
        _ reader: inout RecordingReader, to output: OutputFile, order: [Int], inverted: Set<Int>, progress: (Double) -> Bool
    ) throws(MediaError) -> Bool {
        let count = reader.channels
        let signs = (0..<count).map { Float(inverted.contains($0) ? -1 : 1) }
        let writer = try SoundWriter(output, channels: count, rate: Int(clamping: reader.rate.rounded()))
        let read = UnsafeMutablePointer<Float>.allocate(capacity: piece * count)
        let written = UnsafeMutablePointer<Float>.allocate(capacity: piece * count)
        defer {
            read.deallocate()
            written.deallocate()
        }
        while reader.position < reader.frames {
            guard progress(Double(reader.position) / Double(reader.frames)) else { return false }
            let frames = try reader.read(into: read, frames: piece)
            for frame in 0..<frames {
                for (place, channel) in order.enumerated() {
                    written[frame * count + place] = signs[channel] * read[frame * count + channel]
                }
            }
            try writer.write(written, frames: frames)
        }
        try writer.finish()
        return true
    }
}
