import Hub
import Parameters
import Rack

/// The mix parameters of a rack's branches.
///
/// A branch keeps its parameter as long as one of its slots stays in it. Its number is its position, so that a parameter is renamed when a
/// branch before it is added or removed.
struct BranchParameters {
    private let hub: Hub
    private let container: String
    /// Index of each branch's mix.
    private var indices: [Int] = []
    /// Slots of each branch when it was last described.
    private var rows: [[Int]] = []

    /// - Parameter container: address of the rack.
    init(hub: Hub, container: String) {
        self.hub = hub
        self.container = container
    }

    /// - Parameter onMix: called when a client sets the mix of a branch, counted from 0.
    /// - Returns: whether any parameter was added, removed or renamed.
    mutating func describe(_ model: RackModel, onMix: @escaping (Int, Float) -> Void) -> Bool {
        func handler(_ branch: Int) -> Hub.Handler { { value, _ in onMix(branch, value.numbers[0]) } }
        let now = model.branches
        let matches = BranchMatch.places(of: now.map(\.slots), among: rows)
        defer { rows = now.map(\.slots) }
        let kept = Set(matches.compactMap(\.self))
        let going = indices.indices.filter { !kept.contains($0) }
        var described = matches.map { $0.map { indices[$0] } }
        for branch in going {
            _ = hub.exchange([indices[branch]], for: [], containers: [address(branch): String?.none])
        }
        // In this order each number is free by the time it is taken.
        let down = matches.indices.filter { branch in (matches[branch] ?? branch) > branch }
        let up = Array(matches.indices.filter { branch in (matches[branch] ?? branch) < branch }.reversed())
        for branch in down + up {
            guard let old = matches[branch], let index = described[branch] else { continue }
            hub.rename([(index, handler(branch))], from: address(old), to: address(branch))
        }
        for branch in now.indices where described[branch] == nil {
            let coming = TransientParameter(
                "\(address(branch))/\(RackBranchParameter.mix.leaf)", RackBranchParameter.mix.spec,
                .number(now[branch].mix), handler: handler(branch))
            described[branch] = hub.exchange([], for: [coming], containers: [address(branch): RackBranchParameter.summary])[0]
        }
        indices = described.compactMap(\.self)
        for (index, row) in zip(indices, now) { hub.publish(index, .number(row.mix)) }
        return !going.isEmpty || !down.isEmpty || !up.isEmpty || now.count != kept.count
    }

    private func address(_ branch: Int) -> String { container + RackBranchParameter.container(branch) }
}
