import ArgumentParser
import Binaural
import Device
import Engine
import FileOutput
import Foundation
import Media
import Parameters
import Pose

struct RenderCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "render",
        abstract:
            "Render a recording, sound objects, or both for one head into a file, faster than real time, as they sound live.",
        discussion: """
            The limiter that protects hearing keeps the true peak below the ceiling, as live; sound below it is not changed. \
            The latencies of the limiter and the method are left out: the output is in time with the recording. Peak, true peak and \
            loudness (EBU R 128) of the output are printed.
            """)

    @ArgumentParser.Argument(help: "Recording: a file of 4 to 64 channels, a folder of mono files, or a take. Optional with --object.")
    var recording: String?

    @Option(
        help: ArgumentHelp(ObjectOption.help),
        transform: ObjectOption.init)
    var object: [ObjectOption] = []

    @Option(help: "Room in which the sound objects are: a JSON file (docs/rooms.md).")
    var room: String?

    @Option(
        help: "Sample rate without a recording, frames per second (default: \(DeviceFormat.standardRate)); a recording determines its own.")
    var rate: Int?

    @Option(help: "Output file for the two ears: .wav, .rf64, .w64 or .caf, 32-bit float.")
    var output: String

    @OptionGroup var outputs: OutputOptions

    @Option(
        help: """
            Interpolation method: \(InterpolationMethod.allCases.map(\.name).joined(separator: ", ")) (default: \
            \(InterpolationMethod.standard.name)).
            """)
    var method: String?

    @Option(help: "Constant yaw of the head, degrees, positive to the left.")
    var yaw: Double?

    @Option(help: "Constant pitch of the head, degrees, positive upwards.")
    var pitch: Double?

    @Option(help: "Constant roll of the head, degrees, positive with the right ear down.")
    var roll: Double?

    @Option(
        help: """
            Head motion: a CSV file with the columns \(MotionTrack.header) in seconds and degrees, or time,w,x,y,z (other units and \
            notations: docs/recordings.md), or a file written by serve --record-motion.
            """)
    var motion: String?

    @Option(
        help: ArgumentHelp("Place of the listener, FRONT,LEFT,UP in metres, from which sound objects are heard (default: 0,0,0)."),
        transform: PlaceOption.init)
    var place: PlaceOption?

    @Option(name: .customLong("ear-azimuth"), help: "Azimuth of the ears, degrees from the nose (default: 90).")
    var earAzimuth: Float?

    @Option(
        help: """
            SOFA file with the HRTF, for sound objects and the method hrtf (default: the rigid sphere; the file of libmysofa with the \
            method hrtf).
            """)
    var hrtf: String?

    @Option(name: .customLong("head-radius"), help: "Head radius, metres; 0 takes the radius in the SOFA file (default: 0).")
    var headRadius: Float?

    @Option(name: .customLong("hrtf-equalisation"), help: HRTFEqualisation.help)
    var hrtfEqualisation: String?

    @Option(help: "Listener of a take whose ears are rendered (default: 1).")
    var listener: Int?

    @OptionGroup var limiting: LimiterOptions

    @Option(help: "Frames per block, like a device's period (default: 64).")
    var block: Int?

    func run() throws {
        if let recording, TakeRendering.isTake(recording) { return try render(take: recording) }
        guard listener == nil else {
            throw ValidationError("--listener selects a listener of a take, but \(recording ?? "this") is not a take. Omit it.")
        }
        let paths = object.map(\.path) + object.compactMap { $0.motion?.file }
        let inputs = [recording, motion, room, hrtf == "" ? nil : hrtf].compactMap(\.self) + paths
        let output = try outputs.open(output, inputs: inputs)
        let rendering = try RecordingRendering(settings(), reports: reports())
        warnIfUnheard(rendering)
        let begin = Date()
        let writer = try MeasuredWriter(SoundWriter(output, channels: 2, rate: rendering.format.rate))
        let reduction = try rendering.render(to: writer)
        let spent = -begin.timeIntervalSinceNow
        print(
            String(
                format: "%@: %.2f s in %.2f s (%.0f times real time)", output.path, rendering.seconds, spent, rendering.seconds / spent))
        print(limiting.report(writer.loudness, reduction: reduction))
    }

    /// The chosen method; nil for an unknown name.
    var interpolation: InterpolationMethod? { method.map { InterpolationMethod(name: $0) } ?? .standard }

    private func settings() throws -> RenderingSettings {
        var settings = RenderingSettings()
        (settings.recording, settings.room, settings.rate) = (recording, room, rate)
        settings.objects = object.map { .init(path: $0.path, place: $0.place, motion: $0.motion?.motion) }
        settings.method = interpolation ?? .standard
        func angle(_ degrees: Double?) -> Float { Float(Turns.wrapped(degrees ?? 0) ?? 0) }
        settings.head =
            try motion.map { try HeadSource(path: $0) } ?? .track(MotionTrack(yaw: angle(yaw), pitch: angle(pitch), roll: angle(roll)))
        settings.place = place?.coordinates ?? []
        settings.earAzimuth = earAzimuth ?? settings.earAzimuth
        (settings.hrtf, settings.headRadius) = (hrtf ?? "", headRadius ?? 0)
        settings.equalisation = hrtfEqualisation.flatMap(HRTFEqualisation.init(name:)) ?? .neutral
        settings.ceiling = limiting.ceiling
        settings.block = block ?? settings.block
        return settings
    }

    /// Shows progress at the terminal, and prints facts.
    private func reports() -> RenderingReports {
        var reports = RenderingReports()
        reports.warn = warn
        reports.note = { print($0) }
        let shared = ProgressLines()
        reports.progress = { shared.show($0, $1) }
        return reports
    }

    /// Warns about a motion that is not heard at all.
    private func warnIfUnheard(_ rendering: RecordingRendering) {
        guard let motion, let time = rendering.unheardMotion else { return }
        func text(_ seconds: Double) -> String { String(format: "%.2f s", seconds) }
        warn(
            "the motion \(motion) is from \(text(time.lowerBound)) to \(text(time.upperBound)), outside the rendered "
                + "\(text(rendering.seconds)); the head does not move")
    }
}

