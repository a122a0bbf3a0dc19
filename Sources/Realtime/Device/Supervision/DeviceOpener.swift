/// Opens a device for a renderer that exists already, so that the device has to have its rate. Called on any thread.
public typealias DeviceOpener = @Sendable (DeviceSpecification) throws(DeviceError) -> any AudioDevice
