import Crossing
import Render

/// The control thread's connection to one worker: hands over listeners, and signals to the audio thread whether the worker needs blocks.
final class WorkerLine {
    private var listeners: Handover<NetworkListener>.Control
    private let isNeeded: Switch.Control
    /// Indices of the listeners that are rendered.
    private var rendered: Set<Int> = []

    init(_ worker: NetworkConnections.Worker) {
        listeners = worker.listeners.take()
        isNeeded = worker.isNeeded.take()
    }

    /// Makes a listener for this worker.
    func make(_ index: Int, _ network: NetworkConnections) -> RenderConnections.Listener { network.make(index, &listeners) }

    /// Notes that a listener is rendered from now on, or no longer.
    func set(_ index: Int, _ isOn: Bool) {
        if isOn { rendered.insert(index) } else { rendered.remove(index) }
        isNeeded.set(!rendered.isEmpty)
    }

    /// Frees memory that the worker has returned.
    func collect() { listeners.collect() }
}