/// Options that contradict each other, or have no effect, are refused.
extension RenderCommand {
    func validate() throws {
        guard let interpolation else {
            throw ValidationError(
                "There is no method \"\(method ?? "")\"; choose one of "
                    + "\(InterpolationMethod.allCases.map(\.name).joined(separator: ", ")).")
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
        // Options that do not apply to a take are refused when it is opened.
        let isTake = recording.map(TakeRendering.isTake) == true
        guard room == nil || !object.isEmpty || isTake else {
            throw ValidationError("--room is for sound objects. Add --object FILE@AZIMUTH, or leave --room out.")
        }
        for (option, angle) in [("--yaw", yaw), ("--pitch", pitch), ("--roll", roll)] {
            guard let angle else { continue }
            guard motion == nil else {
                throw ValidationError("\(option) holds the head still, but --motion moves it. Leave one of them out.")
            }
            guard Turns.wrapped(angle) != nil else {
                throw ValidationError("\(option) is \(angle), but must be at most 1000000 degrees either way.")
            }
        }
        guard place?.listener ?? 1 == 1 else { throw ValidationError("--place: one listener is rendered; leave out @ and its number.") }
        guard place == nil || !object.isEmpty || isTake else {
            throw ValidationError("--place is for sound objects. Add --object FILE@AZIMUTH, or leave --place out.")
        }
        try check("--ear-azimuth", earAzimuth, .earAzimuth, "degrees")
        try check("--head-radius", headRadius, .headRadius, "metres")
        try HRTFEqualisation.check(hrtfEqualisation)
        let neutral = HRTFEqualisation.neutral.name
        let isPlain = (hrtf ?? "").isEmpty && (headRadius ?? 0) == 0 && (hrtfEqualisation ?? neutral) == neutral
        guard interpolation == .hrtf || isPlain || !object.isEmpty || isTake else {
            throw ValidationError(
                "--hrtf, --head-radius and --hrtf-equalisation are for sound objects and the method hrtf, but the method is "
                    + "\(interpolation.name). Add --object FILE@AZIMUTH or --method hrtf.")
        }
    }

    private func check(_ option: String, _ value: Float?, _ parameter: ListenerParameter, _ unit: String) throws {
        let range = parameter.spec.range
        guard let value, !range.contains(value) else { return }
        throw ValidationError("\(option) is \(value), but must be from \(range.lowerBound) to \(range.upperBound) \(unit).")
    }
}

/// Rendering of takes, which bring their own session, motion and format.
extension RenderCommand {
    func render(take: String) throws {
        let ignored = optionsOfRecordings
        guard ignored.isEmpty else {
            throw ValidationError(
                "\(take) is a take: it is rendered with its own session and motion. Leave out \(ignored.joined(separator: ", ")), or name "
                    + "\(take)/array… to render its microphones in another way.")
        }
        let rendering = try TakeRendering(take)
        let output = try outputs.open(output, inputs: [take])
        let begin = Date()
        let writer = try SoundWriter(output, channels: 2, rate: rendering.rate)
        try rendering.render(listener: listener ?? 1, to: writer, report: warn)
        let seconds = Double(try rendering.frames) / Double(rendering.rate)
        let spent = -begin.timeIntervalSinceNow
        print(String(format: "%@: %.2f s in %.2f s (%.0f times real time)", output.path, seconds, spent, seconds / spent))
    }

    /// The given options that do not apply to a take.
    private var optionsOfRecordings: [String] {
        let given: [(option: String, isGiven: Bool)] = [
            ("--object", !object.isEmpty), ("--room", room != nil), ("--rate", rate != nil), ("--method", method != nil),
            ("--yaw", yaw != nil), ("--pitch", pitch != nil), ("--roll", roll != nil), ("--motion", motion != nil),
            ("--place", place != nil), ("--ear-azimuth", earAzimuth != nil), ("--hrtf", hrtf != nil),
            ("--head-radius", headRadius != nil), ("--hrtf-equalisation", hrtfEqualisation != nil), ("--no-limiter", !limiting.limiter),
            ("--ceiling", limiting.givenCeiling != nil), ("--block", block != nil),
        ]
        return given.filter(\.isGiven).map(\.option)
    }
}
