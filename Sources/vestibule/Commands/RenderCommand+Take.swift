import ArgumentParser
import Engine
import FileOutput
import Foundation
import Media

/// Rendering of takes, which bring their own session, motion and format.
extension RenderCommand {
    func render(take: String) throws {
        guard object.isEmpty, motion == nil, yaw == nil, hrtf.isEmpty, rate == nil else {
            throw ValidationError(
                "\(take) is a take: it is rendered with its own session and motion. Leave out --object, --motion, --yaw, --hrtf and "
                    + "--rate, or name \(take)/array… to render its microphones in another way.")
        }
        let rendering = try TakeRendering(take)
        let output = try outputs.open(output, inputs: [take])
        let begin = Date()
        let writer = try SoundWriter(output, channels: 2, rate: rendering.rate)
        try rendering.render(listener: listener, to: writer, report: warn)
        let seconds = Double(try rendering.frames) / Double(rendering.rate)
        let spent = -begin.timeIntervalSinceNow
        print(String(format: "%@: %.2f s in %.2f s (%.0f times real time)", output.path, seconds, spent, seconds / spent))
    }
}
