internal import Hub
internal import Parameters
internal import Web

/// The sound device, the listeners on the network, and takes.
extension Metrics {
    func addDevice(_ text: inout MetricsText) {
        let isLost = value(DeviceParameter.state) == Double(DeviceParameter.State.lost.number)
        text.gauge("vestibule_device_lost", "1 while the engine runs without its sound device.", isLost ? 1 : 0)
        text.counter("vestibule_device_losses_total", "Times that the sound device was lost.", value(DeviceParameter.losses))
        text.counter("vestibule_device_lost_frames_total", "Frames that no sound device played.", Double(lostDeviceFrames()))
    }

    /// Absent without listeners on the network.
    func addListeners(_ text: inout MetricsText) {
        guard hub.tree.listeners > hub.tree.wired else { return }
        text.gauge(
            "vestibule_network_listeners", "Listeners on the network.",
            max(0, value(NetworkListenerParameter.count) - Double(hub.tree.wired)))
        text.gauge(
            "vestibule_network_load_ratio", "Load of the busiest thread that renders network listeners.",
            value(NetworkListenerParameter.load))
        text.counter(
            "vestibule_network_lost_blocks_total", "Blocks that network listeners missed because rendering took too long.",
            value(NetworkListenerParameter.lost))
    }

    func addTakes(_ text: inout MetricsText) {
        text.gauge("vestibule_take_recording", "1 while a take is recorded.", value(TakeParameter.recording))
        text.gauge("vestibule_take_lost_seconds", "Sound missing in the current or latest take.", value(TakeParameter.lost))
        text.gauge("vestibule_take_remaining_seconds", "Recording time left on the disk.", value(TakeParameter.remaining))
    }
}
