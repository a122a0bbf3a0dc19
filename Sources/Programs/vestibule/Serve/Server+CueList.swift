import Engine
import Hub
import OSCControl

/// Cues send OSC messages to other programs.
extension Server {
    func connectCueList() {
        let outlet = OSCOutlet { [reports] in reports.add($0) }
        engine.controllers.cueList.onSend { outlet.send($0.address, $0.arguments, to: $0.destination.host, port: $0.destination.port) }
    }
}
