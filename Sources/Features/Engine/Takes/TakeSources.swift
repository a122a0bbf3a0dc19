import Binaural
import Hub
import Parameters
import RenderInterface

/// The sources of takes, whose latest seconds are kept in memory. Used on the control thread only.
final class TakeSources {
    /// Seconds for which the disk may be slow.
    static let patience = 10.0
    /// Maximum number of samples of all sources in memory: 2 GiB.
    static let mostSamples = 1 << 29

    private let hub: Hub
    private let playback: Playback
    private let worker: TakeWorker
    private let rate: Int
    private let hasInput: Bool
    /// Returns the numbers of the listeners on the network, from 1.
    var network: () -> [Int] = { [] }
    /// Called with the listeners whose ears are kept in memory, counted from 0.
    var onEars: (Set<Int>) -> Void = { _ in }
    /// The sources that are kept, and their channels.
    private(set) var armed: [TakeSource: Int] = [:]
    private var armedPreRoll: Float = -1

    /// - Parameter hasInput: whether there is a live input.
    init(hub: Hub, playback: Playback, worker: TakeWorker, rate: Int, hasInput: Bool) {
        (self.hub, self.playback, self.worker) = (hub, playback, worker)
        (self.rate, self.hasInput) = (rate, hasInput)
    }

    /// The chosen sources that are available, and their channels.
    private var chosen: [TakeSource: Int] {
        var sources: [TakeSource: Int] = [:]
        let ears = try? TakeSelection.ears(
            hub.value(hub.tree.index(TakeSourceParameter.ears)).text ?? "", wired: hub.tree.wired, network: network(), isComplete: false)
        for source in ears ?? [] { sources[source] = 2 }
        if hasInput {
            let choice = Int(clamping: hub.value(hub.tree.index(TakeSourceParameter.input)).numbers[0])
            for source in TakeSelection.input(choice) { sources[source] = 2 }
        }
        if hub.value(hub.tree.index(TakeSourceParameter.array)) == .number(1), let array = playback.array {
            sources[.array] = array.count
        }
        return sources
    }

    /// Seconds.
    var preRoll: Float { hub.value(hub.tree.index(TakeParameter.preRoll)).numbers[0] }

    /// Makes the takes thread keep the sources that are chosen now. Call while no take is being recorded.
    func arm() {
        let (sources, preRoll) = (chosen, preRoll)
        guard sources != armed || preRoll != armedPreRoll else { return }
        let isResized = preRoll != armedPreRoll
        (armed, armedPreRoll) = (sources, preRoll)
        onEars(Set(sources.keys.compactMap { $0.listener.map { $0 - 1 } }))
        let rate = Double(rate)
        var kept = Int(clamping: (Double(preRoll) + Takes.lead + 0.1) * rate)
        var capacity = Self.power(kept + Int(clamping: Self.patience * rate))
        let channels = sources.values.reduce(0, +)
        while capacity * channels > Self.mostSamples { capacity /= 2 }
        let fitting = capacity - Int(clamping: Self.patience * rate)
        if fitting < kept {
            kept = max(0, fitting)
            let seconds = Int(clamping: Double(kept) / rate - Takes.lead)
            let patience = Int(clamping: Double(capacity - kept) / rate)
            hub.notice(
                "take: \(channels) channels with the pre-roll need more than 2 GiB of memory; \(max(0, seconds)) s are kept, and the disk "
                    + "may be slow for \(patience) s")
        }
        worker.add(.arm(sources, capacity: capacity, keep: kept, isResized: isResized))
    }

    /// The smallest power of two that is not below a number.
    private static func power(_ number: Int) -> Int { number <= 1 ? 1 : 1 << (Int.bitWidth - (number - 1).leadingZeroBitCount) }
}

/// The sources of takes, as a client chooses them.
enum TakeSelection {
    /// Groups of listeners by their word: all, those of the sound device, and those on the network.
    private enum Group: String { case all, wired, network }

    /// Reads numbers of listeners such as `1,3`, and groups of them.
    ///
    /// - Parameters:
    ///   - wired: number of listeners of the sound device.
    ///   - network: numbers of those on the network.
    ///   - isComplete: whether every listener must be there; otherwise those that are not are left out.
    /// - Throws: `RequestError` that states valid values.
    static func ears(_ text: String, wired: Int, network: [Int], isComplete: Bool = true) throws -> [TakeSource] {
        var found: Set<Int> = []
        for word in text.split(whereSeparator: { $0 == "," || $0 == " " }) {
            switch Group(rawValue: String(word)) {
            case .all: found.formUnion(Array(1...wired) + network)
            case .wired: found.formUnion(1...wired)
            case .network: found.formUnion(network)
            case nil:
                if let number = Int(word), (1...wired).contains(number) || network.contains(number) {
                    found.insert(number)
                } else if isComplete {
                    throw RequestError("there is no listener \"\(word.prefix(40))\"; \(valid(wired: wired, network: network))")
                }
            }
        }
        return found.sorted().map { .ears($0 - 1) }
    }

    private static func valid(wired: Int, network: [Int]) -> String {
        let last = wired == 1 ? "1" : "1 to \(wired)"
        let others = network.prefix(8).map(String.init).joined(separator: ", ") + (network.count > 8 ? ", …" : "")
        return "give numbers (\(last)\(network.isEmpty ? "" : ", and \(others) on the network")), wired, network, all, or nothing"
    }

    /// Returns a selection without the number of a removed listener, since the next listener with this number is a different one.
    /// - Parameter number: from 1.
    static func ears(_ text: String, without number: Int) -> String {
        let words = text.split(whereSeparator: { $0 == "," || $0 == " " })
        guard words.contains(where: { Int($0) == number }) else { return text }
        return words.filter { Int($0) != number }.joined(separator: ",")
    }

    /// The sources of the live input.
    /// - Parameter choice: place in `TakeSourceParameter.inputs`.
    static func input(_ choice: Int) -> [TakeSource] { [[], [.input], [.processedInput], [.input, .processedInput]][choice] }
}
