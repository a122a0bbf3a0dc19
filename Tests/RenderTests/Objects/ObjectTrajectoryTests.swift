import Crossing
import Foundation
import Parameters
import Render
import RenderCore
import TestSupport
import Testing

/// Paths of objects: places compared with formulas, and the sound with that of an object that is moved block by block.
@Suite struct ObjectTrajectoryTests {
    private static func path(_ motion: ObjectMotion, lap: Double = 0) -> ObjectTrajectory {
        ObjectTrajectory(object: 0, motion: motion, lap: lap)
    }

    private static func distance(_ a: SIMD3<Float>, _ b: SIMD3<Float>) -> Float {
        let d = (a - b) * (a - b)
        return (d[0] + d[1] + d[2]).squareRoot()
    }

    @Test(arguments: [(8, 0), (-3, 0), (0.5, 90), (20, -360)] as [(Double, Double)])
    func aCircleFollowsItsFormula(_ seconds: Double, _ start: Double) {
        let circle = Self.path(.circle(centre: SIMD3(1, -2, 0.5), radius: 3, seconds: seconds, start: start))
        for step in 0..<500 {
            let time = Double(step) * 0.37
            let angle = start * .pi / 180 + 2 * .pi * time / seconds
            let wanted = SIMD3(Float(1 + 3 * cos(angle)), Float(-2 + 3 * sin(angle)), 0.5)
            #expect(Self.distance(circle.place(at: time), wanted) < 1e-4, "\(time) s")
        }
    }

    @Test func keyframesAreJoinedByLines() {
        let frames = [(1.0, SIMD3<Float>(2, 0, 0)), (3, SIMD3(2, 4, 0)), (4, SIMD3(0, 4, 1))].map {
            ObjectMotion.Keyframe(time: $0, place: $1)
        }
        let once = Self.path(.keyframes(frames, loops: false))
        #expect(once.place(at: 0) == SIMD3(2, 0, 0) && once.place(at: 9) == SIMD3(0, 4, 1))
        #expect(Self.distance(once.place(at: 1.5), SIMD3(2, 1, 0)) < 1e-6)
        #expect(Self.distance(once.place(at: 3.5), SIMD3(1, 4, 0.5)) < 1e-6)
        let looped = Self.path(.keyframes(frames, loops: true))
        #expect(Self.distance(looped.place(at: 4 + 1.5), SIMD3(2, 1, 0)) < 1e-6)
        // The recording begins again after 2.5 s.
        let lapped = Self.path(.keyframes(frames, loops: false), lap: 2.5)
        #expect(Self.distance(lapped.place(at: 5 + 1.5), SIMD3(2, 1, 0)) < 1e-6)
    }

    /// At 2 m/s, the direction turns by at most 1.2 degrees within 1 ms, and the object stays 0.2 m away; without the detour it would turn
    /// by 180 degrees at once.
    @Test(arguments: [SIMD3<Float>(2, 0, 0), SIMD3(0, 0, 2), SIMD3(1, 1, 1.4), SIMD3(2, 0.001, 0)])
    func aPathThroughTheHeadGoesAroundItsCentre(_ end: SIMD3<Float>) {
        let path = Self.path(.keyframes([.init(time: 0, place: end), .init(time: 2, place: end * -1)], loops: false))
        var before: SIMD3<Float> = path.place(at: 0)
        for step in 1...2000 {
            let place: SIMD3<Float> = path.place(at: Double(step) * 0.001)
            let (a, b): (Float, Float) = (Self.distance(before, SIMD3()), Self.distance(place, SIMD3()))
            #expect(b > 0.199)
            let product: SIMD3<Float> = before * place
            let cosine = (product[0] + product[1] + product[2]) / (a * b)
            #expect(acos(min(1, cosine)) * 180 / .pi < 1.2, "at \(step) ms")
            before = place
        }
    }

    @Test func aPathMayBeginLater() {
        let motion = ObjectMotion.circle(centre: .zero, radius: 1, seconds: 4, start: 30)
        let path = Self.path(motion)
        let late = ObjectTrajectory(object: 0, motion: motion, lap: 0, delay: 0.5)
        for step in 0..<40 {
            let time = Double(step) / 20
            #expect(Self.distance(late.place(at: time), path.place(at: max(0, time - 0.5))) < 1e-6, "\(time) s")
        }
    }

    /// The renderer follows a path as it follows an azimuth that is set before every block.
    @Test func theSoundMovesWithThePath() {
        var moved = ObjectTests.scene()
        var set = ObjectTests.scene()
        _ = moved.sounds.send(ObjectSound(object: 0, mono: ObjectTests.sine(500)))
        _ = set.sounds.send(ObjectSound(object: 0, mono: ObjectTests.sine(500)))
        var paths = moved.lines.objectPaths.take()
        _ = paths.send(ObjectTrajectory(object: 0, motion: .circle(centre: .zero, radius: 1, seconds: 2, start: 30), lap: 0))
        for block in 0..<400 {
            set.set(ObjectParameter.azimuth, Float(30 + 180 * Double(64 * (block + 1)) / 48_000))
            set.render(blocks: 1)
            moved.render(blocks: 1)
        }
        let (difference, peak) = (zip(moved.left, set.left).map { abs($0 - $1) }.max() ?? 1, moved.left.max() ?? 0)
        #expect(difference < 2e-4 && peak > 0.1, "\(difference)")
        // An empty path gives the object back to its parameters.
        _ = paths.send(ObjectTrajectory(object: 0, motion: nil, lap: 0))
        set.set(ObjectParameter.azimuth, 0)
        moved.render(blocks: 100)
        set.render(blocks: 100)
        let rest = zip(moved.left.suffix(64), set.left.suffix(64)).map { abs($0 - $1) }.max() ?? 1
        #expect(rest < 2e-4, "\(rest)")
    }
}
