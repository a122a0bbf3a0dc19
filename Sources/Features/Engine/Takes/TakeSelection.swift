import Parameters
import RenderInterface

/// The sources of takes, as a client chooses them.
enum TakeSelection {
    /// Groups of listeners by their word: all, those of the sound device, and those on the network.
    private enum Group: String { case all, wired, network }

    /// Reads numbers of listeners such as `1,3`, and groups of them.
    ///
    /// - Parameters:
    ///   - wired: number of listeners of the sound device.
    ///   - network: numbers of those on the network.
    ///   - isComplete: whether every listener must be there; otherwise those that are not are left out.
    /// - Throws: `RequestError` that states valid values.
    static func ears(_ text: String, wired: Int, network: [Int], isComplete: Bool = true) throws -> [TakeSource] {
        var found: Set<Int> = []
        for word in text.split(whereSeparator: { $0 == "," || $0 == " " }) {
            switch Group(rawValue: String(word)) {
            case .all: found.formUnion(Array(1...wired) + network)
            case .wired: found.formUnion(1...wired)
            case .network: found.formUnion(network)
            case nil:
                if let number = Int(word), (1...wired).contains(number) || network.contains(number) {
                    found.insert(number)
                } else if isComplete {
                    throw RequestError("there is no listener \"\(word.prefix(40))\"; \(valid(wired: wired, network: network))")
                }
            }
        }
        return found.sorted().map { .ears($0 - 1) }
    }

    private static func valid(wired: Int, network: [Int]) -> String {
        let last = wired == 1 ? "1" : "1 to \(wired)"
        let others = network.prefix(8).map(String.init).joined(separator: ", ") + (network.count > 8 ? ", …" : "")
        return "give numbers (\(last)\(network.isEmpty ? "" : ", and \(others) on the network")), wired, network, all, or nothing"
    }

    /// Returns a selection without the number of a removed listener, since the next listener with this number is a different one.
    /// - Parameter number: from 1.
    static func ears(_ text: String, without number: Int) -> String {
        let words = text.split(whereSeparator: { $0 == "," || $0 == " " })
        guard words.contains(where: { Int($0) == number }) else { return text }
        return words.filter { Int($0) != number }.joined(separator: ",")
    }

    /// The sources of the live input.
    /// - Parameter choice: place in `TakeSourceParameter.inputs`.
    static func input(_ choice: Int) -> [TakeSource] { [[], [.input], [.processedInput], [.input, .processedInput]][choice] }
}
