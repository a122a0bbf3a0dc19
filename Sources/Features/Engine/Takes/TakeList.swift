import FileOutput
import Files
import Foundation
import Media
import Synchronization

/// The list of takes as clients get it, in JSON.
package struct TakeList: Encodable, Sendable {
    package struct Entry: Encodable, Sendable {
        package var name: String
        /// `recording`, `complete`, `stopped`, or `interrupted` if the program ended unexpectedly during the take.
        package var state: String
        package var reason: String?
        package var date: String
        /// Length in seconds.
        package var seconds: Double
        /// Seconds before the start of the take, which had been kept in memory.
        package var lead: Double
        /// Seconds of silence in place of lost sound.
        package var lost: Double
        package var gaps: [Gap]
        /// Bytes of all files.
        package var size: Int64
        package var files: [File]
        package var overview: [Int]
    }

    /// Silence instead of lost sound in one file, in seconds.
    package struct Gap: Encodable, Sendable {
        package var file: String
        package var at: Double
        package var seconds: Double
    }

    package struct File: Encodable, Sendable {
        package var name: String
        /// Bytes.
        package var size: Int64
        /// `ears`, `array`, `input` or `processed-input`; nil for files without sound.
        package var source: String?
        /// Number of the listener, from 1.
        package var listener: Int?
        package var channels: Int?
    }

    package var takes: [Entry]
    /// Number of takes in the folder, listed or not.
    package var total: Int

    /// Reads the takes of a folder; those whose description cannot be read are left out.
    /// - Parameters:
    ///   - current: name of the take that is being recorded.
    ///   - most: takes that are listed, the latest ones; nil for all.
    ///   - outlines: outlines of interrupted takes; nil to omit them.
    package init(_ folder: TakeFolder, current: String?, most: Int? = nil, outlines: TakeOutlines? = nil) {
        let names = folder.names
        total = names.count
        takes = names.prefix(most ?? names.count).compactMap { name in
            let path = folder.path + "/" + name
            guard let record = try? TakeRecord.read(path) else { return nil }
            return Entry(path, name: name, record, isCurrent: name == current, outlines)
        }
    }

    package var bytes: [UInt8] {
        return [UInt8]((try? JSONEncoder.wire.encode(self)) ?? Data())
    }
}

extension TakeList.Entry {
    fileprivate init(_ path: String, name: String, _ record: TakeRecord, isCurrent: Bool, _ outlines: TakeOutlines?) {
        let rate = Double(record.rate)
        let names = FilePlace.names(in: path).filter { !$0.hasPrefix(".") }.sorted()
        (self.name, state, reason, date) = (FilePlace.composed(name), record.state.rawValue, record.reason, record.date)
        if record.state == .recording, !isCurrent { state = "interrupted" }
        seconds = Double(record.frames ?? Self.frames(path, record)) / rate
        lead = Double(record.start) / rate
        lost = Double(record.lost) / rate
        gaps = record.files.flatMap { file in
            file.gaps.map { TakeList.Gap(file: file.file, at: Double($0.frame) / rate, seconds: Double($0.frames) / rate) }
        }
        files = names.map { name in
            let sound = record.files.first { $0.file == name }
            return TakeList.File(
                name: name, size: Self.size(path + "/" + name), source: sound?.source, listener: sound?.listener,
                channels: sound?.channels)
        }
        size = files.reduce(0) { $0 + $1.size }
        overview = record.overview
        if state == "interrupted", overview.isEmpty, let outlines, let first = record.files.first {
            overview = outlines.outline(path + "/" + first.file, frames: Int64(clamping: seconds * rate))
        }
    }

    private static func size(_ path: String) -> Int64 {
        ((try? FileManager.default.attributesOfItem(atPath: path))?[.size] as? NSNumber)?.int64Value ?? 0
    }

    /// Frames in the shortest file of a take without an end.
    private static func frames(_ folder: String, _ record: TakeRecord) -> Int64 {
        record.files.map { Int64((try? SoundFacts(path: folder + "/" + $0.file))?.frames ?? 0) }.min() ?? 0
    }
}

/// Outlines of takes that were interrupted before their outline was written. Each file is read once.
package final class TakeOutlines: Sendable {
    private struct Key: Hashable {
        var path: String
        var frames: Int64
    }

    private let known = Mutex<[Key: [Int]]>([:])

    package init() {}

    /// The outline of a sound file, in thousandths of full scale; empty for one that cannot be read.
    /// - Parameter frames: its length, which distinguishes a file from another one with the same name.
    func outline(_ path: String, frames: Int64) -> [Int] {
        let key = Key(path: path, frames: frames)
        if let outline = known.withLock({ $0[key] }) { return outline }
        var overview = TakeOverview()
        try? SoundPieces.read(path: path) { overview.add($0, frames: $1, channels: $2) }
        let outline = overview.thousandths
        known.withLock { $0[key] = outline }
        return outline
    }
}
