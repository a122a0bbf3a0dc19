public import Media

/// Where impulse responses are read. Customers are racks, with a file each.
public typealias ResponseWorkshop = Workshop<ResponseOrder, ResponseOrder, ImpulseResponse>

/// An impulse response that a rack waits for.
public struct ResponseOrder: Hashable, Sendable {
    /// As ``RackPosition`` counts.
    public let rack: Int
    public let path: String
    /// Of the engine, frames per second.
    public let rate: Int
}

extension Workshop where Customer == ResponseOrder, Order == ResponseOrder, Product == ImpulseResponse {
    public convenience init() {
        self.init(name: "responses") { order, progress throws(MediaError) in
            try ImpulseResponse.read(path: order.path, rate: order.rate, progress: progress)
        }
    }
}
