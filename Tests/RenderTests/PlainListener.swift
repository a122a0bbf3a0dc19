import Binaural
import RenderCore

/// A scene and its listeners rendered by the inner half alone, from plain values.
struct PlainListener: ~Copyable {
    static let rate: Float = 48_000

    var renderer: ListenerRenderer
    let work: RenderWork
    var ears: (left: [Float], right: [Float]) = ([], [])

    init(objects: Int, period: Int) {
        renderer = ListenerRenderer(
            chain: OutputChain(isProtected: false, period: period, rate: Self.rate), objects: objects,
            period: period,
            rate: Self.rate)
        work = RenderWork(period: period, rate: Self.rate)
    }

    /// Renders a block and appends both ears.
    mutating func render(
        _ scene: borrowing PreparedScene, _ ring: UnsafePointer<RingLookup>, _ objects: borrowing PreparedObjects,
        _ settings: ListenerSettings, head: SIMD4<Float>, hrtf: FilterBankView?, block: Block
    ) {
        _ = renderer.render(
            scene, ring, objects, settings, head: head, hrtf: hrtf, input: nil, block: block, work: work)
        ears.left += UnsafeBufferPointer(start: work.ears.row(0), count: block.frames)
        ears.right += UnsafeBufferPointer(start: work.ears.row(1), count: block.frames)
    }
}
