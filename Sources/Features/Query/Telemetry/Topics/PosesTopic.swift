internal import Hub

/// `poses`: the rendered pose of each listener.
final class PosesTopic: EventTopic {
    let name = "poses"
    let code: UInt8? = 4
    let fastest = 120

    private let newest: NewestPoses

    init(_ sources: TelemetrySources) { newest = sources.poses }

    /// Marks the group as due; ``next(for:now:)`` reads the poses when the frame is made.
    func collect(_ report: TelemetryDelta) -> (any TelemetryContent)? { report.hasLevels ? Content(poses: []) : nil }

    func next(for group: TelemetryGroup, now: UInt64) -> (any TelemetryContent)? {
        group.gathered == nil ? nil : Content(poses: newest.readings(now: now))
    }

    struct Pose: Equatable {
        /// w x y z.
        var quaternion: SIMD4<Float>
        /// 0 before the first pose.
        var id: UInt64
        /// Milliseconds since the kernel received it; -1 before the first pose.
        var age: Float
    }

    struct Content: TelemetryContent {
        let poses: [Pose]

        func write(to bytes: inout TelemetryWriter) {
            bytes.add(UInt32(poses.count))
            for pose in poses {
                for i in 0..<4 { bytes.add(pose.quaternion[i]) }
                bytes.add(pose.age)
                bytes.add(pose.id)
            }
        }

        var json: [Entry] {
            poses.map { pose in
                Entry(quaternion: (0..<4).map { pose.quaternion[$0] }, id: pose.id, age: pose.age < 0 ? nil : pose.age)
            }
        }
    }

    struct Entry: Encodable {
        let quaternion: [Float]
        let id: UInt64
        let age: Float?
    }
}
