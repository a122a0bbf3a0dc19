internal import CConnection

/// Stereo music at the engine's rate, read by one thread.
protocol MusicSource: AnyObject, Sendable {
    /// Starts at the beginning, or with what a station sends at present.
    func open() throws(MusicProblem)

    /// Reads up to `frames` interleaved frames, and waits for them; 0 at the end.
    func read(into target: UnsafeMutablePointer<Float>, frames: Int) throws(MusicProblem) -> Int

    /// Whether the music has no end of its own: when a connection ends, it continues with another one.
    var isEndless: Bool { get }
    /// Title of the music; empty without one.
    var title: String { get }
    /// Faults of the music as read so far, which is played all the same: samples that were limited, a file that is cut short.
    var warnings: [String] { get }

    /// Makes reading end soon; for any thread.
    func cancel()
}

/// Reason why music cannot be read.
struct MusicProblem: Error {
    let text: String
    /// Whether another attempt would fail as well.
    let isLasting: Bool
}

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

/// Sound from an http:// or https:// address.
// SAFETY: one thread opens and reads; `cancel` alone is for others, and the C code allows that.
final class RadioStream: MusicSource, @unchecked Sendable {
    private let address: String
    private let radio: OpaquePointer
    /// Seconds without an answer after which a connection counts as lost.
    private static let patience: Int32 = 6

    /// - Parameter rate: frames per second of the result.
    init(address: String, rate: Int) {
        self.address = address
        guard let radio = radio_new(Int32(rate)) else { fatalError("out of memory") }
        self.radio = radio
    }

    deinit { radio_free(radio) }

    var warnings: [String] { [] }

    func open() throws(MusicProblem) {
        radio_close(radio)
        var problem = connection_problem()
        guard radio_open(radio, address, Self.patience, &problem) else { throw Self.words(problem) }
    }

    func read(into target: UnsafeMutablePointer<Float>, frames: Int) throws(MusicProblem) -> Int {
        var problem = connection_problem()
        let count = radio_read(radio, target, frames, Self.patience, &problem)
        guard count >= 0 else { throw Self.words(problem) }
        return count
    }

    var isEndless: Bool { radio_is_endless(radio) }

    var title: String {
        // SAFETY: both texts end with a zero, and are copied before the next call.
        let title = StationTitle.title(in: Self.bytes(radio_announcement(radio))) ?? Self.bytes(radio_name(radio))
        return StationTitle.text(title)
    }

    private static func bytes(_ text: UnsafePointer<CChar>) -> [UInt8] {
        let bytes = UnsafeRawPointer(text).assumingMemoryBound(to: UInt8.self)
        var count = 0
        while bytes[count] != 0 { count += 1 }
        return Array(UnsafeBufferPointer(start: bytes, count: count))
    }

    func cancel() { radio_cancel(radio) }

    private static func words(_ problem: connection_problem) -> MusicProblem {
        let text = withUnsafeBytes(of: problem.text) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
        return MusicProblem(text: text, isLasting: problem.is_lasting)
    }
}
