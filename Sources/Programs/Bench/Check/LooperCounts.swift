import CRealtime
import Crossing
import Parameters
import Render
import RenderCore
import RenderInterface

/// Counts of a renderer with a looper that records, overdubs, undoes, changes its speed and is cleared, again and again.
struct LooperCounts {
    private static let period = 64
    private static let rate: Float = 48_000
    private static let blocks = 8000

    func run() -> RealtimeCounts {
        let tree = ParameterTree(listeners: 1)
        let store = ParameterStore(tree)
        let lines = RenderConnections(store: store, rate: Self.rate, period: Self.period, longestLoop: Int(clamping: Self.rate))
        var commands = lines.direct.looper.take()
        var graph = lines.graph.take()
        let order: [LooperCommand] = [.record, .record, .overdub, .overdub, .undo, .redo, .play, .play, .overdub, .clear]
        let input = (0..<Self.period).map { Float($0) / 256 }
        var left = [Float](repeating: 0, count: Self.period)
        var right = [Float](repeating: 0, count: Self.period)
        var counter = RealtimeCounter()
        for block in 0..<Self.blocks {
            if block % 97 == 0 { _ = commands.push(order[block / 97 % order.count]) }
            if block % 310 == 0 { store.set(tree.index(LooperParameter.half), Float(block / 310 % 2)) }
            counter.begin()
            graph.take(left: input, right: input, frames: Self.period, from: UInt64(block + 1))
            graph.render(left: &left, right: &right, frames: Self.period, at: BlockTime(begin: 0, output: 0))
            counter.end()
        }
        return counter.counts(blocks: Self.blocks)
    }
}
