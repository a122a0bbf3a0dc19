import ArgumentParser
import Parameters

/// `--prediction`: how far ahead heads are predicted.
enum PredictionOption: ExpressibleByArgument {
    /// To the time the sound is heard.
    case automatic
    /// 0 is off.
    case milliseconds(Float)

    init?(argument: String) {
        switch argument {
        case "auto": self = .automatic
        case "off": self = .milliseconds(0)
        default:
            guard let number = Float(argument), ListenerParameter.prediction.spec.range.contains(number) else { return nil }
            self = .milliseconds(number)
        }
    }

    /// The parameters of a listener that this sets, in order.
    var settings: [(parameter: ListenerParameter, value: Parameters.Argument)] {
        switch self {
        case .automatic: [(.autoPrediction, .bool(true)), (.prediction, .float(0))]
        case .milliseconds(let time): [(.autoPrediction, .bool(false)), (.prediction, .float(time))]
        }
    }
}
