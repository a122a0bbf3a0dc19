/// All subscribers, and the delivery of changes to them.
///
/// A class, because a subscriber's `wake` may subscribe others while changes are delivered.
final class Subscriptions {
    private var subscribers: [ObjectIdentifier: Subscriber] = [:]

    func add(_ subscriber: Subscriber) { subscribers[ObjectIdentifier(subscriber)] = subscriber }

    func remove(_ subscriber: Subscriber) { subscribers[ObjectIdentifier(subscriber)] = nil }

    /// Marks a parameter as changed for every subscriber that listens to it.
    ///
    /// - Parameter sender: left out, since it has just sent the value.
    func mark(_ index: Int, except sender: Subscriber?) {
        for subscriber in subscribers.values {
            if subscriber === sender { subscriber.unmark(index) } else { subscriber.mark(index) }
        }
    }

    /// Subscribes every subscriber of a container of `address` to a new parameter.
    func listen(_ index: Int, at address: String) {
        for subscriber in subscribers.values where subscriber.wants(address) { subscriber.listen(index) }
    }

    /// Ends all subscriptions to a parameter.
    func ignore(_ index: Int) {
        for subscriber in subscribers.values { subscriber.ignore(index) }
    }
}
