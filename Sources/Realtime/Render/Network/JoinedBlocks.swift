internal import Binaural
internal import CRealtime
internal import Crossing
internal import DSP
internal import RenderCore

/// The blocks of one hop, joined to a longer one: a worker that renders each listener once per hop, instead of once per block, makes far
/// better use of the processor's caches.
struct JoinedBlocks: ~Copyable, Sendable {
    /// Fields of the first block, with the frames, the end and the targets of all of them.
    private(set) var shared: SharedBlock?
    /// Interleaved microphones, calibrated.
    private let microphones: Rows
    private let input: Rows
    /// Frames at most.
    private let capacity: Int

    /// - Parameter period: frames of all blocks at most.
    init(period: Int) {
        capacity = period
        microphones = Rows(rows: 1, length: (period + SharedBlockLayout.padding) * MicrophoneArray.capacity)
        input = Rows(rows: 2, length: period)
    }

    var samples: UnsafePointer<Float> { @_noLocks @_noAllocation get { UnsafePointer(microphones.row(0)) } }

    /// The live input; nil without it.
    var live: InputView? {
        @_noLocks @_noAllocation get {
            guard let shared, shared.hasInput else { return nil }
            return InputView(left: input.row(0), right: input.row(1))
        }
    }

    /// Begins with the first block of a hop.
    @_noLocks @_noAllocation
    mutating func begin(
        _ piece: UnsafeMutableRawPointer, _ layout: SharedBlockLayout, _ objects: inout PreparedObjects, _ sources: inout ObjectSources
    ) {
        let block = layout.block(piece).pointee
        shared = block
        copy(piece, layout, at: 0, block)
        objects.accept(
            layout.objects(piece), count: block.objects, rows: layout.rows(piece), shadow: block.shadow, frames: block.frames)
        sources.accept(
            objects, sites: layout.sites(piece), rows: layout.source(piece, 0), stride: layout.sourceStride, at: 0, frames: block.frames)
    }

    /// Adds the next block.
    ///
    /// - Parameter limit: the sample at which something changes for a listener, which begins another hop.
    /// - Returns: false when it does not continue the blocks so far.
    @_noLocks @_noAllocation
    mutating func add(
        _ piece: UnsafeMutableRawPointer, _ layout: SharedBlockLayout, _ objects: inout PreparedObjects, _ sources: inout ObjectSources,
        before limit: Int64
    ) -> Bool {
        let next = layout.block(piece).pointee
        guard let shared, shared.frames &+ next.frames <= capacity, next.sample == shared.sample &+ Int64(shared.frames),
            next.sample < limit, next.channels == shared.channels, next.arrayVersion == shared.arrayVersion,
            next.arrayChanges == shared.arrayChanges, next.hasInput == shared.hasInput, next.tempo == shared.tempo,
            next.place.feed == shared.place.feed,
            objects.append(layout.objects(piece), count: next.objects, rows: layout.rows(piece), frames: next.frames)
        else { return false }
        sources.accept(
            objects, sites: layout.sites(piece), rows: layout.source(piece, 0), stride: layout.sourceStride, at: shared.frames,
            frames: next.frames)
        copy(piece, layout, at: shared.frames, next)
        self.shared?.frames = shared.frames &+ next.frames
        self.shared?.end = next.end
        self.shared?.ceiling = next.ceiling
        self.shared?.crossover = next.crossover
        self.shared?.air = next.air
        self.shared?.room = next.room
        return true
    }

    /// Ends the hop, and clears the samples behind the last frame, since whole lanes are read.
    @_noLocks @_noAllocation
    func finish(_ objects: borrowing PreparedObjects, _ sources: inout ObjectSources) {
        guard let shared else { return }
        sources.keep(objects, frames: shared.frames)
        rt_zero(microphones.row(0) + shared.frames &* shared.channels, SharedBlockLayout.padding &* shared.channels)
    }

    @_noLocks @_noAllocation
    private func copy(_ piece: UnsafeMutableRawPointer, _ layout: SharedBlockLayout, at offset: Int, _ block: SharedBlock) {
        rt_copy(microphones.row(0) + offset &* block.channels, layout.samples(piece), block.frames &* block.channels)
        guard block.hasInput else { return }
        for side in 0..<2 { rt_copy(input.row(side) + offset, layout.input(piece, side: side), block.frames) }
    }
}
