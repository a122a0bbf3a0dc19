import Binaural
import Crossing
import Media
import RenderCore

/// Computes rooms in the background, one after the other; a newer request replaces an older one.
typealias RoomWorker = BackgroundWorker<Int, RoomRequest, Parcel<RoomScene>>

extension BackgroundWorker where Key == Int, Request == RoomRequest, Product == Parcel<RoomScene> {
    /// - Parameters:
    ///   - listeners: number of listeners of the device, each of which hears the reflections at its own place.
    ///   - rate: frames per second.
    ///   - period: largest block, frames.
    convenience init(listeners: Int, rate: Float, period: Int) {
        self.init(name: "rooms") { request, progress throws(MediaError) in
            guard let plan = RoomPlan(request.room, order: request.order, rate: rate, isWanted: { progress(0) }) else { return nil }
            return Parcel(RoomScene(plan, objects: request.objects, listeners: listeners, rate: rate, period: period))
        }
    }
}
