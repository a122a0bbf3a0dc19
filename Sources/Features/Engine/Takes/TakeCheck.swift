import Binaural
import FileOutput
import Foundation
import Media
import Parameters
import Pose
import Session

/// Comparison of the files of a take with each other and with `take.json`.
package struct TakeCheck: Sendable {
    package let path: String
    /// Length in seconds of the shortest sound file.
    package private(set) var seconds = 0.0
    /// All defects of the take, one sentence each; empty when it is complete.
    package private(set) var faults: [String] = []

    /// Opens and reads the files of a take; none is changed.
    package init(_ path: String) {
        self.path = path
        do {
            let record = try TakeRecord.read(path)
            checkSounds(record)
            checkEnd(record)
            checkMotion(record)
            checkSession(record)
        } catch {
            faults.append("\(error)")
        }
    }

    // MARK: Sound

    private mutating func checkSounds(_ record: TakeRecord) {
        let frames = record.files.map { checkSound($0, record) }
        let least = frames.min() ?? 0
        seconds = Double(least) / Double(record.rate)
        let whole = record.frames ?? frames.max() ?? 0
        for (file, frames) in zip(record.files, frames) where frames > 0 && frames != whole {
            let longer = record.frames == nil ? "the longest file has" : "take.json says"
            faults.append(
                "\(file.file) has \(time(frames, record)), but \(longer) \(time(whole, record)): "
                    + (frames < whole ? "its last \(time(whole - frames, record)) are missing" : "it was changed after the take"))
        }
    }

    /// - Returns: its frames; 0 for a file that cannot be read.
    private mutating func checkSound(_ file: TakeRecord.File, _ record: TakeRecord) -> Int64 {
        let path = self.path + "/" + file.file
        var frames: Int64 = 0
        attempt { check throws in
            let facts = try SoundFacts(path: path)
            frames = Int64(facts.frames)
            check.faults += facts.warnings
            for (word, found, told) in [("channels", facts.channels, file.channels), ("frames per second", facts.rate, record.rate)]
            where found != told {
                check.faults.append("\(file.file) has \(found) \(word), but take.json says \(told): it is not the file of this take")
            }
            if file.source == "array" { _ = try RecordingReader(path: path) }
        }
        if let joined = file.joined {
            faults.append(
                "\(file.file) lacks \(time(file.lost, record)) in more gaps than take.json can list: \(counted(joined, "gap")) are merged "
                    + "with adjacent gaps, including the sound between them")
        }
        for gap in file.gaps {
            faults.append(
                "\(file.file) is silent for \(time(gap.frames, record)) from \(time(gap.frame, record)) on: this sound was lost, because "
                    + "the disk was slow or the source was silent")
        }
        return frames
    }

    private mutating func checkEnd(_ record: TakeRecord) {
        switch record.state {
        case .complete: break
        case .stopped: faults.append("the take ended early: \(record.reason ?? "take.json does not say why")")
        case .recording:
            faults.append(
                "the take has no end: it is being recorded now, or the program was interrupted; all sound files have the first "
                    + String(format: "%.3f s", seconds))
        }
    }

    // MARK: Other files

    private mutating func checkMotion(_ record: TakeRecord) {
        if let lost = record.motionLost {
            faults.append(
                "\(counted(lost, "step")) of heads and objects were lost, because the disk was slow: the files of motion are incomplete")
        }
        let network = record.files.compactMap { $0.listener.map { $0 - 1 } }.filter { $0 >= record.listeners }
        for listener in Array(0..<max(0, record.listeners)) + network {
            checkLines(TakeMotionFiles.name(listener: listener)) { _ = try RecordedHead(csv: $1, name: $0) }
        }
        guard record.objects > 0, isThere(TakeMotionFiles.objectsName, "the places of the sound objects are not known") else { return }
        checkLines(TakeMotionFiles.objectsName) { path, _ in _ = try TakePlayer.steps(path) }
    }

    /// - Parameter read: reads the complete lines of the file at a path.
    private mutating func checkLines(_ file: String, _ read: (_ path: String, _ text: String) throws -> Void) {
        attempt { check in
            let path = check.path + "/" + file
            let (text, isCut) = try TakeMotionFiles.read(path)
            if isCut { check.faults.append("\(path) is truncated within its last line, which is ignored") }
            try read(path, text)
        }
    }

    private mutating func checkSession(_ record: TakeRecord) {
        let tree = ParameterTree(
            ofAnySession: InterpolationMethod.allCases.map(\.name), formerMethods: InterpolationMethod.formerNames,
            method: InterpolationMethod.standard.name)
        attempt { check in _ = try SessionFile.read(check.path + "/session.json", tree) }
        if record.files.contains(where: { $0.source == "array" }) {
            _ = isThere("array.json", "the microphones are assumed to be evenly spaced")
        }
    }

    /// Whether there is a file; notes its absence.
    private mutating func isThere(_ file: String, _ consequence: String) -> Bool {
        let isThere = FilePlace.isThere(path + "/" + file)
        if !isThere { faults.append("\(path)/\(file) is missing: \(consequence)") }
        return isThere
    }

    private mutating func attempt(_ body: (inout TakeCheck) throws -> Void) {
        do { try body(&self) } catch { faults.append("\(error)") }
    }

    private func time(_ frames: Int64, _ record: TakeRecord) -> String {
        String(format: "%.3f s", Double(frames) / Double(record.rate))
    }
}
