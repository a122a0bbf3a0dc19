import Binaural
import Device
import Hub
import Media
import Parameters

/// Ears of one's own: which file, how large a head, and when filters are worked out.
extension Engine {
    /// Makes what is said about a listener's ears take effect, as soon as its method is `personal`.
    func connectPersonal() {
        let rate = Double(device.format.rate)
        for (listener, desk) in desks.enumerated() {
            hub.onSet(tree.slot(ListenerParameter.method, listener)) { [unowned self] value, _ in
                guard value == .number(Float(InterpolationMethod.personal.rawValue)) else { return desk.rest() }
                desk.follow(layout, rate: rate)
            }
            hub.onSet(tree.slot(ListenerParameter.hrtf, listener)) { [unowned self] value, _ in
                let path = value.text ?? ""
                if desk.isChosen || !path.isEmpty { _ = try SofaFile.resolved(path) }
                if desk.isChosen { desk.follow(layout, rate: rate, path: path) }
            }
            hub.onSet(tree.slot(ListenerParameter.headRadius, listener)) { [unowned self] value, _ in
                let radius = value.numbers[0]
                try PersonalOrder.check(headRadius: radius)
                if desk.isChosen { desk.follow(layout, rate: rate, headRadius: radius) }
            }
        }
    }

    /// What filters are made for; nil while there is no recording.
    private var layout: PersonalLayout? { deck.array.map { PersonalLayout($0, calibration: deck.plan.calibration) } }

    /// The array is another: everybody who hears through ears of their own needs other filters.
    func followArray() {
        for desk in desks where desk.isChosen { desk.follow(layout, rate: Double(device.format.rate)) }
    }

    /// Takes what the workshop has done, some thirty times a second.
    func settlePersonal() {
        for report in workshop.take() { desks[report.customer].take(report) }
        for desk in desks { desk.settle() }
    }
}
