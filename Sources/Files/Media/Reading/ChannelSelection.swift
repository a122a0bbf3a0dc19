/// Some channels of a sound file, in an order of their own.
final class ChannelSelection {
    private let channels: [Int]
    private let fileChannels: Int
    private let wide: UnsafeMutablePointer<Float>
    private static let chunk = 4096

    /// - Parameters:
    ///   - channels: numbers of the channels, the first is 1.
    ///   - fileChannels: number of channels of the file.
    init(_ channels: [Int], of fileChannels: Int) {
        self.channels = channels
        self.fileChannels = fileChannels
        wide = .allocate(capacity: Self.chunk * fileChannels)
    }

    deinit { wide.deallocate() }

    /// - Throws: ``MediaError`` when there is no such channel among `count`.
    static func check(_ channels: [Int], of count: Int, path: String) throws(MediaError) {
        guard let wrong = channels.first(where: { !(1...count).contains($0) }) else { return }
        throw MediaError("\(path) has no channel \(wrong): it has \(counted(count, "channel")). Name channels from 1 to \(count).")
    }

    /// Reads up to `count` frames of these channels; fewer only at the end.
    func read(_ file: SoundFile, into target: UnsafeMutablePointer<Float>, frames count: Int) throws(MediaError) -> Int {
        var done = 0
        while done < count {
            let got = try file.read(into: wide, frames: min(Self.chunk, count - done))
            guard got > 0 else { break }
            var place = target + done * channels.count
            for frame in 0..<got {
                let source = wide + frame * fileChannels
                for channel in channels {
                    place.pointee = source[channel - 1]
                    place += 1
                }
            }
            done += got
        }
        return done
    }
}
