import FileOutput
import Files
import Foundation
import Pose
import RenderInterface

/// The files with the motion of all heads and objects in a take.
///
/// `motion.csv` for the first listener, `motion-2.csv` and so on for further ones; `objects.csv` for all objects.
final class TakeMotionFiles {
    static let objectsName = "objects.csv"
    static let objectsHeader = "frame,object,azimuth,elevation,distance,gain"
    private let folder: String
    private let first: Int64
    private let isWanted: (Int) -> Bool
    private var heads: [Int: (file: OutputFile, origin: UInt64)] = [:]
    private var objects: OutputFile?

    /// - Parameters:
    ///   - first: sample of the engine that is the first frame.
    ///   - isWanted: whether the motion of a listener, counted from 0, is written.
    init(folder: String, first: Int64, isWanted: @escaping (Int) -> Bool) {
        (self.folder, self.first, self.isWanted) = (folder, first, isWanted)
    }

    static func name(listener: Int) -> String { listener == 0 ? "motion.csv" : "motion-\(listener + 1).csv" }

    /// Reads a file of motion: its complete lines, and whether an incomplete one follows, as after a crash.
    static func read(_ path: String) throws -> (text: String, isCut: Bool) {
        let text = try RegularFile(path).text(atMost: 512 << 20)
        guard !text.hasSuffix("\n"), let end = text.lastIndex(of: "\n") else { return (text, false) }
        return (String(text[...end]), true)
    }

    /// Writes steps that are before `end`.
    func write(_ steps: [TakeHead], until end: Int64) throws {
        var texts: [Int: String] = [:]
        for var head in steps where head.step.position - first < end {
            let listener = Int(head.listener)
            guard isWanted(listener) else { continue }
            let file = try file(listener, origin: head.step.time)
            head.step.position = max(0, head.step.position - first)
            texts[listener, default: ""] += RecordedHead.line(head.step, origin: file.origin)
        }
        for (listener, text) in texts { try heads[listener]?.file.write(text) }
    }

    private func file(_ listener: Int, origin: UInt64) throws -> (file: OutputFile, origin: UInt64) {
        if let file = heads[listener] { return file }
        let made = (file: try OutputFile(folder + "/" + Self.name(listener: listener), isNamed: true, isSynced: true), origin: origin)
        heads[listener] = made
        try made.file.write(RecordedHead.header + "\n")
        return made
    }

    func write(_ steps: [TakeObject], until end: Int64) throws {
        var text = ""
        for step in steps where step.sample - first < end {
            let place = step.place
            text += "\(max(0, step.sample - first)),\(step.object + 1),\(place[0]),\(place[1]),\(place[2]),\(place[3])\n"
        }
        guard !text.isEmpty else { return }
        if objects == nil {
            objects = try OutputFile(folder + "/" + Self.objectsName, isNamed: true, isSynced: true)
            try objects?.write(Self.objectsHeader + "\n")
        }
        try objects?.write(text)
    }

    func sync() throws {
        for head in heads.values { try head.file.sync() }
        try objects?.sync()
    }

    func finish() throws {
        for head in heads.values { try head.file.finish() }
        try objects?.finish()
    }
}
