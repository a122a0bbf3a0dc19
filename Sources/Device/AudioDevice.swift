public import Render

/// What calls render: owns a thread, and while it runs, the renderer.
public protocol AudioDevice: AnyObject, Sendable {
    /// What the device runs with, which need not be what was asked for: make the renderer for this.
    var format: DeviceFormat { get }

    /// Moves `renderer` to a thread of its own and renders until told to stop.
    ///
    /// One run at a time; after a run has ended there may be another.
    ///
    /// - Parameter onEnd: called once, on the device's thread, when the device ends by itself: with nil when
    ///   everything is rendered, else with the reason. Not called on account of ``DeviceRun/stop()``, and not
    ///   the place to call that.
    func start<Renderer: BlockRenderer & ~Copyable>(
        _ renderer: consuming Renderer, onEnd: @escaping @Sendable (DeviceError?) -> Void
    ) throws(DeviceError) -> DeviceRun<Renderer>
}
