internal import CRealtime
internal import Web

/// Clients that wait for listeners of their own. A few join in each turn of the loop, so that hundreds at once do not delay others.
package final class JoinQueue {
    /// Clients that join in one turn: the smallest number however long they take, and the largest.
    private static let (least, most) = (4, 16)
    /// Nanoseconds of a turn after which the next client waits for the next one.
    private static let longest: UInt64 = 2_000_000

    private let loop: EventLoop
    private var timer: LoopTimer?
    private var waiting: [JoiningClient] = []

    init(on loop: EventLoop) { self.loop = loop }

    /// Number of clients that have been promised a listener.
    var count: Int { waiting.count { !$0.isClosed } }

    /// Lets a client join in one of the next turns, in order.
    func add(_ client: JoiningClient) {
        waiting.append(client)
        if timer == nil { timer = loop.makeTimer { [unowned self] in serve() } }
        // Without a descriptor for the timer, everybody joins at once.
        guard let timer else {
            while !waiting.isEmpty { waiting.removeFirst().join() }
            return
        }
        if waiting.count == 1 { timer.arm(after: 0) }
    }

    /// - Returns: microseconds until the next clients join; nil when none is left.
    private func serve() -> Int? {
        let end = rt_now() + Self.longest
        var joined = 0
        while !waiting.isEmpty, joined < Self.least || joined < Self.most && rt_now() < end {
            waiting.removeFirst().join()
            joined += 1
        }
        return waiting.isEmpty ? nil : 0
    }
}
