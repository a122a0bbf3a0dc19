import ArgumentParser
import Parameters

/// `--object FILE@AZIMUTH[,ELEVATION[,DISTANCE]]`: a sound file and its position.
struct ObjectOption {
    let path: String
    /// The coordinates that were given, in this order: degrees, degrees, metres.
    let place: [(parameter: ObjectParameter, value: Float)]

    private static let parameters: [ObjectParameter] = [.azimuth, .elevation, .distance]

    init(_ text: String) throws {
        func refuse(_ why: String) -> ValidationError {
            ValidationError(
                "--object \(text): \(why). Write FILE@AZIMUTH, FILE@AZIMUTH,ELEVATION or FILE@AZIMUTH,ELEVATION,DISTANCE, for "
                    + "example voice.wav@30,0,2.")
        }
        guard let at = text.lastIndex(of: "@"), at > text.startIndex else { throw refuse("there is no @ after the file") }
        path = String(text[..<at])
        let numbers = text[text.index(after: at)...].split(separator: ",", omittingEmptySubsequences: false)
        guard numbers.count <= Self.parameters.count else { throw refuse("there are more than three numbers") }
        place = try zip(Self.parameters, numbers).map { parameter, number in
            guard let value = Float(number), value.isFinite else { throw refuse("\"\(number)\" is no number") }
            let range = parameter.spec.range
            guard range.contains(value) else {
                throw refuse("\(parameter.leaf) is \(Self.plain(range.lowerBound)) to \(Self.plain(range.upperBound)), not \(number)")
            }
            return (parameter, value)
        }
    }

    private static func plain(_ number: Float) -> String { ParameterSpec.plainWords(number) }
}
