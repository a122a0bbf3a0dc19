import Crossing
import Hub
import Parameters
import Render
import RenderCore

/// The looper's commands and reports. Used on the control thread only.
final class LooperControl {
    /// Longest loop, seconds; with a live input, its memory is allocated at the start.
    static let longest = Looper.longest

    private let hub: Hub
    private let report: TargetRow
    private var commands: Ring<LooperCommand>.Producer
    private let hasInput: Bool

    init(hub: Hub, lines: RenderConnections, hasInput: Bool) {
        self.hub = hub
        report = lines.direct.loop
        commands = lines.direct.looper.take()
        self.hasInput = hasInput
    }

    func connect() {
        let buttons: [(LooperParameter, LooperCommand)] = [
            (.record, .record), (.overdub, .overdub), (.play, .play), (.undo, .undo), (.redo, .redo), (.clear, .clear),
        ]
        for (parameter, command) in buttons {
            hub.onSet(hub.tree.index(parameter)) { [unowned self] _, _ in
                guard hasInput else { throw RequestError("there is no live input to record; start with --input") }
                guard commands.push(command) else { throw RequestError("too many commands at once; try again") }
            }
        }
    }

    /// The state that the looper has reported.
    private var state: LooperParameter.State {
        switch LooperState(rawValue: Int(clamping: report[0])) {
        case .empty, nil: .empty
        case .waiting: .waiting
        case .recording: .recording
        case .playing: .playing
        case .overdubbing: .overdubbing
        case .stopped: .stopped
        }
    }

    func publish() {
        let numbers: [(LooperParameter, Float)] = [
            (.state, state.number), (.length, (report[1] * 1000).rounded() / 1000), (.position, (report[2] * 1000).rounded() / 1000),
            (.canUndo, report[3]), (.canRedo, report[4]),
        ]
        for (parameter, number) in numbers { hub.publish(hub.tree.index(parameter), .number(number)) }
    }
}
