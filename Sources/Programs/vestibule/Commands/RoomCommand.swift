import ArgumentParser
import Binaural
import Device
import Engine
import Evaluation
import FileOutput
internal import Files
import Foundation
import Media

/// `vestibule room`: the acoustics of a room.
struct RoomCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "room",
        abstract: "Compute the acoustics of a room: reverberation, clarity, critical distance, pictures.",
        discussion: """
            The figures are those of ISO 3382-1, taken from the impulse response that `render --room` uses. docs/rooms.md describes the \
            file.
            """)

    @ArgumentParser.Argument(help: "Description of the room, a JSON file.")
    var room: String?

    @Option(help: "Place of the source, FRONT,LEFT,UP in metres from the listeners.")
    var source = "2,1,0"

    @Option(help: "Output file for the figures as JSON.")
    var json: String?

    @Option(help: "Output folder for pictures: \(RoomPicture.allCases.map(\.fileName).joined(separator: ", ")).")
    var pictures: String?

    @Option(
        help: """
            Output file for the impulse response at the listeners' place without a head, .wav, .rf64, .w64 or .caf: the response, and the \
            late field by its sixteen directions.
            """)
    var response: String?

    @Option(help: "Frames per second.")
    var rate = DeviceFormat.standardRate

    @Flag(help: "Print all materials as JSON, with their sources.")
    var materials = false

    @OptionGroup var outputs: OutputOptions

    func validate() throws {
        guard room != nil || materials else { throw ValidationError("Name the description of a room, or give --materials.") }
        guard (8000...192_000).contains(rate) else { throw ValidationError("--rate \(rate): give 8000 to 192000 frames per second.") }
        _ = try place()
    }

    private func place() throws -> SIMD3<Float> {
        let numbers = source.split(separator: ",", omittingEmptySubsequences: false).map { Float($0) }
        guard numbers.count == 3, numbers.allSatisfy({ $0?.isFinite ?? false }) else {
            throw ValidationError("--source \(source): give three numbers, FRONT,LEFT,UP in metres, for example 2,1,0.")
        }
        return SIMD3(numbers[0]!, numbers[1]!, numbers[2]!)
    }

    func run() throws {
        if materials { return print(RoomMaterial.json, terminator: "") }
        guard let path = room else { return }
        let (file, source) = (try RoomFile(path: path), try place())
        try file.check(source, "--source \(self.source)")
        let outputFile = try json.map { try outputs.open($0, inputs: [path]) }
        let sound = try self.response.map { try outputs.open($0, inputs: [path]) }
        let names = RoomPicture.allCases.map(\.fileName)
        let drawings = try pictures.map { try outputs.open(names, in: $0, option: "--pictures", inputs: [path]) }
        let response = RoomResponse(file.room, source: source, order: file.order, rate: Float(rate))
        let figures = RoomFigures(response, room: file.room, rate: Double(rate))
        print(Self.table(figures))
        try outputFile?.complete(String(decoding: JSONEncoder.file.encode(figures), as: UTF8.self) + "\n")
        if let sound {
            let channels = [response.samples] + response.late
            let writer = try SoundWriter(sound, channels: channels.count, rate: rate)
            let frames = response.samples.indices.flatMap { frame in channels.map { $0[frame] } }
            try writer.write(frames, frames: response.samples.count)
            try writer.finish()
        }
        for (picture, drawing) in zip(RoomPicture.allCases, drawings ?? []) {
            switch picture {
            case .decay: try drawing.complete(RoomPicture.decay(figures))
            case .reflections: try drawing.complete(RoomPicture.reflections(response, room: file.room, source: source))
            case .coherence: try drawing.complete(RoomPicture.coherence(response, rate: Double(rate)))
            }
        }
    }

    private static func table(_ figures: RoomFigures) -> String {
        func row(_ title: String, _ format: String, _ value: (RoomFigures.Octave) -> Double?) -> String {
            title.padding(toLength: 20, withPad: " ", startingAt: 0)
                + figures.octaves.map { value($0).map { String(format: format, $0) } ?? String(repeating: " ", count: 7) + "-" }.joined()
        }
        return [
            row("octave, Hz", "%8.0f", \.frequency), row("T20, s", "%8.2f", \.t20), row("T30, s", "%8.2f", \.t30),
            row("EDT, s", "%8.2f", \.edt), row("Eyring, s", "%8.2f", \.eyring), row("C50, dB", "%8.1f", \.c50),
            row("C80, dB", "%8.1f", \.c80), row("D50", "%8.2f", \.d50), row("critical dist., m", "%8.2f", \.criticalDistance),
        ].joined(separator: "\n")
    }
}
