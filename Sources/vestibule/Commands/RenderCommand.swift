import ArgumentParser
import Binaural
import Crossing
import Device
import Engine
import FileOutput
import Foundation
import Media
import Parameters
import Pose
import Render
import RenderCore
import RenderInterface
import Synchronization

struct RenderCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "render",
        abstract:
            "Render a recording, sound objects, or both for one head into a file, faster than real time, as they sound live.",
        discussion: """
            The limiter that protects hearing keeps the true peak below the ceiling, as live; sound below it is not changed, and its \
            latency is compensated. Peak, true peak and loudness (EBU R 128) of the output are printed.
            """)

    @ArgumentParser.Argument(help: "Recording: a file of 4 to 64 channels, a folder of mono files, or a take. Optional with --object.")
    var recording: String?

    @Option(
        help: ArgumentHelp(ObjectOption.help),
        transform: ObjectOption.init)
    var object: [ObjectOption] = []

    @Option(help: "Room in which the sound objects are: a JSON file (docs/rooms.md).")
    var room: String?

    @Option(help: "Sample rate without a recording, frames per second (default: 48000); a recording determines its own.")
    var rate: Int?

    @Option(help: "Output file for the two ears: .wav, .rf64, .w64 or .caf, 32-bit float.")
    var output: String

    @OptionGroup var outputs: OutputOptions

    @Option(help: "Interpolation method: \(InterpolationMethod.allCases.map(\.name).joined(separator: ", ")).")
    var method = InterpolationMethod.standard.name

    @Option(help: "Constant yaw of the head, degrees, positive to the left.")
    var yaw: Double?

    @Option(
        help: """
            Head motion: a CSV file with the columns \(MotionTrack.header) in seconds and degrees, or time,w,x,y,z (other units and \
            notations: docs/recordings.md), or a file written by serve --record-motion.
            """)
    var motion: String?

    @Option(name: .customLong("ear-azimuth"), help: "Azimuth of the ears, degrees from the nose.")
    var earAzimuth: Float = 90

    @Option(
        help: """
            SOFA file with the HRTF, for sound objects and the method personal (default: the rigid sphere; the file of libmysofa with the \
            method personal).
            """)
    var hrtf = ""

    @Option(name: .customLong("head-radius"), help: "Head radius, metres; 0 takes the radius in the SOFA file.")
    var headRadius: Float = 0

    @Option(name: .customLong("hrtf-equalisation"), help: HRTFEqualisation.help)
    var hrtfEqualisation = HRTFEqualisation.neutral.name

    @Option(help: "Listener of a take whose ears are rendered.")
    var listener = 1

    @OptionGroup var limiting: LimiterOptions

    @Option(help: "Frames per block, like a device's period.")
    var block = 64

    func validate() throws {
        guard InterpolationMethod(name: method) != nil else {
            throw ValidationError(
                "There is no method \"\(method)\"; choose one of \(InterpolationMethod.allCases.map(\.name).joined(separator: ", ")).")
        }
        guard recording != nil || !object.isEmpty else {
            throw ValidationError("There is nothing to render. Name a recording, or give --object FILE@AZIMUTH.")
        }
        guard object.count <= ObjectParameter.most else {
            throw ValidationError("--object is given \(counted(object.count, "time")), and there is room for \(ObjectParameter.most).")
        }
        if let camera = object.first(where: { $0.file == nil }) {
            throw ValidationError("--object \(camera.path): a camera sounds live, in `vestibule serve`. Name a sound file.")
        }
        guard room == nil || !object.isEmpty else {
            throw ValidationError("--room is for sound objects. Add --object FILE@AZIMUTH, or leave --room out.")
        }
        guard yaw == nil || motion == nil else { throw ValidationError("Give --yaw or --motion, not both.") }
        guard Turns.wrapped(yaw ?? 0) != nil else {
            throw ValidationError("--yaw is \(yaw ?? 0), but must be at most 1000000 degrees either way.")
        }
        try check("--ear-azimuth", earAzimuth, .earAzimuth, "degrees")
        try check("--head-radius", headRadius, .headRadius, "metres")
        try HRTFEqualisation.check(hrtfEqualisation)
        let isPlain = hrtf.isEmpty && headRadius == 0 && hrtfEqualisation == HRTFEqualisation.neutral.name
        guard method == InterpolationMethod.personal.name || isPlain || !object.isEmpty else {
            throw ValidationError(
                "--hrtf, --head-radius and --hrtf-equalisation are for sound objects and the method personal, but the method is "
                    + "\(method). Add --object FILE@AZIMUTH or --method personal.")
        }
    }

    private func check(_ option: String, _ value: Float, _ parameter: ListenerParameter, _ unit: String) throws {
        let range = parameter.spec.range
        guard !range.contains(value) else { return }
        throw ValidationError("\(option) is \(value), but must be from \(range.lowerBound) to \(range.upperBound) \(unit).")
    }

    func run() throws {
        if let recording, TakeRendering.isTake(recording) {
            guard room == nil else { throw ValidationError("--room is for objects of --object, not for those of a take. Leave it out.") }
            return try render(take: recording)
        }
        let inputs = [recording, motion, room, hrtf.isEmpty ? nil : hrtf].compactMap(\.self) + object.map(\.path)
        let output = try outputs.open(output, inputs: inputs)
        let head = try motion.map { try HeadSource(path: $0) } ?? .track(MotionTrack(yaw: Float(Turns.wrapped(yaw ?? 0) ?? 0)))
        var header: (rate: Int, frames: Int)?
        if let recording {
            let reader = try RecordingReader(path: recording)
            reader.warnings.forEach(warn)
            header = (Int(clamping: reader.rate), reader.frames)
        }
        if let given = self.rate, let header, header.rate != given {
            warn("--rate \(given) is ignored, because the recording has \(header.rate) frames per second")
        }
        let format = try DeviceFormat(rate: header?.rate ?? self.rate ?? 48_000, period: block)
        // Never nil, because nothing cancels the reading.
        let sounds: [ObjectSoundFile] = try object.map { try ObjectSoundFile.read(path: $0.path, rate: format.rate)! }
        warnOnce(sounds.flatMap(\.warnings))
        // Without a recording, once through the longest sound.
        let frames = Int64(header?.frames ?? sounds.map(\.mono.count).max() ?? 0)

        warnIfOutside(head, seconds: Double(frames) / Double(format.rate), rate: Double(format.rate))
        let tree = ParameterTree(listeners: 1, objects: object.count)
        let store = ParameterStore(tree)
        try set(.method, [.string(method)], store)
        try set(.earAzimuth, [.float(earAzimuth)], store)
        store.set(tree.index(TransportParameter.state), Float(TransportParameter.playing))
        store.set(tree.index(ProtectionParameter.ceiling), limiting.ceiling)

        let rate = Double(format.rate)
        let place = try room.map { try RoomFile(path: $0) }
        if let air = place?.room.air {
            store.set(tree.index(AirParameter.temperature), air.temperature)
            store.set(tree.index(AirParameter.humidity), air.humidity)
        }
        let lines = RenderConnections(
            store: store, rate: Float(rate), period: block, protection: limiting.limiter ? .always : .none,
            awaitsRecording: recording != nil, room: place.flatMap { RoomPlan($0.room, order: $0.order, rate: Float(rate)) })
        let playback = Playback(feeds: lines.feeds.take(), arrays: lines.arrays.take(), rate: rate, report: warn)
        if let recording { try playback.load(recording, loop: false) }
        var ends = lines.objects.take()
        for (index, sound) in sounds.enumerated() {
            for (parameter, value) in object[index].place { store.set(tree.index(parameter, index), value) }
            _ = ends.send(ObjectSound(object: index, mono: sound.mono))
        }
        if method == InterpolationMethod.personal.name, let array = playback.array {
            var ears = lines.listeners[0].hrtf.take()
            _ = ears.send(HRTFSet(try hrtfFilters(array, rate: rate)))
        }
        if !object.isEmpty, method == InterpolationMethod.personal.name || !hrtf.isEmpty {
            var ears = lines.listeners[0].objectHRTF.take()
            let table = try hrtfTable(rate: rate)
            _ = ears.send(ObjectHRTF(table, objects: object.count, period: block, rate: Float(rate)))
        }
        let inlet = PoseInlet(lines.listeners[0].networkPoses.take(), horizon: lines.listeners[0].predictionHorizon)
        let progress = ProgressLine("rendering")
        let begin = Date()
        // SAFETY: `run` calls the closure on this thread.
        nonisolated(unsafe) let writer = try MeasuredWriter(SoundWriter(output, channels: 2, rate: format.rate))
        let device = FileDevice(format, frames: frames, late: lines.protectionLatency) { writer }
        _ = try device.run(lines.graph.take()) { frame in
            // The pose is reached at the block's last frame.
            let time = Double(min(frame + Int64(block), frames)) / rate
            inlet.send(quaternion: head.head(frame: frame, end: time), receiveTime: 0)
            if frame % 4096 == 0 {
                playback.player?.nudge()
                progress.show(Double(frame) / Double(frames))
            }
        }
        progress.clear()
        // Waits for its last report, whose count is that of the whole recording.
        playback.player?.stop()
        let seconds = Double(frames) / rate
        let spent = -begin.timeIntervalSinceNow
        print(String(format: "%@: %.2f s in %.2f s (%.0f times real time)", output.path, seconds, spent, seconds / spent))
        print(limiting.report(writer.loudness, reduction: lines.limiting.take(0)))
    }

    /// Warns about a motion none of which is heard.
    private func warnIfOutside(_ head: HeadSource, seconds: Double, rate: Double) {
        guard let motion else { return }
        func text(_ seconds: Double) -> String { String(format: "%.2f s", seconds) }
        let (begin, end) = (head.begin(rate: rate), head.end(rate: rate))
        guard begin >= seconds || end < 0 else { return }
        warn(
            "the motion \(motion) is from \(text(begin)) to \(text(end)), outside the rendered \(text(seconds)); the head does "
                + "not move")
    }

    /// The filters of the method personal, from the cache or computed on all cores.
    private func hrtfFilters(_ array: MicrophoneArray, rate: Double) throws -> FilterBank {
        let order = HRTFRequest(
            path: hrtf, headRadius: headRadius, equalisation: HRTFEqualisation(name: hrtfEqualisation) ?? .neutral,
            layout: HRTFLayout(array), rate: rate)
        let progress = Mutex(ProgressLine("computing HRTF filters"))
        // Never nil, because nothing cancels the computation.
        let filters = try HRTFFilters(
            order, cache: .standard, workers: ProcessInfo.processInfo.activeProcessorCount
        ) { share in
            progress.withLock { $0.show(share) }
            return true
        }!
        progress.withLock { $0.clear() }
        if let problem = filters.notKept { warn("\(problem)") }
        print("ears: \(filters.path), filters \(filters.wereKept ? "from the cache" : "computed")")
        return filters.bank
    }

    /// The measured filters for sound objects.
    private func hrtfTable(rate: Double) throws -> HRTFTable {
        let order = HRTFTableRequest(
            path: hrtf, headRadius: headRadius, equalisation: HRTFEqualisation(name: hrtfEqualisation) ?? .neutral, rate: rate)
        let progress = ProgressLine("filters for the objects")
        // Never nil, because nothing cancels the computation.
        let file = try HRTFTableFile(order) { share in
            progress.show(share)
            return true
        }!
        progress.clear()
        print("objects: \(file.path)")
        return file.table
    }

    private func set(_ parameter: ListenerParameter, _ value: [Parameters.Argument], _ store: ParameterStore) throws {
        let index = store.tree.index(parameter)
        let accepted = try store.tree.nodes[index].spec.accept(value, at: parameter.address())
        if case .number(let number) = accepted { store.set(index, number) }
    }
}
