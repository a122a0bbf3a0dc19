import ArgumentParser
import CRealtime
import Effects
import Engine
import FileOutput
import Foundation
import Media
import Parameters
import Rack
import Session

/// `vestibule process`: runs a rack over a sound file.
struct ProcessCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "process",
        abstract: "Run a rack of effects over a sound file, faster than real time.",
        discussion: """
            The input may be mono or stereo. The output is stereo, aligned with the input, and ends when the effects have \
            rung out. A limiter after the rack keeps the true peak below the ceiling. Peak, true peak and loudness (EBU R 128) of \
            the output are printed.
            """)

    @ArgumentParser.Argument(help: "Sound file of one or two channels.")
    var input: String

    @Option(help: "Rack: a JSON file, or the name of a preset, of your own or of the program.")
    var rack: String

    @Option(help: "Folder of the program's rack presets.")
    var presets: String?

    @Option(help: "Output file: .wav, .rf64, .w64 or .caf, 32-bit float.")
    var output: String

    @OptionGroup var outputs: OutputOptions

    @OptionGroup var limiting: LimiterOptions

    @Option(help: "Gain before the rack, dB, -60 to 60.")
    var gain: Float = 0

    @Option(
        help: "Beats per minute, 20 to 300, for effects that follow the tempo. Rack files have no tempo; live, the metronome sets it.")
    var tempo: Float = MetronomeParameter.tempo.spec.initial.numbers[0]

    @Flag(help: "End where the input ends, without ringing out.")
    var cut = false

    func validate() throws {
        guard (-60...60).contains(gain) else { throw ValidationError("--gain \(gain): give -60 to 60 dB.") }
        let tempos = MetronomeParameter.tempo.spec.range
        guard tempos.contains(tempo) else {
            throw ValidationError(
                "--tempo \(tempo): give \(Int(clamping: tempos.lowerBound)) to \(Int(clamping: tempos.upperBound)) beats per minute.")
        }
    }

    /// Frames per block.
    private static let block = 512

    func run() throws {
        let rack = try rackPath()
        let description = try RackFile.read(rack)
        let file = try StereoFile(path: input, purpose: "a file to process")
        file.warnings.forEach(warn)
        guard (8000...192_000).contains(file.rate) else {
            throw MediaError("\(input) has a rate of \(file.rate) Hz; effects work from 8000 to 192000 Hz. Convert the file.")
        }
        var responses: [String: ResponseSpectra] = [:]
        for slot in description.slots where slot.kind.hasFile {
            guard let path = slot.texts["response"], !path.isEmpty else {
                throw MediaError("\(rack) has a convolution without a \"response\". Name an impulse response file there.")
            }
            guard responses[path] == nil else { continue }
            let response = try ImpulseResponse(path: path, rate: file.rate)
            response.warnings.forEach(warn)
            responses[path] = ResponseSpectra(response)
        }
        var effects = Rack(
            description, rate: Float(file.rate), largestBlock: Self.block, ceiling: limiting.ceiling, tempo: tempo
        ) { slot in
            responses[slot.texts["response"] ?? ""]
        }
        let writer = try MeasuredWriter(
            SoundWriter(outputs.open(output, inputs: [input, rack] + responses.keys), channels: 2, rate: file.rate))
        let total = file.frames + (cut ? 0 : effects.tail)
        let progress = ProgressLine("processing")
        let begin = rt_now()
        let reduction = try run(&effects, file, writer, total: total, progress)
        try writer.finish()
        progress.clear()
        file.limited.warnings.forEach(warn)
        let resets = effects.resets
        if resets > 0 {
            warn(
                "sound was not finite or more than 120 dB above full scale in \(counted(resets, "block")), faded out there; "
                    + "check \(input) and the gains in \(rack)")
        }
        let seconds = Double(total) / Double(file.rate)
        let spent = Double(rt_now() - begin) * 1e-9
        print(String(format: "%@: %.2f s in %.2f s (%.0f times real time)", output, seconds, spent, seconds / spent))
        print(limiting.report(writer.loudness, reduction: reduction))
    }

    /// The file of the rack: the path given where there is one, else the preset of that name, with its folder if it has one.
    private func rackPath() throws -> String {
        let isPath = rack.hasPrefix("/") || rack.split(separator: "/").contains { $0.hasPrefix(".") }
        guard !FilePlace.isThere(rack), !isPath else { return rack }
        let name = rack.hasSuffix(".json") ? rack : rack + ".json"
        let folders = [ClientFiles().folder(.presets), DataFolder.presets(presets)].compactMap(\.self)
        if let folder = folders.first(where: { FilePlace.isThere($0 + "/" + name) }) { return folder + "/" + name }
        throw ValidationError(
            "--rack \(rack): there is no such file, and no preset of this name in \(folders.joined(separator: " or ")).")
    }

    /// Returns the largest gain reduction of the limiter, dB.
    private func run(
        _ effects: inout Rack, _ file: StereoFile, _ writer: MeasuredWriter, total: Int, _ progress: ProgressLine
    ) throws -> Float {
        let block = Self.block
        let memory = UnsafeMutableRawPointer.allocate(byteCount: 4 * 4 * (block + 64), alignment: 64)
            .bindMemory(to: Float.self, capacity: 4 * (block + 64))
        memory.initialize(repeating: 0, count: 4 * (block + 64))
        defer { memory.deallocate() }
        let (left, right, pairs) = (memory, memory + block + 64, memory + 2 * (block + 64))
        let factor = powf(10, gain / 20)
        var skip = effects.latency
        var written = 0
        var reduction: Float = 0
        realtime_flush_denormals()
        while written < total {
            let got = try file.read(into: pairs, frames: block)
            let second = file.channels - 1
            for i in 0..<block {
                left[i] = i < got ? factor * pairs[i * file.channels] : 0
                right[i] = i < got ? factor * pairs[i * file.channels + second] : 0
            }
            effects.process(left, right, frames: block)
            reduction = max(reduction, effects.reduction)
            let first = min(skip, block)
            skip -= first
            let count = min(block - first, total - written)
            for i in 0..<count {
                pairs[2 * i] = left[first + i]
                pairs[2 * i + 1] = right[first + i]
            }
            if count > 0 { try writer.write(pairs, frames: count) }
            written += count
            progress.show(Double(written) / Double(total))
        }
        return reduction
    }
}
