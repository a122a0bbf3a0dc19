/// A room or a device by its impulse response.
public enum ConvolutionParameter: Int, ParameterGroup {
    case gain, mix, response

    public static let container = "/slot/{n}/convolution"
    public static let summary = "A room or a device by its impulse response."

    public var spec: ParameterSpec {
        switch self {
        case .gain: .level("Gain", -40...24, initial: 0, "Of the convolved sound.")
        case .mix: .share("Mix", initial: 0.3, "Share of the convolved sound.")
        case .response: .text("Response", "Path of the impulse response, a sound file of one or two channels.")
        }
    }
}
