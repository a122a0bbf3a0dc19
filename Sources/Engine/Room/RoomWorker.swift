import Binaural
import Crossing
import Media
import RenderCore

/// Computes rooms in the background, one after the other; a newer order replaces an older one.
typealias RoomWorker = BackgroundWorker<Int, RoomOrder, Parcel<RoomScene>>

extension BackgroundWorker where Customer == Int, Order == RoomOrder, Product == Parcel<RoomScene> {
    /// - Parameters:
    ///   - objects: number of sound objects.
    ///   - rate: frames per second.
    ///   - period: largest block, frames.
    convenience init(objects: Int, rate: Float, period: Int) {
        self.init(name: "rooms") { order, progress throws(MediaError) in
            guard let plan = RoomPlan(order.room, order: order.order, rate: rate, isWanted: { progress(0) }) else { return nil }
            return Parcel(RoomScene(plan, objects: objects, rate: rate, period: period))
        }
    }
}
