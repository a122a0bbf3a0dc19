import ArgumentParser
import Device

extension ServeCommand {
    /// The channels that listeners are played on, by `--output`.
    func outputsOfListeners() throws -> OutputRoutes {
        let pairs = try pairsOfListeners()
        do throws(DeviceError) { return try OutputRoutes(listeners: playback.deviceListeners, pairs) } catch {
            throw ValidationError("--output: \(error)")
        }
    }

    /// The pairs that `--output` names, by listener, counted from 0.
    func pairsOfListeners() throws(ValidationError) -> [Int: ChannelPair] {
        var pairs: [Int: ChannelPair] = [:]
        for text in playback.output {
            let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2, let listener = Int(parts[0]), listener > 0 else {
                throw ValidationError("--output \(text): give a listener and two channels, as in 2=3,4.")
            }
            guard pairs[listener - 1] == nil else { throw ValidationError("--output \(text): listener \(listener) has channels already.") }
            do throws(DeviceError) { pairs[listener - 1] = try ChannelPair(String(parts[1])) } catch {
                throw ValidationError("--output \(text): \(error)")
            }
        }
        return pairs
    }
}
