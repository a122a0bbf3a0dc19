import CRealtime
import Hub
import Parameters

extension Hub {
    /// Sets a parameter as part of a client's request.
    /// - Returns: the answer that the client would get.
    @discardableResult
    func set(_ address: String, to arguments: [Argument]) -> Reply {
        // "No recording" is a state that cannot be loaded.
        if address == SessionParameter.recording.address(), arguments == [.string("")] { return .done }
        return handle(Message(address: address, arguments: arguments, receiveTime: rt_now()))
    }
}
