import FileOutput
import Foundation
import Media

/// The list of takes as clients get it, in JSON.
package struct TakeList: Encodable, Sendable {
    package struct Entry: Encodable, Sendable {
        package var name: String
        /// `recording`, `complete`, `stopped`, or `interrupted` where the program did not come to its end.
        package var state: String
        package var reason: String?
        package var date: String
        /// Length in seconds.
        package var seconds: Double
        /// Seconds of silence in place of sound that was lost.
        package var lost: Double
        /// Bytes of all files.
        package var size: Int64
        package var files: [String]
        package var overview: [Int]
    }

    package var takes: [Entry]

    /// Reads the takes of a folder; those whose description cannot be read are left out.
    /// - Parameter current: name of the take that is being recorded.
    package init(_ folder: TakeFolder, current: String?) {
        takes = folder.names.compactMap { name in
            let path = folder.path + "/" + name
            guard let record = try? TakeRecord.read(path) else { return nil }
            let files = FilePlace.names(in: path).filter { !$0.hasPrefix(".") }.sorted()
            let size = files.reduce(Int64(0)) { $0 + Self.size(path + "/" + $1) }
            let isOpen = record.state == .recording
            return Entry(
                name: name, state: isOpen && name != current ? "interrupted" : record.state.rawValue, reason: record.reason,
                date: record.date, seconds: Double(record.frames ?? Self.frames(path, record)) / Double(record.rate),
                lost: Double(record.lost) / Double(record.rate), size: size, files: files, overview: record.overview)
        }
    }

    private static func size(_ path: String) -> Int64 {
        ((try? FileManager.default.attributesOfItem(atPath: path))?[.size] as? NSNumber)?.int64Value ?? 0
    }

    /// Frames in the shortest file of a take without an end.
    private static func frames(_ folder: String, _ record: TakeRecord) -> Int64 {
        record.files.map { Int64((try? SoundFacts(path: folder + "/" + $0.file))?.frames ?? 0) }.min() ?? 0
    }

    package var bytes: [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return [UInt8]((try? encoder.encode(self)) ?? Data())
    }
}
