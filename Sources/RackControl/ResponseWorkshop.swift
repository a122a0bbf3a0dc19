public import Effects
public import Media

/// Where impulse responses are read. Customers are racks, with a file each.
public typealias ResponseWorkshop = Workshop<ResponseOrder, ResponseOrder, ResponseSpectra>

/// An impulse response that a rack waits for.
public struct ResponseOrder: Hashable, Sendable {
    /// As ``RackPosition`` counts.
    public let rack: Int
    public let path: String
    /// Of the engine, frames per second.
    public let rate: Int

    /// - Parameter progress: told the share that is done, 0 to 1; says whether to go on.
    /// - Returns: nil when told not to go on.
    public func fill(_ progress: (Double) -> Bool) throws(MediaError) -> ResponseSpectra? {
        let response = try ImpulseResponse.read(path: path, rate: rate, progress: progress)
        return response.map { ResponseSpectra(left: $0.left, right: $0.right) }
    }
}

extension Workshop where Customer == ResponseOrder, Order == ResponseOrder, Product == ResponseSpectra {
    public convenience init() {
        self.init(name: "responses") { order, progress throws(MediaError) in try order.fill(progress) }
    }
}
