import FileOutput
import Files
import Foundation

/// The description of a take in its file `take.json`.
package struct TakeRecord: Codable, Sendable, Equatable {
    /// Frames of silence in place of lost sound.
    package struct Gap: Codable, Sendable, Equatable {
        package var frame: Int64
        package var frames: Int64
    }

    package struct File: Codable, Sendable, Equatable {
        package var file: String
        /// `ears`, `array`, `input` or `processed-input`.
        package var source: String
        /// Number of the listener, from 1; nil for other sources.
        package var listener: Int?
        package var channels: Int
        package var gaps: [Gap] = []
        /// Gaps that were joined with the one before them because there were too many, so that ``gaps`` cover sound as well; nil for none.
        package var joined: Int?
        /// Frames missing in the file, where gaps were joined.
        package var lostFrames: Int64?

        /// Frames missing in the file.
        package var lost: Int64 { lostFrames ?? gaps.reduce(0) { $0 + $1.frames } }
    }

    /// Maximum number of gaps in all files together; beyond that, each file joins neighbouring gaps.
    package static let mostGaps = 1 << 15
    /// Maximum number of gaps in one file.
    package static let mostGapsInFile = 4096

    package enum State: String, Codable, Sendable {
        case recording, complete, stopped
    }

    package static let fileName = "take.json"
    package static let version = 1

    package var version = TakeRecord.version
    package var state = State.recording
    /// Reason why the take was stopped before its end.
    package var reason: String?
    /// Date and time at which the take was started.
    package var date: String
    /// The client that started it.
    package var client: String?
    /// Frames per second.
    package var rate: Int
    /// Frames per block.
    package var period: Int
    /// Sample of the engine that is the first frame of every file.
    package var sample: Int64
    /// Frame at which the take was started; those before were kept in memory.
    package var start: Int64
    /// Frames in every file; nil until the take is complete.
    package var frames: Int64?
    /// Whether the limiter that protects hearing was active.
    package var isProtected: Bool
    package var listeners: Int
    package var objects: Int
    /// Paths of the sound files of objects at the start, by the names that the session has; nil for none.
    package var sounds: [String: String]?
    package var files: [File]
    /// Steps of heads and objects that are not in the files of motion because the disk was slow; nil for none.
    package var motionLost: Int?
    /// Largest magnitudes of the first file in equal parts, in thousandths of full scale.
    package var overview: [Int] = []

    /// Maximum number of frames missing in a file.
    package var lost: Int64 { files.map(\.lost).max() ?? 0 }

    package static func read(_ folder: String) throws -> TakeRecord {
        let path = folder + "/" + fileName
        let record: TakeRecord
        do {
            record = try JSONDecoder().decode(TakeRecord.self, from: Data(try RegularFile(path).bytes(atMost: RegularFile.largestText)))
        } catch let error as FileError {
            throw RequestError("\(folder) is not a take: \(fileName) cannot be read: \(error.reason)")
        } catch {
            throw RequestError("\(path) cannot be understood (\(error.localizedDescription)); it may be damaged")
        }
        guard record.isPlausible else { throw RequestError("\(path) has numbers or names that no take has; it may be damaged") }
        return record
    }

    /// Whether all numbers are in the ranges of takes, and all files in the take's folder.
    private var isPlausible: Bool {
        let counts = 0...Int64(1) << 50
        return (1...1_000_000).contains(rate) && (1...1_000_000).contains(period) && counts.contains(sample) && counts.contains(start)
            && counts.contains(frames ?? 0) && (0...4096).contains(listeners) && (0...65_536).contains(objects) && files.count <= 65_536
            && (motionLost ?? 0) >= 0
            && files.allSatisfy { file in
                AcceptedFiles.problem(part: file.file) == nil && (1...1024).contains(file.channels)
                    && (1...65_536).contains(file.listener ?? 1) && file.gaps.count <= 1 << 13 && (file.joined ?? 0) >= 0
                    && counts.contains(file.lostFrames ?? 0)
                    && file.gaps.allSatisfy { counts.contains($0.frame) && counts.contains($0.frames) }
            }
    }

    func write(_ folder: String) throws {
        let bytes = [UInt8](try JSONEncoder.file.encode(self))
        guard isPlausible, bytes.count < RegularFile.largestText else {
            throw RequestError(
                "\(folder)/\(Self.fileName) is not written, because it could not be read again: it exceeds the limits of a take")
        }
        try OutputFile.write(bytes + [UInt8(ascii: "\n")], to: folder + "/" + Self.fileName, existing: .replaced, isSynced: true)
    }
}
