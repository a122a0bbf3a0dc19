public import ArgumentParser
public import Device

extension InputClock: ExpressibleByArgument {}
