import ArgumentParser
import CRealtime
import Hub
import Parameters

/// How far ahead heads are predicted, as somebody types it.
enum PredictionOption: ExpressibleByArgument {
    case measured
    /// 0 is not at all.
    case milliseconds(Float)

    init?(argument: String) {
        switch argument {
        case "auto": self = .measured
        case "off": self = .milliseconds(0)
        default:
            guard let number = Float(argument), ListenerParameter.prediction.spec.range.contains(number) else { return nil }
            self = .milliseconds(number)
        }
    }

    /// For every listener.
    func set(_ engine: Engine) throws {
        let (isMeasured, time): (Bool, Float) =
            switch self {
            case .measured: (true, 0)
            case .milliseconds(let time): (false, time)
            }
        for listener in 0..<engine.tree.listeners {
            try set(engine, .autoPrediction, listener, .bool(isMeasured))
            try set(engine, .prediction, listener, .float(time))
        }
    }

    private func set(
        _ engine: Engine, _ parameter: ListenerParameter, _ listener: Int, _ value: Parameters.Argument
    ) throws {
        let reply = engine.hub.handle(
            Message(address: parameter.address(listener), arguments: [value], receiveTime: rt_now()))
        if let text = reply.text { throw ValidationError(text) }
    }
}
