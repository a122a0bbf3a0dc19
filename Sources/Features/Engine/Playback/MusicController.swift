import Crossing
import Files
import Foundation
import Hub
import Media
import Parameters
import Render

/// Music for all listeners: starts and ends its reader, and publishes its state.
///
/// Used on the control thread only.
final class MusicController {
    private let hub: Hub
    private let sounds: SoundLibrary
    private let logins: StationLogins
    private let rate: Int
    private var feeds: Handover<MusicFeed>.Control
    private let heard: TargetRow
    private let report: @Sendable (String) -> Void
    private var reader: MusicReader?
    private var problem = ""

    /// - Parameters:
    ///   - logins: of stations.
    ///   - heard: 1 while music is audible.
    ///   - report: called with faults of files, on the thread that reads them.
    ///   - rate: of the engine, frames per second.
    init(
        hub: Hub, sounds: SoundLibrary, logins: StationLogins, feeds: consuming Handover<MusicFeed>.Control, heard: TargetRow, rate: Int,
        report: @escaping @Sendable (String) -> Void
    ) {
        (self.hub, self.sounds, self.logins, self.heard, self.rate, self.report) = (hub, sounds, logins, heard, rate, report)
        self.feeds = feeds
    }

    private func index(_ parameter: MusicParameter) -> Int { hub.tree.index(parameter) }

    func connect() {
        hub.onSet(index(.source)) { [unowned self] value, _ in
            let text = value.text ?? ""
            let source = try source(text)
            end()
            if isOn { begin(source) }
        }
        hub.onSet(index(.run)) { [unowned self] value, _ in
            guard value == .number(1) else { return end() }
            guard reader == nil || reader?.reading.phase == .failed || reader?.reading.phase == .ended else { return }
            end()
            begin(try source(hub.value(index(.source)).text ?? ""))
        }
        hub.onSet(index(.loop)) { [unowned self] value, _ in reader?.loop(value == .number(1)) }
    }

    private var isOn: Bool { hub.value(index(.run)) == .number(1) }

    /// The source that a text names; nil for none.
    private func source(_ text: String) throws -> MusicReader.Source? {
        guard !text.isEmpty else { return nil }
        guard text.unicodeScalars.allSatisfy({ $0.value >= 32 && $0.value != 127 }) else {
            throw RequestError("the source of the music has control characters")
        }
        guard !WrittenAddress.hasSecret(text) else {
            throw RequestError(
                "the address of the music contains a login or a token, which everyone with view access could read; write it into the file "
                    + "of --music-login-file, and leave it out of the address")
        }
        guard MusicReader.Source.isAddress(text) else {
            let sounds = sounds
            return .file { () throws(MediaError) in try sounds.path(text) }
        }
        guard let address = WrittenAddress(text), ["http", "https"].contains(address.scheme), !address.authority.isEmpty else {
            throw RequestError("\"\(text.prefix(120))\" is not the address of music; give one that begins with http:// or https://")
        }
        return .address(logins.address(address))
    }

    private func begin(_ source: MusicReader.Source?) {
        guard let source else { return }
        let loops = hub.value(index(.loop)) == .number(1)
        reader = MusicReader(source, rate: rate, loops: loops, report: report) { _ = feeds.send(MusicFeed($0)) }
    }

    private func end() {
        reader?.end()
        reader = nil
    }

    /// Publishes the state; called about thirty times a second.
    func publish() {
        feeds.collect()
        let reading = reader?.reading ?? MusicReader.Reading()
        hub.publish(index(.state), .number(state(reading).number))
        let seconds = Float(reading.filled) / Float(rate)
        hub.publish(index(.buffered), .number(reader == nil ? 0 : (seconds * 10).rounded() / 10))
        hub.publish(index(.title), .text(reading.title))
        hub.publish(index(.losses), .number(Float(reading.losses)))
        hub.publish(index(.problem), .text(reading.problem))
        if reading.problem != problem, !reading.problem.isEmpty { hub.notice("music: \(reading.problem)") }
        problem = reading.problem
    }

    private func state(_ reading: MusicReader.Reading) -> MusicParameter.State {
        if reader == nil { return .stopped }
        if heard[0] > 0 { return .playing }
        return switch reading.phase {
        case .connecting: .connecting
        case .receiving: .buffering
        case .failed: .failed
        case .ended: .stopped
        }
    }

    func stop() { end() }
}
