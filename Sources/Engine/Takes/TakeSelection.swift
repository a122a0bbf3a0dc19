import Parameters
import RenderInterface

/// The sources of takes, as a client chooses them.
enum TakeSelection {
    /// Reads numbers of listeners such as `1,3`, or `all`.
    /// - Throws: `RequestError` that tells what would be valid.
    static func ears(_ text: String, listeners: Int) throws -> [TakeSource] {
        let words = text.split(whereSeparator: { $0 == "," || $0 == " " })
        if words == ["all"] { return (0..<listeners).map { .ears($0) } }
        let valid = listeners == 1 ? "1" : "numbers from 1 to \(listeners), such as 1,\(listeners)"
        let numbers = try words.map { word in
            guard let number = Int(word), (1...listeners).contains(number) else {
                throw RequestError("there is no listener \"\(word.prefix(40))\"; give \(valid), or all, or nothing")
            }
            return number
        }
        return Set(numbers).sorted().map { .ears($0 - 1) }
    }

    /// The sources of the live input.
    /// - Parameter choice: place in `TakeSourceParameter.inputs`.
    static func input(_ choice: Int) -> [TakeSource] { [[], [.input], [.processedInput], [.input, .processedInput]][choice] }
}
