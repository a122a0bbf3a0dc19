import Engine
import Foundation

/// A reader of WAV files that shares no code with the program.
enum FloatWave {
    /// Samples of a 32-bit float WAV file: frames by channels.
    static func read(_ path: String) throws -> [[Float]] {
        try Data(contentsOf: URL(filePath: path)).withUnsafeBytes { data in
            func word(_ at: Int) -> Int { Int(UInt32(littleEndian: data.loadUnaligned(fromByteOffset: at, as: UInt32.self))) }
            var (at, channels) = (12, 0)
            while at + 8 <= data.count {
                let (name, size) = (String(decoding: data[at..<at + 4], as: UTF8.self), word(at + 4))
                if name == "fmt " { channels = Int(data[at + 10]) }
                if name == "data" {
                    // Copied at once: ThreadSanitizer makes each access take a hundred times as long.
                    var values = [Float](repeating: 0, count: size / 4)
                    values.withUnsafeMutableBytes {
                        $0.copyMemory(from: UnsafeRawBufferPointer(rebasing: data[at + 8..<at + 8 + size / 4 * 4]))
                    }
                    return stride(from: 0, to: values.count, by: channels).map { Array(values[$0..<$0 + channels]) }
                }
                at += 8 + size + size % 2
            }
            throw RequestError("no data")
        }
    }
}
