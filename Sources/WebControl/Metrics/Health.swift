/// State of the engine, for watchdogs.
public struct Health: Encodable, Sendable {
    public var status: String
    /// Blocks rendered since the start.
    public var blocks: Int64
    public var xruns: Int64

    /// - Parameter isAlive: whether a block has been rendered within the last second.
    public init(isAlive: Bool, blocks: Int64, xruns: Int64) {
        status = isAlive ? "ok" : "no block has been rendered for a second"
        self.blocks = blocks
        self.xruns = xruns
    }

    var httpStatus: Int { status == "ok" ? 200 : 503 }
}
