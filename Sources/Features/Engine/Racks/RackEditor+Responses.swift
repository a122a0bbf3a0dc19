import Effects
import Hub
package import Media
import Parameters
import Rack

/// Impulse responses that are read while the rack plays: the previous rack is heard until all that the new one needs are there.
extension RackEditor {
    /// Takes the progress or the result of reading an impulse response.
    package func take(_ report: ResponseLoader.Report) {
        if case .done(let response) = report.outcome { response.warnings.forEach { hub.notice($0) } }
        if let reason = responses.take(report) {
            giveUp(report.request.path, reason)
        } else if responses.isComplete {
            followWhenReady()
        }
        publishStates()
    }

    /// Restores the former file of a slot whose new file cannot be used; effects that were added together with the file are removed again.
    private func giveUp(_ path: String, _ reason: MediaError) {
        hub.notice(reason.description)
        let heard = playback.heard
        let failed = model.slots.filter { ResponseLibrary.path($0.value.description) == path }.keys.sorted()
        let before = failed.compactMap { number in heard.slots[number].map { (number, $0) } }
        if before.count == failed.count, before.allSatisfy({ $1.description.kind.hasFile }) {
            var coming = model
            for (number, slot) in before { coming.takeBack(number, to: slot) }
            exchange(for: coming, title: nil)
            for number in failed { playback.set(number, of: model) }
        } else {
            exchange(for: heard, title: playback.title)
        }
        for number in failed { refuse(number, reason) }
    }

    /// Publishes the reason why a slot did not get the file that was set.
    func refuse(_ number: Int, _ reason: any Error) {
        guard let slot = model.slots[number] else { return }
        refusals[number] = (slot.generation, "\(reason)")
        publishStates()
    }

    /// Publishes the state of every slot's file.
    func publishStates() {
        refusals = refusals.filter { $1.generation == model.slots[$0]?.generation }
        for (number, slot) in model.slots where slot.description.kind.hasFile {
            let name = ResponseLibrary.path(slot.description)?.split(separator: "/").last.map(String.init) ?? ""
            let share = responses.progress(slot.description)
            let state: LoadState =
                if let refusal = refusals[number] {
                    .failed(refusal.reason)
                } else if share != nil {
                    .loading(name)
                } else {
                    name.isEmpty ? .empty : .ready(name)
                }
            parameters.publish(number, state: "\(state)", progress: Float(share ?? (name.isEmpty ? 0 : 1)))
        }
    }
}
