import Crossing
import Pose
import RenderInterface
import Testing

@testable import OSCControl

/// The way of a pose from the reader of messages to the renderer.
@Suite struct ListenerHeadTests {
    /// The reader of messages normalises a pose. A quaternion of another length shows that nothing after it does so again.
    @Test func aNormalisedPoseIsNotNormalisedAgain() {
        let poses = Latest<HeadPose>(.ahead)
        var reader = poses.reader
        let head = ListenerHead(PoseInlet(poses.writer))
        let long = SIMD4<Float>(1.5, 0, 0, 0.5)
        let isTaken = head.offer(HeadArbiter.direct, long, receiveTime: 1)
        let pose = reader.read()
        #expect(isTaken && pose.quaternion == long)
    }
}
