internal import ListenerStreams

/// A stream of Opus in Ogg that continues for as long as there is sound.
struct OggOpusStream {
    /// Packets of a page, a tenth of a second.
    private static let packets = 5

    private let packer: SoundPacker
    private var seam: SoundSeam
    private var samples: [Float] = []
    /// Packets since the last page.
    private var waiting = 0
    /// Frames in all pages, and frames of silence instead of lost sound.
    private(set) var (frames, lost) = (0, 0)
    /// Pages that come before the first sound.
    let headers: [UInt8]

    /// - Parameters:
    ///   - rate: frames per second, which Opus has to have.
    ///   - bitrate: bits per second.
    init(rate: Int, bitrate: Int) throws(SoundPacker.Problem) {
        packer = try SoundPacker(.opusPages, rate: rate, bitrate: bitrate)
        seam = SoundSeam(rate: rate)
        headers = try packer.take()
    }

    /// Adds sound.
    ///
    /// - Returns: the pages that it has completed.
    mutating func add(_ batch: SoundInlet.Batch) throws(SoundPacker.Problem) -> [UInt8] {
        let piece = seam.join(batch)
        lost += piece.lost
        samples += piece.samples
        var (pages, used): ([UInt8], Int) = ([], 0)
        let size = 2 * packer.frames
        while samples.count - used >= size {
            // A closure would hide which error it throws.
            let result = samples.withUnsafeBufferPointer { memory in
                Result { () throws(SoundPacker.Problem) in
                    try packer.add(UnsafeBufferPointer(rebasing: memory[used..<(used + size)]))
                }
            }
            used += size
            waiting += try result.get()
            guard waiting >= Self.packets else { continue }
            pages += try packer.take()
            frames += waiting * packer.frames
            waiting = 0
        }
        samples.removeFirst(used)
        return pages
    }
}
