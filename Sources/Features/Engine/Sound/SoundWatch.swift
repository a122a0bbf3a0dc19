import Crossing
import Hub
import Parameters
import Render
import RenderInterface

/// Whether the sound of the engine is plausible.
package struct SoundReport: Sendable, Equatable {
    /// Seconds over which ``recentResets`` are counted.
    package static let window = 10

    /// Listeners, counted from 1, that have been silent for a second although sound plays and their gain is up.
    package var silentListeners: [Int] = []
    /// Number of times since the start that sound left its range and the renderer cleared the state that produced it.
    package var resets = 0
    package var recentResets = 0
    /// Number of ``resets`` because of infinite samples or NaN.
    package var nonFinite = 0
    /// Whether rendering has taken longer than the sound lasts for some seconds.
    package var isOverloaded = false
    /// Latest notice of a reset; empty without any.
    package var latest = ""

    package var isPlausible: Bool { silentListeners.isEmpty && recentResets == 0 }
}

/// Watches whether the sound is plausible, and reports state that the renderer cleared because it was not.
///
/// Used on the control thread only.
package final class SoundWatch {
    package private(set) var report = SoundReport()
    private let hub: Hub
    private let lines: RenderConnections
    private let racks: Racks
    /// Listener, counted from 0, whose levels are not reported; nothing is concluded from them.
    var blinded: Int?
    /// Whether a listener on the network, counted from 0, is rendered: others are silent.
    var isRendered: (Int) -> Bool = { _ in true }
    /// Number of limited samples of live input at the last report, and time of that report, CLOCK_MONOTONIC nanoseconds.
    private var limited = (count: 0, time: UInt64(0))
    private var known: [Int]
    private var knownNonFinite: [Int]
    private var silences: [SilenceDetector]
    private var recent = RecentCount(seconds: SoundReport.window)
    private var notices = ResetNotices()
    private var overload = OverloadWatch()

    init(hub: Hub, lines: RenderConnections, racks: Racks) {
        (self.hub, self.lines, self.racks) = (hub, lines, racks)
        known = .init(repeating: 0, count: lines.reports.places.count)
        knownNonFinite = known
        silences = lines.listeners.map { _ in SilenceDetector() }
    }

    /// Adds a listener to the watch.
    func addListener() { silences.append(SilenceDetector()) }

    /// Publishes counts and notices; called about thirty times a second, after the meters were published.
    ///
    /// - Parameter now: CLOCK_MONOTONIC nanoseconds.
    func publish(now: UInt64) {
        let before = report.resets
        collectPlaces()
        for reset in racks.takeResets() { add(reset.count, nonFinite: reset.nonFinite, of: reset.place) }
        recent.add(report.resets - before, now: now)
        report.recentResets = recent.sum
        for text in notices.take(now: now) {
            report.latest = text
            hub.notice(text)
        }
        reportLimits(now)
        watchSilence(now)
        hub.publish(hub.tree.index(EngineParameter.resets), .number(Float(report.resets)))
        hub.publish(hub.tree.index(EngineParameter.silent), .number(Float(report.silentListeners.count)))
    }

    /// Reports that rendering takes longer than the sound lasts.
    ///
    /// - Parameters:
    ///   - state: of the renderer.
    ///   - rate: frames per second.
    ///   - now: CLOCK_MONOTONIC nanoseconds.
    func watchLoad(_ state: EngineFrame, rate: Int, now: UInt64) {
        let notice = overload.note(busy: state.busy, samples: state.samples, rate: Double(rate), now: now)
        report.isOverloaded = overload.isOverloaded
        if let notice { hub.notice(notice) }
    }

    /// Reports live input that was out of range, at most every ten seconds.
    private func reportLimits(_ now: UInt64) {
        let count = Int(clamping: largest(EngineParameter.limited))
        guard count > limited.count, limited.time == 0 || now > limited.time &+ 10_000_000_000 else { return }
        hub.notice(
            "live input: \(counted(count - limited.count, "sample")) beyond ±64 (+36 dBFS) or not numbers, which were limited or silenced; "
                + "check the program or device that sends them")
        limited = (count, now)
    }

    private func collectPlaces() {
        for place in known.indices {
            let (resets, nonFinite) = (lines.reports.resets[place], lines.reports.nonFinite[place])
            guard resets != known[place] else { continue }
            add(resets - known[place], nonFinite: nonFinite - knownNonFinite[place], of: lines.reports.places.name(place))
            (known[place], knownNonFinite[place]) = (resets, nonFinite)
        }
    }

    private func add(_ count: Int, nonFinite: Int, of place: String) {
        report.resets += count
        report.nonFinite += nonFinite
        notices.add(count, of: place, isFinite: nonFinite == 0)
    }

    /// Compares the output of each listener with the input.
    private func watchSilence(_ now: UInt64) {
        let live = isOn(InputParameter.mute) ? 0 : largest(InputParameter.peak) * gain(InputParameter.gain)
        let input = max(largest(MicrophoneMeter.peak), live)
        let isTuning = isOn(TunerParameter.mute)
        for listener in silences.indices where hub.tree.isPresent[listener] && listener != blinded {
            guard listener < hub.tree.wired || isRendered(listener) else {
                silences[listener].note(input: 0, output: 0, now: now)
                continue
            }
            let level = isTuning || isOn(ListenerParameter.mute, listener) ? 0 : gain(ListenerParameter.gain, listener)
            silences[listener].note(input: input * level, output: largest(ListenerMeter.peak, listener), now: now)
        }
        report.silentListeners = silences.indices.filter { hub.tree.isPresent[$0] && silences[$0].isSilent }.map { $0 + 1 }
    }

    private func largest(_ parameter: some ParameterGroup, _ instance: Int = 0) -> Float {
        hub.value(hub.tree.index(parameter, instance)).numbers.max() ?? 0
    }

    private func isOn(_ parameter: some ParameterGroup, _ instance: Int = 0) -> Bool { largest(parameter, instance) != 0 }

    /// - Returns: a factor.
    private func gain(_ parameter: some ParameterGroup, _ instance: Int = 0) -> Float {
        parameter.spec.engineValue(largest(parameter, instance))
    }
}
