import ArgumentParser
import Binaural
import Device
import Glibc
import Media
import Synthesis

/// `vestibule synth`: makes a motion-tracked binaural recording from mono sources.
struct SynthCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "synth",
        abstract: "Make a motion-tracked binaural recording from mono sources, with the rigid-sphere model.",
        discussion: """
            Every source is a plane wave from an azimuth (0 in front, positive to the left) \
            and an elevation, degrees. The recording's description is written beside it, as NAME.json.

              vestibule synth --source voice.wav@30 --source guitar.wav@-110,15 \
            --gain 0 --gain -6 --output scene.wav
            """)

    @Option(help: "Number of microphones, 4 to 64, evenly spaced clockwise from the front.")
    var microphones = 16

    @Option(help: "Radius of the sphere, metres.")
    var radius = Float(MicrophoneArray.standardRadius)

    @Option(help: "Sample rate of the recording, frames per second; sources of other rates are resampled.")
    var rate = DeviceFormat.standardRate

    @Option(help: "Mono sound file and its direction, FILE@AZIMUTH or FILE@AZIMUTH,ELEVATION. Repeatable.")
    var source: [String] = []

    @Option(help: "Gain of a source, dB: the first one for the first source, and so on. Repeatable.")
    var gain: [Double] = []

    @Flag(help: "Make a seamless loop.")
    var seamless = false

    @Flag(help: "Make the demonstration scene: a loop with a voice, instruments and a garden around the listener.")
    var demo = false

    @Option(help: "Output file: .wav, .rf64, .w64 or .caf.")
    var output: String

    @OptionGroup var outputs: OutputOptions

    func validate() throws {
        guard (4...MicrophoneArray.capacity).contains(microphones) else {
            throw ValidationError("--microphones \(microphones): give 4 to \(MicrophoneArray.capacity).")
        }
        guard radius >= 0.01, radius <= 1 else {
            throw ValidationError("--radius \(radius): give 0.01 to 1 metre.")
        }
        guard demo != !source.isEmpty else {
            throw ValidationError("Give one or more --source FILE@AZIMUTH, or --demo alone.")
        }
        guard gain.count <= source.count else {
            throw ValidationError(
                "--gain is given \(counted(gain.count, "time")) for \(counted(source.count, "source")). Give at most one for each --source."
            )
        }
    }

    func run() throws {
        if demo { try DemoScene.makeFolder(for: output) }
        let inputs = try source.map { try SceneDescription.Placement(parsing: $0).name }
        let files = try [output, SceneDescription.sidecar(of: output)].map { try outputs.open($0, inputs: inputs) }
        let array = MicrophoneArray.uniform(count: microphones, radius: radius)
        let progress = ProgressLine("Synthesising")
        let synthesis: SceneSynthesis
        var sources: [SceneSource] = []
        if demo {
            synthesis = try DemoScene().synthesis(array: array, rate: rate)
        } else {
            sources = try source.enumerated().map { index, text in
                try SceneSource(file: .init(parsing: text, gain: index < gain.count ? gain[index] : 0))
            }
            warnOnce(sources.flatMap(\.warnings))
            synthesis = try SceneSynthesis(array: array, rate: rate, sources: sources, seamless: seamless)
        }
        try synthesis.write(to: files[0], files[1]) { progress.show($0) }
        progress.clear()
        warnOnce(sources.flatMap(\.limitWarnings))
        let milliseconds = (Double(synthesis.delay) / Double(rate) * 1000).rounded(decimals: 2)
        let seconds = (Double(synthesis.frames) / Double(rate)).rounded(decimals: 3)
        print(
            """
            \(output): \(microphones) microphones, \(seconds) s at \(rate) Hz
            \(SceneDescription.sidecar(of: output)): its description
            Common delay: \(counted(synthesis.delay, "sample")) (\(milliseconds) ms)
            """)
    }
}
