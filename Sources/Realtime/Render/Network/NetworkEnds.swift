internal import Crossing
internal import RenderInterface

/// A worker's ends of everything that it shares with other threads.
struct NetworkEnds: ~Copyable, Sendable {
    let pieces: BufferRing.Consumer
    let poses: Ring<TimedPose>.Consumer
    let arrays: Handover<ArrayEdit>.Realtime
    let listeners: Handover<NetworkListener>.Realtime
    let stamps: Ring<LatencyStamp>.Producer
    let takes: TakeTaps
    let takeMotion: TakeMotion
    /// Counts of each worker, in the order of ``WorkerReports/Count``.
    let reports: CountRow
    /// The engine's sample count after the last frame of each listener.
    let positions: CountRow
    /// Counts of replaced sound that was out of range, in the order of ``RangePlaces``; and those whose samples were not finite.
    let resets: CountRow
    let nonFinite: CountRow
}
