import ArgumentParser
import Parameters

/// `--place FRONT,LEFT,UP[@LISTENER]`: the place of a listener in the world, metres.
struct PlaceOption {
    let coordinates: [Float]
    /// From 1.
    let listener: Int

    static let help = "Place of a listener, FRONT,LEFT,UP[@LISTENER] in metres, from which sound objects are heard (default: 0,0,0)."

    init(_ text: String) throws {
        func refuse(_ why: String) -> ValidationError {
            ValidationError("--place \(text): \(why). Write FRONT,LEFT,UP or FRONT,LEFT,UP@LISTENER, for example 1.5,-0.5,0@2.")
        }
        let parts = text.split(separator: "@", maxSplits: 1, omittingEmptySubsequences: false)
        guard let listener = parts.count == 1 ? 1 : Int(parts[1]), listener >= 1 else {
            throw refuse("the listener is not a number from 1")
        }
        let numbers = parts[0].split(separator: ",", omittingEmptySubsequences: false).map { Float($0) }
        guard numbers.count == 3 else { throw refuse("there are not three coordinates") }
        let range = ListenerParameter.xyz.spec.range
        let most = ParameterSpec.plainWords(range.upperBound)
        coordinates = try numbers.map { number in
            guard let number, number.isFinite else { throw refuse("a coordinate is not a number") }
            guard range.contains(number) else {
                throw refuse("coordinates are at most \(most) m either way")
            }
            return number
        }
        self.listener = listener
    }

    var arguments: [Parameters.Argument] { coordinates.map { .float($0) } }
}
