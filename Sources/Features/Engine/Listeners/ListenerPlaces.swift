import Crossing
import Hub
import Parameters

/// Passes the places of listeners on to the renderer. Used on the control thread only.
package final class ListenerPlaces {
    private let hub: Hub
    private let places: TargetRow

    /// - Parameter places: three coordinates for each listener.
    init(hub: Hub, places: TargetRow) {
        self.hub = hub
        self.places = places
    }

    func connect() {
        for listener in 0..<hub.tree.listeners {
            hub.onSet(hub.tree.index(ListenerParameter.xyz, listener)) { [unowned self] value, _ in
                for axis in 0..<3 { places[3 * listener + axis] = value.numbers[axis] }
            }
        }
    }
}
