import Binaural
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
    private var gaps = 0
    /// Frames at which every file ends.
    private var end = Int64.max

    /// Makes the folder and its files.
    /// - Throws: the reason why it cannot be made; nothing is left of it then.
    init(
        _ order: TakeRequest, _ inlets: [TakeInlet], _ log: inout TakeMotionLog, hook: @escaping @Sendable () -> Void
    ) throws {
        let begin = inlets.filter { $0.run() > 0 }.map(\.sample).reduce(max(0, order.sample - order.lead), max)
        first = Self.aligned(begin, order)
        name = try order.folder.make(order.name, date: order.date)
        folder = order.folder.path + "/" + name
        let recorded = Set(inlets.compactMap { $0.source.listener.map { $0 - 1 } })
        motion = TakeMotionFiles(folder: folder, first: first) { $0 < order.listeners || recorded.contains($0) }
        record = TakeRecord(
            date: order.date.ISO8601Format(), client: order.client, rate: order.rate, period: order.period, sample: first,
            start: max(0, order.sample - first), isProtected: order.isProtected, listeners: order.listeners, objects: order.objects,
            files: [])
        do {
            try OutputFile.write(order.session, to: folder + "/session.json")
            if let geometry = order.geometry { try OutputFile.write(geometry, to: folder + "/array.json") }
            files = try inlets.map { try TakeSoundFile($0, folder: folder, order: order, hook: hook) }
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

    /// The first frame at or after a sample that begins a block, a frame of the spectral methods and a partition of `personal`, if these
    /// do not coincide too rarely, so that the take is rendered again from the same blocks.
    private static func aligned(_ sample: Int64, _ order: TakeRequest) -> Int64 {
        // Two hops of the spectral methods.
        let (period, part) = (Int64(order.period), Int64(HRTFFrame(rate: Float(order.rate)).part))
        var (a, b) = (period, part)
        while b > 0 { (a, b) = (b, a % b) }
        let common = period / a * part
        let grid = common <= Int64(order.rate) / 2 ? common : period
        return (sample + grid - 1) / grid * grid
    }

    /// Frames in the shortest file.
    var frames: Int64 { files.map(\.written).min() ?? 0 }

    /// Frames that the files lack, in the one that lacks most.
    var lost: Int64 { files.map(\.lost).max() ?? 0 }

    /// Writes what there is.
    func drain(_ inlets: [TakeInlet], _ log: inout TakeMotionLog) throws {
        for file in files {
            guard let inlet = inlets.first(where: { $0.source == file.source }) else { continue }
            try file.drain(inlet, from: first, until: end)
        }
        try motion.write(log.takeHeads(), until: end - 1)
        try motion.write(log.takeObjects(), until: end - 1)
        let found = files.reduce(0) { $0 + $1.record.gaps.count }
        guard found != gaps else { return }
        gaps = found
        try describe()
    }

    /// Lets a program that reads the files now find what is in them.
    /// - Parameter isSynced: whether to wait until it is on the disk.
    func update(isSynced: Bool) throws {
        for file in files { try file.update(isSynced: isSynced) }
        if isSynced { try motion.sync() }
    }

    /// Lets no file become longer than up to a sample of the engine. Some files may contain later frames already.
    func close(at sample: Int64) { end = max(sample - first, files.map(\.written).max() ?? 0) }

    /// Whether the files of these sources have everything up to the frame at which the take was closed.
    func hasAll(_ sources: [TakeSource]) -> Bool { files.allSatisfy { !sources.contains($0.source) || $0.written >= end } }

    /// Ends all files with the same frame: that at which the take was closed, or the last one that there is.
    func end(_ inlets: [TakeInlet], _ log: inout TakeMotionLog) throws {
        if end == .max { close(at: present(inlets)) }
        try drain(inlets, &log)
        for file in files { try file.fill(until: end) }
    }

    /// Sample at which all sources end that are not silent: one may have a block more than another at the moment.
    private func present(_ inlets: [TakeInlet]) -> Int64 {
        let ends = inlets.filter { $0.run() > 0 || $0.hasBegun }.map { $0.sample + Int64($0.available) }
        let latest = ends.max() ?? first
        return ends.filter { latest - $0 <= Int64(record.period) }.min() ?? first
    }

    /// Completes the files, whatever can be completed of them.
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
