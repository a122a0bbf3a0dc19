import ArgumentParser
import Engine
import FileOutput
import Foundation
import Media

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
