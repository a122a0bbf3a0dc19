public import Crossing
internal import Parameters
internal import RenderCore
public import RenderInterface

/// Connections between the workers that render network listeners and the other threads: the other threads' ends, each to be taken once.
public struct NetworkConnections: Sendable {
    /// The other threads' ends for one worker.
    public struct Worker: Sendable {
        /// The renderer itself, for the worker's thread.
        public let renderer: Parcel<NetworkRenderer>
        /// Every array that a feed or an edit brings to the audio thread.
        public let arrays: Parcel<Handover<ArrayEdit>.Control>
        public let stamps: Parcel<Ring<LatencyStamp>.Consumer>
        public let listeners: Parcel<Handover<NetworkListener>.Control>
        /// Whether the audio thread sends blocks, because some listener of the worker is present.
        public let isNeeded: Parcel<Switch.Control>
        /// Blocks that were rendered, and nanoseconds spent on them.
        public var blocks: Int { reports[WorkerReports.Count.blocks.place(number)] }
        public var busy: Int { reports[WorkerReports.Count.busy.place(number)] }
        /// Blocks that this worker's listeners have lost because it had fallen behind.
        public var lost: Int { reports[WorkerReports.Count.lost.place(number)] + unsent[number] }
        private let number: Int
        private let reports: CountRow
        private let unsent: CountRow

        fileprivate init(
            _ number: Int, renderer: consuming NetworkRenderer, arrays: consuming Handover<ArrayEdit>.Control,
            stamps: consuming Ring<LatencyStamp>.Consumer, listeners: consuming Handover<NetworkListener>.Control,
            isNeeded: consuming Switch.Control, reports: CountRow, unsent: CountRow
        ) {
            self.number = number
            self.renderer = Parcel(renderer)
            self.arrays = Parcel(arrays)
            self.stamps = Parcel(stamps)
            self.listeners = Parcel(listeners)
            self.isNeeded = Parcel(isNeeded)
            self.reports = reports
            self.unsent = unsent
        }
    }

    public let workers: [Worker]
    /// The scene for browsers that render it themselves, and the switch that turns it on; nil without workers.
    public let scene: (blocks: Parcel<SceneBlocks>, isNeeded: Parcel<Switch.Control>)?
    /// Number of blocks in about four milliseconds, after which a worker looks for new ones.
    public let hop: Int

    static func hop(rate: Float, period: Int) -> Int { max(1, Int(clamping: 0.004 * rate / Float(period))) }
    /// The engine's sample count after the last frame of each listener, by its index among all listeners.
    public let positions: CountRow
    private let maker: ListenerMaker

    /// Milliseconds of sound that may wait for a worker.
    private static let patience: Float = 60

    /// Makes the workers' renderers.
    ///
    /// - Parameters:
    ///   - workers: number of workers.
    ///   - capacity: largest number of network listeners.
    ///   - takes: taps and motion for takes.
    ///   - sender: receives the audio thread's end for each worker, in order.
    init(
        workers count: Int, capacity: Int, maker: ListenerMaker, takes: TakeConnections, resets: CountRow, nonFinite: CountRow,
        sender: (consuming BlockSender) -> Void
    ) {
        self.maker = maker
        let (rate, period, objects) = (maker.rate, maker.period, maker.store.tree.objects)
        let layout = SharedBlockLayout(period: period, objects: objects)
        hop = Self.hop(rate: rate, period: period)
        let pieces = Self.powerOfTwo(atLeast: max(8, Int(clamping: Self.patience * 0.001 * rate / Float(period))))
        positions = CountRow(count: maker.store.tree.listeners)
        let reports = CountRow(count: count * WorkerReports.Count.count)
        let unsent = CountRow(count: count + 1)
        let needed = SwitchRow(count: count + 1)
        // Listeners are assigned to the workers in turn, so that none has more than this.
        let share = capacity / max(1, count) + 1
        var workers: [Worker] = []
        for number in 0..<count {
            let queue = BufferRing(pieces: pieces, bytes: layout.bytes)
            let poses = Ring<TimedPose>(capacity: 1024)
            let arrays = Handover<ArrayEdit>(depth: 16)
            let listeners = Handover<NetworkListener>(depth: Self.powerOfTwo(atLeast: share))
            let stamps = Ring<LatencyStamp>(capacity: 16384)
            let gate = needed.makeSwitch(number)
            let ends = NetworkEnds(
                pieces: queue.consumer, poses: poses.consumer, arrays: arrays.realtime, listeners: listeners.realtime,
                stamps: stamps.producer, takes: takes.workers[number].taken.take(), takeMotion: takes.workers[number].motion.take(),
                reports: reports, positions: positions, resets: resets, nonFinite: nonFinite)
            let renderer = NetworkRenderer(
                ends, layout: layout, worker: number, parameters: maker.store.makeReader(), objects: objects, capacity: share,
                rate: rate, period: hop * period)
            sender(
                BlockSender(
                    pieces: queue.producer, poses: poses.producer, layout: layout, isNeeded: gate.realtime, lost: unsent, worker: number))
            workers.append(
                Worker(
                    number, renderer: renderer, arrays: arrays.control, stamps: stamps.consumer, listeners: listeners.control,
                    isNeeded: gate.control, reports: reports, unsent: unsent))
        }
        self.workers = workers
        scene = count == 0 ? nil : Self.makeScene(pieces: pieces, layout, needed.makeSwitch(count), lost: unsent, count, sender)
    }

    /// Makes the connection of the scene, which is that of a worker without listeners.
    private static func makeScene(
        pieces: Int, _ layout: SharedBlockLayout, _ gate: consuming Switch, lost: CountRow, _ place: Int,
        _ sender: (consuming BlockSender) -> Void
    ) -> (blocks: Parcel<SceneBlocks>, isNeeded: Parcel<Switch.Control>) {
        let queue = BufferRing(pieces: pieces, bytes: layout.bytes)
        let poses = Ring<TimedPose>(capacity: 1)
        sender(
            BlockSender(
                pieces: queue.producer, poses: poses.producer, layout: layout, isNeeded: gate.realtime, lost: lost, worker: place))
        return (Parcel(SceneBlocks(queue.consumer, layout: layout)), Parcel(gate.control))
    }

    /// The worker that renders a listener.
    ///
    /// - Parameter listener: index among all listeners.
    public func worker(of listener: Int) -> Int { (listener - maker.wired) % max(1, workers.count) }

    /// Makes the next network listener, which begins absent.
    ///
    /// - Parameters:
    ///   - index: among all listeners.
    ///   - listeners: the listeners of its worker.
    /// - Returns: the other threads' ends.
    public func make(_ index: Int, _ listeners: inout Handover<NetworkListener>.Control) -> RenderConnections.Listener {
        let made = maker.make(index, ears: 8192, heads: 1024, period: hop * maker.period)
        let presence = maker.present.makeSwitch(index)
        _ = listeners.send(NetworkListener(made.listener.take(), index: index, isPresent: presence.realtime))
        return made.line
    }

    private static func powerOfTwo(atLeast count: Int) -> Int {
        var power = 1
        while power < count { power *= 2 }
        return power
    }
}

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
