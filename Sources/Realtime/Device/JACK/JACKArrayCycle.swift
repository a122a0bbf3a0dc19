internal import CJACK
internal import CRealtime
internal import Crossing
internal import Render

/// Recording of JACK's cycles into a ring. On JACK's process thread.
// SAFETY: apart from the callbacks' atomics, used by the process thread only, and by the initialiser before.
final class JACKArrayCycle: JACKCallbacks, @unchecked Sendable {
    private let client: JACKClient
    private var frames: FrameRing.Producer
    private var stamps: Latest<LiveStamp>.Writer
    private let period: Int
    private let nanosecondsPerFrame: Double
    private let gathering: JACKArrayGathering
    /// Frames written so far.
    private var written: Int64 = 0

    init(
        _ client: JACKClient, _ ports: JACKPorts, frames: consuming FrameRing.Producer, stamps: consuming Latest<LiveStamp>.Writer,
        period: Int, rate: Int
    ) {
        self.client = client
        self.frames = frames
        self.stamps = stamps
        self.period = period
        nanosecondsPerFrame = 1e9 / Double(rate)
        gathering = JACKArrayGathering(ports.array, frames: period)
        super.init(ports, rate: rate)
    }

    override func process(_ count: Int) {
        super.process(count)
        guard hasArray.isRaised else { return }
        let begin = client.cycleBegin()
        gathering.fetch(count)
        var done = 0
        while done < count {
            let part = min(period, count - done)
            written += Int64(frames.write(gathering.interleave(done, part), frames: part))
            done += part
        }
        // The current cycle holds the frames up to its beginning; their age is the capture latency beyond one cycle.
        let late = Double(max(captureLatency, count) - count) * nanosecondsPerFrame
        stamps.publish(LiveStamp(frame: written, time: begin - min(begin, UInt64(clamping: Int64(clamping: late)))))
    }
}
