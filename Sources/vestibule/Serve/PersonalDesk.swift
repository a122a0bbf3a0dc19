import Binaural
import Crossing
import Hub
import Media
import Parameters
import Render

/// One listener's own ears: what is wanted, what is being worked out, what is heard. On the control thread.
final class PersonalDesk {
    private let hub: Hub
    private let listener: Int
    private let workshop: PersonalWorkshop
    private var ears: Handover<PersonalEars>.Control
    /// What the listener wants now.
    private var wanted: PersonalOrder?
    /// What it has.
    private var has: PersonalOrder?
    /// Filters that the renderer had no room for.
    private var waiting: FilterBank?
    /// The last file that filters could be made of, if any could.
    private var lastGood: String?

    init(hub: Hub, listener: Int, workshop: PersonalWorkshop, ears: consuming Handover<PersonalEars>.Control) {
        self.hub = hub
        self.listener = listener
        self.workshop = workshop
        self.ears = ears
    }

    private func slot(_ parameter: ListenerParameter) -> Int { hub.tree.slot(parameter, listener) }

    /// Whether the listener's method is `personal`.
    var isChosen: Bool {
        hub.value(slot(.method)) == .number(Float(InterpolationMethod.personal.rawValue))
    }

    /// Orders filters, if there are none like these and none are being made.
    ///
    /// - Parameters:
    ///   - layout: nil while no recording is loaded.
    ///   - path: a value that is just being set; nil for what is stored. So is `headRadius`.
    func follow(_ layout: PersonalLayout?, rate: Double, path: String? = nil, headRadius: Float? = nil) {
        let order = layout.map { layout in
            PersonalOrder(
                path: path ?? hub.value(slot(.hrtf)).text ?? "",
                headRadius: headRadius ?? hub.value(slot(.headRadius)).numbers[0], layout: layout, rate: rate)
        }
        guard order != wanted else { return }
        wanted = order
        workshop.order(order == has ? nil : order, for: listener)
        if let order, order == has {
            say("ready: \(Self.name(order.path))", 1)
        } else if order != nil {
            say("waits for its turn", 0)
        }
    }

    /// Nothing is wanted any more; what is heard stays.
    func rest() {
        guard let wanted, wanted != has else { return }
        self.wanted = has
        workshop.order(nil, for: listener)
        say(has == nil ? "" : "ready: \(Self.name(has?.path ?? ""))", has == nil ? 0 : 1)
    }

    /// Takes what the workshop says of this listener's order.
    func take(_ report: PersonalWorkshop.Report) {
        guard report.order == wanted else { return }
        switch report.outcome {
        case .progress(let share): say("working out filters", Float((share * 100).rounded() / 100))
        case .done(let filters):
            has = report.order
            lastGood = report.order.path
            waiting = filters.bank
            settle()
            let radius =
                filters.measuredRadius > 0
                ? "; the measured head's radius is \((filters.measuredRadius * 1000).rounded() / 10) cm" : ""
            say("ready: \(Self.name(filters.path))\(radius)", 1)
            if let problem = filters.notKept { hub.notice(problem.description) }
        case .refused(let reason):
            // What is heard goes on, and the parameters say again what that is.
            wanted = has
            hub.notice(reason.description)
            say("refused: \(reason)", 0)
            hub.publish(slot(.hrtf), .text(lastGood ?? ""))
            hub.publish(slot(.headRadius), .number(has?.headRadius ?? 0))
        }
    }

    /// Sends again what the renderer had no room for, and frees what it is done with.
    func settle() {
        ears.collect()
        if let bank = waiting, ears.send(PersonalEars(bank)) { waiting = nil }
    }

    private static func name(_ path: String) -> String { path.isEmpty ? "the responses of libmysofa" : path }

    private func say(_ text: String, _ share: Float) {
        hub.publish(slot(.hrtfState), .text(text))
        hub.publish(slot(.hrtfProgress), .number(share))
    }
}
