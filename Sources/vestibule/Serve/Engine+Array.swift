import Binaural
import Crossing
import Device
import Hub
import Parameters

/// The microphone array: what the recording says, and what a person says over it.
extension Engine {
    /// Makes every setting of the array heard as soon as it is set.
    func connectArray() {
        for setting in ArraySetting.allCases where setting != .crossover {
            hub.onSet(tree.slot(setting)) { [unowned self] value, _ in
                try deck.follow(plan { $0 == setting ? value : hub.value(tree.slot($0)) })
                publishArray()
            }
        }
        let crossover = tree.slot(ArraySetting.crossover)
        hub.onSet(crossover) { [unowned self] value, _ in publishArray(crossover: value.numbers[0]) }
    }

    /// What is set, as the array understands it.
    private func plan(_ value: (ArraySetting) -> ParameterValue) -> ArrayPlan {
        func numbers(_ setting: ArraySetting) -> [Float] { value(setting).numbers }
        let rate = Float(device.format.rate)
        let gain = ArraySetting.gain.spec
        var plan = ArrayPlan()
        plan.radius = numbers(.radius)[0]
        plan.direction = ArrayPlan.Direction(rawValue: Int(numbers(.direction)[0])) ?? .recording
        plan.first = numbers(.firstAzimuth)[0]
        plan.azimuths = numbers(.azimuths)
        plan.calibration = Calibration(
            gains: numbers(.gain).map(gain.engineValue), inverted: numbers(.inverted).map { $0 >= 0.5 },
            muted: numbers(.mute).map { $0 >= 0.5 }, delays: numbers(.delay).map { $0 * rate / 1000 })
        return plan
    }

    /// Tells everybody where the microphones are taken to be, and what follows from it.
    ///
    /// - Parameter crossover: set by hand, hertz; nil for what is stored.
    func publishArray(crossover: Float? = nil) {
        guard let array = deck.array else { return }
        hub.publish(tree.slot(ArrayParameter.count), .number(Float(array.count)))
        hub.publish(tree.slot(ArrayParameter.radius), .number(array.radius))
        hub.publish(tree.slot(ArrayParameter.azimuth), .vector(array.azimuthList))
        let byHand = crossover ?? hub.value(tree.slot(ArraySetting.crossover)).numbers[0]
        let alive = (0..<array.count).count { !deck.plan.calibration.isMuted($0) }
        for (parameter, kind) in [(ArrayParameter.crossover, Crossover.neighbours), (.ringCrossover, .ring)] {
            let rule = kind.frequency(count: alive == 0 ? array.count : alive, radius: array.radius)
            hub.publish(tree.slot(parameter), .number(byHand > 0 ? byHand : rule))
        }
        followArray()
    }
}
