internal import Hub
public import Media
internal import Parameters
internal import Rack

/// Impulse responses that are read while a rack plays: what is heard goes on until all that the rack waits for is there.
extension RackStation {
    /// Takes what has become of a file that this rack waits for.
    public func take(_ report: ResponseWorkshop.Report) {
        if let reason = responses.take(report) {
            giveUp(report.order.path, reason)
        } else if responses.isComplete {
            followWhenReady()
        }
        sayStates()
    }

    /// A slot whose file cannot be used keeps the one it had; what came with the file alone goes as it came.
    private func giveUp(_ path: String, _ reason: MediaError) {
        hub.notice(reason.description)
        let failed = model.slots.filter { ResponseLibrary.path($0.value.description) == path }.keys.sorted()
        let before = failed.compactMap { number in heard.slots[number].map { (number, $0) } }
        if before.count == failed.count, before.allSatisfy({ $1.description.kind == .convolution }) {
            var coming = model
            for (number, slot) in before { coming.takeBack(number, to: slot) }
            exchange(for: coming, title: nil)
            for number in failed { tell(number) }
        } else {
            goBack()
        }
        for number in failed { refuse(number, reason) }
    }

    /// Says why a slot has not got the file that it was to have.
    func refuse(_ number: Int, _ reason: any Error) {
        guard let slot = model.slots[number] else { return }
        refusals[number] = (slot.generation, "\(reason)")
        sayStates()
    }

    /// Tells everybody how far the files of all slots are.
    func sayStates() {
        refusals = refusals.filter { $1.generation == model.slots[$0]?.generation }
        for (number, slot) in model.slots where slot.description.kind == .convolution {
            let name = ResponseLibrary.path(slot.description)?.split(separator: "/").last.map(String.init) ?? ""
            let share = responses.progress(slot.description)
            let words =
                if let refusal = refusals[number] {
                    "failed: \(refusal.reason)"
                } else if share != nil {
                    "loading: \(name)"
                } else {
                    name.isEmpty ? "" : "ready: \(name)"
                }
            nodes[number]?.publish(state: words, progress: Float(share ?? (name.isEmpty ? 0 : 1)))
        }
    }
}
