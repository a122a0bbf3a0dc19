internal import Hub
internal import Parameters
internal import RenderInterface

/// `engine`: counts and load of the renderer.
final class EngineTopic: EventTopic {
    let name = "engine"
    let code: UInt8? = 2
    let fastest = 120

    private let hub: Hub
    private var before: Content?

    init(_ sources: TelemetrySources) { hub = sources.hub }

    func collect(_ report: TelemetryDelta) -> (any TelemetryContent)? {
        let engine = report.engine
        let frames = hub.value(hub.tree.index(EngineParameter.period)).numbers[0]
        let rate = hub.value(hub.tree.index(EngineParameter.rate)).numbers[0]
        var content = Content(
            blocks: engine.blocks, samples: engine.samples, xruns: engine.xruns, dropouts: engine.dropouts,
            busy: engine.busy, rendered: engine.blocks, worst: engine.worst, period: Double(frames / rate) * 1e9)
        let whole = content
        content.busy -= before?.busy ?? content.busy
        content.rendered -= before?.rendered ?? content.rendered
        before = whole
        return content.rendered > 0 ? content : nil
    }

    func end() { before = nil }

    struct Content: TelemetryContent {
        /// Counts since the start.
        var blocks: Int64
        var samples: Int64
        var xruns: Int64
        var dropouts: Int64
        /// Nanoseconds of rendering since the last frame, and the number of blocks.
        var busy: Int64
        var rendered: Int64
        /// Nanoseconds of the slowest block.
        var worst: Int64
        /// Nanoseconds that a block may take.
        var period: Double

        /// Mean share of a period spent on rendering.
        private var load: Double { rendered > 0 ? Double(busy) / (Double(rendered) * period) : 0 }
        private var worstLoad: Double { Double(worst) / period }

        func following(_ earlier: Content) -> Content {
            var whole = self
            (whole.busy, whole.rendered) = (earlier.busy + busy, earlier.rendered + rendered)
            whole.worst = max(earlier.worst, worst)
            return whole
        }

        func write(to bytes: inout TelemetryWriter) {
            for count in [blocks, samples, xruns, dropouts] { bytes.add(UInt64(count)) }
            bytes.add(Float(load))
            bytes.add(Float(worstLoad))
        }

        var json: Document {
            Document(
                blocks: blocks, samples: samples, xruns: xruns, dropouts: dropouts, load: Float(load), worst: Float(worstLoad))
        }
    }

    struct Document: Encodable {
        let blocks, samples, xruns, dropouts: Int64
        let load, worst: Float
    }
}
