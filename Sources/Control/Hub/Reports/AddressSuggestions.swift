internal import CRealtime
internal import Parameters

/// Error texts for unknown addresses, naming the nearest existing one. Recent texts are kept: a sender with a wrong address
/// sends it a hundred times a second, and the search reads every address.
struct AddressSuggestions {
    private var recent: [String: String] = [:]
    private static let capacity = 256
    /// Searches per second: each reads every address.
    private var budget = MessageBudget(rate: 50, now: rt_now())
    /// Bytes of a path that are searched for and repeated to the sender.
    private static let longestPath = 256

    mutating func text(for path: String, in tree: ParameterTree) -> String {
        let path = path.utf8.count <= Self.longestPath ? path : path.prefix(Self.longestPath / 4) + "…"
        if let known = recent[path] { return known }
        guard budget.spend(1, now: rt_now()) else { return "no parameter at \(path)" }
        // Listeners come and go, so that this is not kept.
        if let listener = tree.absentListener(in: path) {
            return "no parameter at \(path); there is no listener \(listener), but \(tree.presentListenersText)"
        }
        if let absence = tree.absentObjectText(in: path) { return "no parameter at \(path); \(absence)" }
        let nearest = NearestName.find(path, among: tree.nodes.map(\.address).filter { !$0.isEmpty })
        let text = "no parameter at \(path)" + (nearest.map { "; did you mean \($0)?" } ?? "")
        if recent.count >= Self.capacity { recent.removeAll() }
        recent[path] = text
        return text
    }
}
