import Engine
import Foundation

/// A reader of WAV files that shares no code with the program.
enum FloatWave {
    /// Samples of a 32-bit float WAV file: frames by channels.
    static func read(_ path: String) throws -> [[Float]] {
        let data = [UInt8](try Data(contentsOf: URL(filePath: path)))
        func word(_ at: Int) -> Int { (0..<4).reduce(0) { $0 | Int(data[at + $1]) << (8 * $1) } }
        var (at, channels) = (12, 0)
        while at + 8 <= data.count {
            let (name, size) = (String(decoding: data[at..<at + 4], as: UTF8.self), word(at + 4))
            if name == "fmt " { channels = Int(data[at + 10]) }
            if name == "data" {
                let values = stride(from: at + 8, to: at + 8 + size, by: 4).map { Float(bitPattern: UInt32(word($0))) }
                return stride(from: 0, to: values.count, by: channels).map { Array(values[$0..<$0 + channels]) }
            }
            at += 8 + size + size % 2
        }
        throw RequestError("no data")
    }
}
