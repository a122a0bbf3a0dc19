package import Pose

/// Statistics of the arrival of poses, by listener and by the thread that delivers them.
package struct ArrivalStatistics {
    package let network: [PoseArrivals]
    let control: [PoseArrivals]

    init(listeners: Int) {
        network = (0..<listeners).map { _ in PoseArrivals() }
        control = (0..<listeners).map { _ in PoseArrivals() }
    }

    /// Both statistics of each listener.
    var all: [[PoseArrivals]] { zip(network, control).map { [$0, $1] } }
}
