/// The air between sound objects and heads.
public enum AirParameter: Int, ParameterGroup {
    case temperature, humidity

    public static let container = "/air"
    public static let summary = "The air that absorbs the sound of objects."
    public static var topic: Topic? { .objects }

    public var spec: ParameterSpec {
        switch self {
        case .temperature:
            .init(
                title: "Air temperature", summary: "Changes how fast high frequencies fade with distance.", unit: .celsius,
                range: -20...50, initial: .number(20), role: .airTemperature
            ).smoothed(.level)
        case .humidity:
            .init(
                title: "Humidity", summary: "Relative humidity of the air.", unit: .percent, range: 10...100, initial: .number(50),
                role: .airHumidity
            ).smoothed(.level)
        }
    }
}
