/// A sound file of one or two channels, resampled to the engine's rate.
// SAFETY: one thread opens and reads it; `cancel` changes nothing.
final class MusicFile: MusicSource, @unchecked Sendable {
    private let path: @Sendable () throws(MediaError) -> String
    private let rate: Int
    private var file: StereoFile?
    private var resampler: Resampler?
    private var input: [Float] = []
    private var place = 0
    private var count = 0
    private static let chunk = 2048
    private(set) var title = ""
    var warnings: [String] { file.map { $0.warnings + $0.limited.warnings } ?? [] }

    /// - Parameters:
    ///   - path: finds the file; called on the thread that reads it.
    ///   - rate: frames per second of the result.
    init(path: @escaping @Sendable () throws(MediaError) -> String, rate: Int) {
        self.path = path
        self.rate = rate
    }

    var isEndless: Bool { false }

    func open() throws(MusicProblem) {
        do throws(MediaError) {
            let path = try path()
            let file = try StereoFile(path: path, purpose: "music")
            self.file = file
            resampler = file.rate == rate ? nil : try Resampler(from: Double(file.rate), to: Double(rate), channels: 2)
            title = SoundLibrary.name(path)
            (place, count) = (0, 0)
        } catch { throw MusicProblem(text: error.description, isLasting: true) }
    }

    func read(into target: UnsafeMutablePointer<Float>, frames: Int) throws(MusicProblem) -> Int {
        guard resampler != nil else {
            try fill(frames: min(frames, Self.chunk))
            target.update(from: input, count: 2 * count)
            return count
        }
        while true {
            if place == count { try fill(frames: Self.chunk) }
            guard count > 0 else { return resampler?.flush(output: target, capacity: frames) ?? 0 }
            let (used, made) = input.withUnsafeBufferPointer {
                // SAFETY: `place` is below `count`, the number of frames in the array.
                resampler!.process($0.baseAddress! + 2 * place, frames: count - place, output: target, capacity: frames)
            }
            place += used
            if made > 0 { return made }
        }
    }

    /// Reads the next frames of the file, on both sides if it has one channel.
    private func fill(frames: Int) throws(MusicProblem) {
        guard let file else { return }
        input = [Float](repeating: 0, count: 2 * Self.chunk)
        place = 0
        do throws(MediaError) { count = try file.read(into: &input, frames: frames) } catch {
            throw MusicProblem(text: error.description, isLasting: true)
        }
        guard file.channels == 1 else { return }
        for frame in stride(from: count - 1, through: 0, by: -1) { (input[2 * frame], input[2 * frame + 1]) = (input[frame], input[frame]) }
    }

    func cancel() {}
}
