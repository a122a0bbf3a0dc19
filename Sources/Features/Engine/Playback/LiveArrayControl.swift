import CRealtime
import Device
import Hub
import Media
import Parameters
import RenderInterface

/// The choice between the recording and the live array, and the array's state.
package final class LiveArrayControl {
    private let hub: Hub
    private let playback: Playback
    private let array: ArrayEditor
    /// Time at which a feed of the array was last heard, CLOCK_MONOTONIC nanoseconds.
    private var heardAt: UInt64 = 0
    private var wasLive = false
    /// Called when the number of microphones may have changed.
    var onChange: () -> Void = {}

    /// Nanoseconds without sound after which the array counts as lost.
    private static let longestSilence: UInt64 = 500_000_000

    init(hub: Hub, playback: Playback, array: ArrayEditor) {
        self.hub = hub
        self.playback = playback
        self.array = array
    }

    private func index(_ parameter: ArrayParameter) -> Int { hub.tree.index(parameter) }

    func connect() {
        hub.publish(index(.input), .text(playback.live?.name ?? playback.search?.option.source.description ?? ""))
        if let search = playback.search {
            hub.notice("\(search.problem) The engine starts without the array, and uses it when it is there.")
        }
        hub.onSet(index(.source)) { [unowned self] value, _ in try select(isLive: value.numbers[0] == 1) }
    }

    /// Plays the live array from now on.
    /// - Throws: `RequestError` when there is none.
    package func select() throws {
        try select(isLive: true)
        follow()
    }

    private func select(isLive: Bool) throws(RequestError) {
        playback.waitsForLive = false
        guard isLive != playback.isLive else { return }
        if isLive { try playback.playLive() } else { try playback.playRecording() }
        array.publish()
        onChange()
        for warning in playback.warnings { hub.notice(warning) }
    }

    /// Publishes which of the two plays, and whether the array delivers.
    /// - Parameter device: the clock of the device that plays.
    func publish(_ state: EngineFrame, _ device: DeviceClock, now: UInt64) {
        if playback.takeLive() { useFound() }
        if playback.isLive != wasLive { follow() }
        hub.publish(index(.latency), .number((Float(state.arrayLatency) / 1e4).rounded() / 100))
        if !playback.isLive || state.arrayLatency > 0 || heardAt == 0 { heardAt = now }
        let isLost = playback.isLive && now > heardAt + Self.longestSilence
        playback.live?.follow(device)
        let problem = isLost ? words : playback.search?.problem ?? ""
        guard problem != hub.value(index(.problem)).text else { return }
        hub.publish(index(.problem), .text(problem))
        if isLost { hub.notice(problem) }
    }

    /// Plays an array that was found, if it was chosen.
    private func useFound() {
        hub.notice("The array \(playback.live?.name ?? "") is there.")
        guard playback.waitsForLive else { return }
        do { try select(isLive: true) } catch { hub.notice("\(error)") }
    }

    private var words: String {
        let known = playback.live?.problem ?? ""
        return known.isEmpty ? "The array \(playback.live?.name ?? "") delivers no sound; it will be heard again when it does." : known
    }

    /// Publishes a change between the recording and the live array.
    private func follow() {
        wasLive = playback.isLive
        heardAt = 0
        hub.publish(index(.source), .number(wasLive || playback.waitsForLive ? 1 : 0))
        let duration = wasLive ? 0 : playback.player?.duration ?? 0
        hub.publish(hub.tree.index(TransportParameter.duration), .number(Float(duration)))
        if wasLive { hub.publish(hub.tree.index(TransportParameter.position), .number(0)) }
    }
}
