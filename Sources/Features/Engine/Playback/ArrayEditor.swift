import Binaural
import Crossing
import Hub
import Parameters

/// The microphone array: the recording's metadata, and the settings that replace it.
final class ArrayEditor {
    private let hub: Hub
    private let playback: Playback
    private let rate: Double
    /// Called when the array in use may have changed.
    var onChange: () -> Void = {}

    /// - Parameter rate: of the engine, frames per second.
    init(hub: Hub, playback: Playback, rate: Double) {
        self.hub = hub
        self.playback = playback
        self.rate = rate
    }

    /// Applies every setting of the array as soon as it is set.
    func connect() {
        let tree = hub.tree
        for setting in ArraySetting.allCases where setting != .crossover {
            hub.onSet(tree.index(setting)) { [unowned self] value, _ in
                try playback.follow(plan { $0 == setting ? value : hub.value(tree.index($0)) })
                publish()
            }
        }
        hub.onSet(tree.index(ArraySetting.crossover)) { [unowned self] value, _ in publish(crossover: value.numbers[0]) }
    }

    /// The settings as a plan.
    private func plan(_ value: (ArraySetting) -> ParameterValue) -> ArrayPlan {
        func numbers(_ setting: ArraySetting) -> [Float] { value(setting).numbers }
        let rate = Float(rate)
        let gain = ArraySetting.gain.spec
        var plan = ArrayPlan()
        plan.radius = numbers(.radius)[0]
        plan.direction = ArrayPlan.Direction(rawValue: Int(clamping: numbers(.direction)[0])) ?? .recording
        plan.first = numbers(.firstAzimuth)[0]
        plan.azimuths = numbers(.azimuths)
        plan.calibration = Calibration(
            gains: numbers(.gain).map(gain.engineValue), inverted: numbers(.inverted).map { $0 >= 0.5 },
            muted: numbers(.mute).map { $0 >= 0.5 }, delays: numbers(.delay).map { $0 * rate / 1000 })
        return plan
    }

    /// Publishes the array in use, and the crossovers that follow from it.
    ///
    /// - Parameter crossover: a value that is just being set, hertz, 0 for automatic; nil for the stored one.
    func publish(crossover: Float? = nil) {
        guard let array = playback.array else { return }
        let tree = hub.tree
        hub.publish(tree.index(ArrayParameter.count), .number(Float(array.count)))
        hub.publish(tree.index(ArrayParameter.radius), .number(array.radius))
        hub.publish(tree.index(ArrayParameter.azimuth), .vector(array.azimuthList))
        let manual = crossover ?? hub.value(tree.index(ArraySetting.crossover)).numbers[0]
        let unmuted = (0..<array.count).count { !playback.plan.calibration.isMuted($0) }
        for (parameter, kind) in [(ArrayParameter.crossover, Crossover.neighbours), (.ringCrossover, .ring)] {
            let automatic = kind.frequency(count: unmuted == 0 ? array.count : unmuted, radius: array.radius)
            hub.publish(tree.index(parameter), .number(manual > 0 ? manual : automatic))
        }
        onChange()
    }
}
