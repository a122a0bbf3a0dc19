import RenderCore

/// A path of an object that the control thread computes in the same way as the renderer.
final class FollowedPath {
    private let trajectory: ObjectTrajectory

    init(_ trajectory: consuming ObjectTrajectory) { self.trajectory = trajectory }

    /// The place at a time of the transport, metres: front, left, up.
    func place(at seconds: Double) -> [Float] {
        let place = trajectory.place(at: seconds)
        return [place[0], place[1], place[2]]
    }
}
