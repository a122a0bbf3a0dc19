internal import Crossing

/// A listener on the network, rendered by a worker. It stays with its worker once it was made, and costs nothing while it is absent.
public struct NetworkListener: ~Copyable, Sendable {
    var listener: Listener
    /// From 0, among all listeners.
    let index: Int
    private let presence: Switch.Realtime
    /// Count of array changes that the listener was prepared for, and its channels.
    private var array = (changes: 0, channels: 0)
    private(set) var isPresent = false

    init(_ listener: consuming Listener, index: Int, isPresent: consuming Switch.Realtime) {
        self.listener = listener
        self.index = index
        presence = isPresent
    }

    /// Checks whether the listener is to be rendered.
    @_noLocks @_noAllocation
    mutating func look() {
        let isOn = presence.isOn
        // Sound from before its absence is not heard again.
        if isOn, !isPresent { listener.begin() }
        isPresent = isOn
    }

    /// Prepares the listener for the array of the coming block, if it has changed.
    @_noLocks @_noAllocation
    mutating func follow(changes: Int, channels: Int) {
        guard changes != array.changes else { return }
        listener.changeArray(isSameCount: channels == array.channels)
        array = (changes, channels)
    }
}
