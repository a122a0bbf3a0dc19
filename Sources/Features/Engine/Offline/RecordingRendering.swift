import Binaural
import Crossing
package import Device
import Foundation
import Media
import Parameters
import Pose
import Render
import RenderCore
import RenderInterface

/// Renders a recording, sound objects, or both for one head, faster than real time, as they sound live.
package struct RecordingRendering {
    package let format: DeviceFormat
    /// Frames that are rendered: those of the recording, or of the longest sound.
    package let frames: Int64
    private let settings: RenderingSettings
    private let reports: RenderingReports
    private let sounds: [ObjectSoundFile]
    private let room: RoomFile?
    private let alignment: RenderingAlignment

    /// Reads the sounds, and the header of the recording.
    package init(_ settings: RenderingSettings, reports: RenderingReports) throws {
        (self.settings, self.reports) = (settings, reports)
        var header: (rate: Int, frames: Int)?
        if let recording = settings.recording {
            let reader = try RecordingReader(path: recording)
            reader.warnings.forEach(reports.warn)
            header = (Int(clamping: reader.rate), reader.frames)
        }
        if let given = settings.rate, let header, header.rate != given {
            throw RequestError(
                "--rate \(given) contradicts the recording, which has \(header.rate) frames per second and determines the rate; leave "
                    + "--rate out")
        }
        let format = try DeviceFormat(rate: header?.rate ?? settings.rate ?? 48_000, period: settings.block)
        self.format = format
        // Never nil, because nothing cancels the reading.
        sounds = try settings.objects.map { try ObjectSoundFile.read(path: $0.path, rate: format.rate, channel: $0.channel)! }
        var known: Set<String> = []
        for warning in sounds.flatMap(\.warnings) where known.insert(warning).inserted { reports.warn(warning) }
        // Without a recording, once through the longest sound.
        frames = Int64(header?.frames ?? sounds.map(\.mono.count).max() ?? 0)
        room = try settings.room.map { try RoomFile(path: $0) }
        alignment = RenderingAlignment(settings, rate: format.rate)
    }

    /// Seconds that are rendered.
    package var seconds: Double { Double(frames) / Double(format.rate) }

    /// Time range of the head's motion in seconds if no part of it is heard; nil otherwise.
    package var unheardMotion: ClosedRange<Double>? {
        let (begin, end) = (settings.head.begin(rate: Double(format.rate)), settings.head.end(rate: Double(format.rate)))
        return begin >= seconds || end < 0 ? begin...max(begin, end) : nil
    }

    /// Renders everything on this thread.
    ///
    /// - Parameter sink: receives both ears.
    /// - Returns: the limiter's largest gain reduction, dB.
    package func render(to sink: any FrameSink) throws -> Float {
        let tree = ParameterTree(listeners: 1, objects: sounds.count)
        let store = ParameterStore(tree)
        try set(store)
        let lines = RenderConnections(
            store: store, rate: Float(format.rate), period: format.period, protection: settings.ceiling == nil ? .none : .always,
            awaitsRecording: settings.recording != nil,
            room: room.flatMap { RoomPlan($0.room, order: $0.order, rate: Float(format.rate)) })
        for (axis, number) in settings.place.enumerated() { lines.places[axis] = number }
        let playback = Playback(
            feeds: lines.feeds.take(), arrays: lines.arrays.take(), rate: Double(format.rate), report: reports.warn)
        if let recording = settings.recording { try playback.load(recording, loop: false, lead: alignment.recording) }
        var ends = lines.objects.take()
        var trajectories = lines.objectPaths.take()
        send(&ends, &trajectories)
        try sendFilters(lines, playback.array)
        try run(lines, playback, to: sink)
        return lines.limiting.take(0)
    }

    private func set(_ store: ParameterStore) throws {
        let tree = store.tree
        func set(_ parameter: ListenerParameter, _ value: Argument) throws {
            let index = tree.index(parameter)
            let accepted = try tree.nodes[index].spec.accept([value], at: parameter.address())
            if case .number(let number) = accepted { store.set(index, number) }
        }
        try set(.method, .string(settings.method.name))
        try set(.earAzimuth, .float(settings.earAzimuth))
        store.set(tree.index(TransportParameter.state), Float(TransportParameter.playing))
        if let ceiling = settings.ceiling { store.set(tree.index(ProtectionParameter.ceiling), ceiling) }
        if let air = room?.room.air {
            store.set(tree.index(AirParameter.temperature), air.temperature)
            store.set(tree.index(AirParameter.humidity), air.humidity)
        }
        for (index, object) in settings.objects.enumerated() {
            for (parameter, value) in object.place { store.set(tree.index(parameter, index), value) }
        }
    }

    /// Gives the objects their sounds and paths.
    private func send(_ ends: inout Handover<ObjectSound>.Control, _ trajectories: inout Handover<ObjectTrajectory>.Control) {
        for (index, sound) in sounds.enumerated() {
            let delay = alignment.objects[index]
            _ = ends.send(ObjectSound(object: index, mono: sound.mono, delay: delay))
            if let motion = settings.objects[index].motion {
                _ = trajectories.send(ObjectTrajectory(object: index, motion: motion, lap: 0, delay: Double(delay) / Double(format.rate)))
            }
        }
    }

    /// Gives the listener the filters of the HRTF.
    private func sendFilters(_ lines: RenderConnections, _ array: MicrophoneArray?) throws {
        if settings.method == .hrtf, let array {
            var ears = lines.listeners[0].hrtf.take()
            _ = ears.send(HRTFSet(try filters(array)))
        }
        guard !sounds.isEmpty, settings.readsHRTF else { return }
        var ears = lines.listeners[0].objectHRTF.take()
        _ = ears.send(ObjectHRTF(try table(), objects: sounds.count, period: format.period, rate: Float(format.rate)))
    }

    private func run(_ lines: RenderConnections, _ playback: Playback, to sink: any FrameSink) throws {
        let inlet = PoseInlet(lines.listeners[0].networkPoses.take(), horizon: lines.listeners[0].predictionHorizon)
        let (rate, activity) = (Double(format.rate), "rendering")
        // SAFETY: `run` calls the closure on this thread.
        nonisolated(unsafe) let sink = sink
        let late = alignment.latency + lines.protectionLatency
        let device = FileDevice(
            format, frames: frames + Int64(alignment.recording), late: late, tail: late - alignment.recording
        ) { sink }
        var nudged: Int64 = 0
        _ = try device.run(lines.graph.take()) { frame in
            // The pose is reached at the block's last frame.
            let time = Double(min(frame + Int64(format.period) - Int64(alignment.motion), frames)) / rate
            // A recorded head pose applies to the frames that were rendered with it, which are as late as the recording.
            let recorded = frame - Int64(alignment.recording)
            inlet.place = settings.head.place(frame: recorded, end: time)
            inlet.send(quaternion: settings.head.head(frame: recorded, end: time), receiveTime: 0)
            if frame >= nudged {
                nudged = frame + 4096
                playback.player?.nudge()
                reports.progress(activity, min(1, Double(frame) / Double(frames)))
            }
        }
        reports.progress(activity, nil)
        // Waits for the player's last report, whose count covers the whole recording.
        playback.player?.stop()
    }

    /// The filters of the method, from the cache or computed on all cores.
    private func filters(_ array: MicrophoneArray) throws -> FilterBank {
        let order = HRTFRequest(
            path: settings.hrtf, headRadius: settings.headRadius, equalisation: settings.equalisation, layout: HRTFLayout(array),
            rate: Double(format.rate))
        let activity = "computing HRTF filters"
        // Never nil, because nothing cancels the computation.
        let filters = try HRTFFilters(order, cache: .standard, workers: ProcessInfo.processInfo.activeProcessorCount) { share in
            reports.progress(activity, share)
            return true
        }!
        reports.progress(activity, nil)
        if let problem = filters.notKept { reports.warn("\(problem)") }
        reports.note("ears: \(filters.path), filters \(filters.wereKept ? "from the cache" : "computed")")
        return filters.bank
    }

    /// The measured filters for sound objects.
    private func table() throws -> HRTFTable {
        let order = HRTFTableRequest(
            path: settings.hrtf, headRadius: settings.headRadius, equalisation: settings.equalisation, rate: Double(format.rate))
        let activity = "filters for the objects"
        // Never nil, because nothing cancels the computation.
        let file = try HRTFTableFile(order) { share in
            reports.progress(activity, share)
            return true
        }!
        reports.progress(activity, nil)
        reports.note("objects: \(file.path)")
        return file.table
    }
}
