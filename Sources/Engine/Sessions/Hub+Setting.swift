import CRealtime
import Hub
import Parameters

extension Hub {
    /// Sets a parameter as part of a client's request.
    func set(_ address: String, to arguments: [Argument]) {
        // "No recording" is a state that cannot be loaded.
        if address == SessionParameter.recording.address(), arguments == [.string("")] { return }
        handle(Message(address: address, arguments: arguments, receiveTime: rt_now()))
    }
}
