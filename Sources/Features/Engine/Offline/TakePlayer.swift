import Crossing
import Device
import FileOutput
import Foundation
import Parameters
import Pose
import Render
import RenderInterface

/// Moves heads and objects as a take recorded them, block by block, and passes on the sound at the ears of one listener.
// SAFETY: used on the device's thread from the first block to the last, and on no other meanwhile.
final class TakePlayer: @unchecked Sendable {
    /// The motion of an object: from a frame on, azimuth, elevation, distance and gain.
    typealias ObjectStep = (frame: Int64, object: Int, place: [Float])

    private let folder: String
    private let sink: any FrameSink
    private var heads: [(inlet: PoseInlet, head: RecordedHead)] = []
    private var objects: ArraySlice<ObjectStep> = []
    private var ears: FrameRing.Consumer?
    private var parameters: ParameterReader?
    private var firstObject = 0
    private var objectCount = 0
    private let samples: UnsafeMutablePointer<Float>
    private var failure: (any Error)?
    private static let most = 1 << 14

    init(folder: String, sink: any FrameSink) {
        (self.folder, self.sink) = (folder, sink)
        samples = .allocate(capacity: 2 * Self.most)
    }

    deinit { samples.deallocate() }

    /// Reads the motion, and takes the connections to the parts of the renderer that it moves.
    ///
    /// - Parameter listener: number from 0 of the listener whose ears are wanted.
    /// - Throws: an error of a file.
    func connect(_ lines: RenderConnections, _ store: ParameterStore, listener: Int) throws {
        for number in lines.listeners.indices {
            let path = folder + "/" + TakeMotionFiles.name(listener: number)
            guard FilePlace.isThere(path) else { continue }
            let head = try RecordedHead(csv: TakeMotionFiles.read(path).text, name: path)
            // The recorded motion includes the listener's own place.
            for axis in 0..<3 { lines.places[3 * number + axis] = 0 }
            heads.append((PoseInlet(lines.listeners[number].networkPoses.take()), head))
        }
        objects = try Self.steps(folder + "/" + TakeMotionFiles.objectsName)[...]
        if store.tree.objects > 0 { firstObject = store.tree.index(ObjectParameter.source) }
        objectCount = store.tree.objects
        parameters = store.makeReader()
        ears = lines.listeners[listener].ears.take()
        lines.listeners[listener].isHeard.take().set(true)
    }

    /// Reads the motion of all objects; none where there is no file.
    static func steps(_ path: String) throws -> [ObjectStep] {
        guard FilePlace.isThere(path) else { return [] }
        let lines = try TakeMotionFiles.read(path).text.split(separator: "\n").dropFirst()
        return try lines.enumerated().map { index, line in
            let fields = line.split(separator: ",")
            let place = fields.dropFirst(2).compactMap { Float($0) }
            guard fields.count == 6, place.count == 4, let frame = Int64(fields[0]), let object = Int(fields[1]), object > 0 else {
                throw RequestError("\(path):\(index + 2): expected \(TakeMotionFiles.objectsHeader), found \"\(line.prefix(120))\"")
            }
            return (frame, object - 1, place)
        }
    }

    /// Prepares the block that begins with a frame: passes on the sound so far, and sets heads and objects.
    func prepare(_ frame: Int64) {
        passOn()
        for head in heads {
            head.inlet.place = head.head.place(at: frame)
            head.inlet.send(unit: head.head.head(at: frame), receiveTime: 0)
        }
        while let step = objects.first, step.frame <= frame {
            objects.removeFirst()
            guard step.object < objectCount else { continue }
            let first = firstObject + step.object * ObjectParameter.allCases.count
            for (parameter, value) in zip([ObjectParameter.azimuth, .elevation, .distance, .gain], step.place) {
                parameters?.set(first + parameter.rawValue, value)
            }
            parameters?.set(first + ObjectParameter.mute.rawValue, 0)
        }
    }

    /// Passes on what has been rendered; called a last time after the last block.
    func passOn() {
        while failure == nil, let count = ears?.read(samples, frames: Self.most), count > 0 {
            do { try sink.write(samples, frames: count) } catch { failure = error }
        }
    }

    /// - Throws: the first error of the sink.
    func finish() throws {
        passOn()
        if let failure { throw failure }
        try sink.finish()
    }
}
