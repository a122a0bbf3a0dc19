import Binaural
import CRealtime
import FileOutput
import Foundation
import RenderInterface

/// A take that is being recorded. Used on the takes thread alone.
final class TakeRecording {
    let name: String
    private let folder: String
    private let first: Int64
    private var record: TakeRecord
    private var files: [TakeSoundFile] = []
    private let motion: TakeMotionFiles
    /// Lost frames of all files as `take.json` has them, and when it was written, CLOCK_MONOTONIC nanoseconds.
    private var described: (lost: Int64, time: UInt64) = (0, 0)
    /// Lost steps of motion before the take.
    private let formerMotionLost: Int
    /// Nanoseconds between two updates of `take.json` because of lost sound.
    private static let describeInterval: UInt64 = 1_000_000_000
    /// Frames at which every file ends.
    private var end = Int64.max

    /// Makes the folder and its files.
    /// - Throws: the reason why it cannot be made; nothing is left of it then.
    init(
        _ request: TakeRequest, _ inlets: [TakeInlet], _ log: inout TakeMotionLog, hook: @escaping @Sendable () -> Void
    ) throws {
        let begin = inlets.filter { $0.run() > 0 }.map(\.sample).reduce(max(0, request.sample - request.lead), max)
        first = Self.aligned(begin, request)
        formerMotionLost = log.lost
        name = try request.folder.make(request.name, date: request.date)
        folder = request.folder.path + "/" + name
        let recorded = Set(inlets.compactMap { $0.source.listener.map { $0 - 1 } })
        motion = TakeMotionFiles(folder: folder, first: first) { $0 < request.listeners || recorded.contains($0) }
        record = TakeRecord(
            date: request.date.ISO8601Format(), client: request.client, rate: request.rate, period: request.period, sample: first,
            start: max(0, request.sample - first), isProtected: request.isProtected, listeners: request.listeners, objects: request.objects,
            sounds: request.sounds.isEmpty ? nil : request.sounds, files: [])
        do {
            try OutputFile.write(request.session, to: folder + "/session.json")
            if let geometry = request.geometry { try OutputFile.write(geometry, to: folder + "/array.json") }
            let mostGaps = max(16, min(TakeRecord.mostGapsInFile, TakeRecord.mostGaps / max(1, inlets.count)))
            files = try inlets.map { try TakeSoundFile($0, folder: folder, request: request, mostGaps: mostGaps, hook: hook) }
            record.files = files.map(\.record)
            try motion.write(log.recentHeads.all(from: first), until: .max)
            try motion.write(log.recentObjects.all(from: first), until: .max)
            log.leaveOut()
            try record.write(folder)
        } catch {
            files = []
            try? FileManager.default.removeItem(atPath: folder)
            throw error
        }
    }

    /// The first frame at or after a sample that begins a block, a frame of the spectral methods and a partition of `hrtf`, or only a block
    /// if these coincide too rarely. A new rendering of the take then has the same blocks.
    private static func aligned(_ sample: Int64, _ request: TakeRequest) -> Int64 {
        // Two hops of the spectral methods.
        let (period, part) = (Int64(request.period), Int64(HRTFFrame(rate: Float(request.rate)).part))
        var (a, b) = (period, part)
        while b > 0 { (a, b) = (b, a % b) }
        let common = period / a * part
        let grid = common <= Int64(request.rate) / 2 ? common : period
        return (sample + grid - 1) / grid * grid
    }

    /// Frames in the shortest file.
    var frames: Int64 { files.map(\.written).min() ?? 0 }

    /// Maximum number of frames missing in a file.
    var lost: Int64 { files.map(\.lost).max() ?? 0 }

    /// Writes everything available.
    func drain(_ inlets: [TakeInlet], _ log: inout TakeMotionLog) throws {
        for file in files {
            guard let inlet = inlets.first(where: { $0.source == file.source }) else { continue }
            try file.drain(inlet, from: first, until: end)
        }
        try motion.write(log.takeHeads(), until: end - 1)
        try motion.write(log.takeObjects(), until: end - 1)
        let motionLost = log.lost - formerMotionLost
        if motionLost > 0 { record.motionLost = motionLost }
        let (found, now) = (files.reduce(0) { $0 + $1.lost }, rt_now())
        guard found != described.lost, now >= described.time + Self.describeInterval else { return }
        described = (found, now)
        try describe()
    }

    /// Updates the headers, so that programs can read the files while they are written.
    /// - Parameter isSynced: whether to wait until it is on the disk.
    func update(isSynced: Bool) throws {
        for file in files { try file.update(isSynced: isSynced) }
        if isSynced { try motion.sync() }
    }

    /// Limits every file to a sample of the engine. Some files may contain later frames already.
    func close(at sample: Int64) { end = max(sample - first, files.map(\.written).max() ?? 0) }

    /// Whether the files of these sources have everything up to the frame at which the take was closed.
    func hasAll(_ sources: [TakeSource]) -> Bool { files.allSatisfy { !sources.contains($0.source) || $0.written >= end } }

    /// Ends all files with the same frame: that at which the take was closed, or the last one that all sources have.
    func end(_ inlets: [TakeInlet], _ log: inout TakeMotionLog) throws {
        if end == .max { close(at: present(inlets)) }
        try drain(inlets, &log)
        for file in files { try file.fill(until: end) }
    }

    /// Sample at which all sources end that deliver sound: at the moment, one may be a block ahead of another.
    private func present(_ inlets: [TakeInlet]) -> Int64 {
        let ends = inlets.filter { $0.run() > 0 || $0.hasBegun }.map { $0.sample + Int64($0.available) }
        let latest = ends.max() ?? first
        return ends.filter { latest - $0 <= Int64(record.period) }.min() ?? first
    }

    /// Completes the files as far as possible.
    /// - Parameter reason: why the take ends early; nil when it was stopped.
    /// - Returns: further reasons.
    func finish(_ reason: String?) -> [String] {
        var problems: [String] = []
        func attempt(_ body: () throws -> Void) { do { try body() } catch { problems.append("\(error)") } }
        for file in files { attempt { try file.finish() } }
        attempt { try motion.finish() }
        record.state = reason == nil ? .complete : .stopped
        record.reason = reason
        record.frames = frames
        record.overview = files.first?.overview.thousandths ?? []
        attempt { try describe() }
        return problems
    }

    private func describe() throws {
        record.files = files.map(\.record)
        try record.write(folder)
    }
}

/// Everything that the takes thread needs to begin a take.
struct TakeRequest: Sendable {
    var folder: TakeFolder
    var name: String
    var date: Date
    var client: String?
    /// Sample of the engine at which the take is started.
    var sample: Int64
    /// Frames before ``sample`` with which the take begins, if they are in memory.
    var lead: Int64
    var format: String
    var rate: Int
    var period: Int
    var isProtected: Bool
    var listeners: Int
    var objects: Int
    /// Paths of the sound files of objects, by the names that the session has.
    var sounds: [String: String] = [:]
    /// Contents of `session.json`.
    var session: [UInt8]
    /// Contents of the sidecar of the array's file; nil without an array.
    var geometry: [UInt8]?

    /// Name of a source's file, without its ending.
    static func stem(_ source: TakeSource) -> String {
        switch source {
        case .array: "array"
        case .input: "input"
        case .processedInput: "input-after-rack"
        case .ears(let listener): "ears-\(listener + 1)"
        }
    }

    /// Ending of a source's file while it is being written. FLAC files are made at the end, because they cannot be read before.
    func ending(channels: Int) -> String { format == "flac" ? "w64" : format }
}
