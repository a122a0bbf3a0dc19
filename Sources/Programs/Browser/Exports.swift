// The functions that web/renderer/renderer.js calls. Renderers and memory are addresses in the module's memory; numbers that come from
// a page are checked here. `1` is true.

typealias Renderer = UnsafeMutablePointer<BrowserRenderer>

/// Version of these functions: a page refuses a module of another one.
@_expose(wasm, "renderer_version")
@_cdecl("renderer_version")
public func rendererVersion() -> Int32 { 2 }

/// Creates a renderer; 0 when a number is out of range.
@_expose(wasm, "renderer_create")
@_cdecl("renderer_create")
public func rendererCreate(_ rate: Float, _ objects: Int32) -> UnsafeMutableRawPointer? {
    guard rate >= 8000, rate <= 192_000, objects >= 0, objects <= 128 else { return nil }
    let renderer = Renderer.allocate(capacity: 1)
    renderer.initialize(to: BrowserRenderer(rate: rate, objects: Int(objects)))
    return UnsafeMutableRawPointer(renderer)
}

@_expose(wasm, "renderer_destroy")
@_cdecl("renderer_destroy")
public func rendererDestroy(_ at: UnsafeMutableRawPointer) {
    let renderer = at.assumingMemoryBound(to: BrowserRenderer.self)
    renderer.deinitialize(count: 1)
    renderer.deallocate()
}

/// Address of the interleaved frames of the next block.
@_expose(wasm, "renderer_input")
@_cdecl("renderer_input")
public func rendererInput(_ at: UnsafeMutableRawPointer) -> UnsafeMutablePointer<Float> { renderer(at).pointee.input }

/// Address of an ear's last block, 0 for the left.
@_expose(wasm, "renderer_ear")
@_cdecl("renderer_ear")
public func rendererEar(_ at: UnsafeMutableRawPointer, _ side: Int32) -> UnsafeMutablePointer<Float> {
    renderer(at).pointee.ear(side == 0 ? 0 : 1)
}

/// Address of 64 azimuths, 64 gains and 64 delays that `renderer_set_array` takes.
@_expose(wasm, "renderer_array")
@_cdecl("renderer_array")
public func rendererArray(_ at: UnsafeMutableRawPointer) -> UnsafeMutablePointer<Float> {
    renderer(at).pointee.settings.pointee.azimuths
}

/// Sets the array; returns 0 when the numbers do not describe one, and keeps the previous one.
@_expose(wasm, "renderer_set_array")
@_cdecl("renderer_set_array")
public func rendererSetArray(_ at: UnsafeMutableRawPointer, _ count: Int32, _ radius: Float) -> Int32 {
    let renderer = renderer(at)
    renderer.pointee.settings.pointee.count = Int(count)
    renderer.pointee.settings.pointee.radius = radius
    return renderer.pointee.setArray() ? 1 : 0
}

/// Turns the head: a unit quaternion, head to world. Others are ignored.
@_expose(wasm, "renderer_set_head")
@_cdecl("renderer_set_head")
public func rendererSetHead(_ at: UnsafeMutableRawPointer, _ w: Float, _ x: Float, _ y: Float, _ z: Float) {
    let head = SIMD4(w, x, y, z)
    let length = (head * head).sum()
    if length > 0.5, length < 2 { renderer(at).pointee.head = head / length.squareRoot() }
}

/// Chooses a method by its number; returns 0 for one that is not offered.
@_expose(wasm, "renderer_set_method")
@_cdecl("renderer_set_method")
public func rendererSetMethod(_ at: UnsafeMutableRawPointer, _ number: Int32) -> Int32 {
    guard let method = InterpolationMethod(rawValue: Int(number)), !method.bands.contains(.hrtf) else { return 0 }
    renderer(at).pointee.own.method = method
    return 1
}

/// Sets the listener: gain and ceiling as factors, angles in degrees, microphone from 0; returns 0 when a number is out of range.
@_expose(wasm, "renderer_set_listener")
@_cdecl("renderer_set_listener")
public func rendererSetListener(
    _ at: UnsafeMutableRawPointer, _ gain: Float, _ earAzimuth: Float, _ front: Float, _ microphone: Int32, _ ceiling: Float
) -> Int32 {
    guard gain >= 0, gain <= 16, earAzimuth >= 0, earAzimuth <= 180, abs(front) <= 360, ceiling == 0 || (ceiling >= 0.063 && ceiling <= 1),
        microphone >= 0, microphone < 64
    else { return 0 }
    let renderer = renderer(at)
    renderer.pointee.own.gain = gain
    renderer.pointee.own.earAzimuth = earAzimuth
    renderer.pointee.own.front = front
    renderer.pointee.own.fixedMicrophone = Int(microphone)
    // A ceiling of 0 is none.
    renderer.pointee.own.isProtected = ceiling > 0
    renderer.pointee.own.ceiling = ceiling > 0 ? ceiling : 1
    return 1
}

/// Sets the crossover, hertz; 0 for each method's own rule.
@_expose(wasm, "renderer_set_crossover")
@_cdecl("renderer_set_crossover")
public func rendererSetCrossover(_ at: UnsafeMutableRawPointer, _ hertz: Float) -> Int32 {
    guard hertz == 0 || (hertz >= 20 && hertz <= 0.45 * renderer(at).pointee.rate) else { return 0 }
    renderer(at).pointee.crossover = hertz
    return 1
}

/// Plays or pauses, with a fade.
@_expose(wasm, "renderer_set_playing")
@_cdecl("renderer_set_playing")
public func rendererSetPlaying(_ at: UnsafeMutableRawPointer, _ isPlaying: Int32) { renderer(at).pointee.isPlaying = isPlaying != 0 }

/// Places an object: degrees, metres, and a factor.
@_expose(wasm, "renderer_set_object")
@_cdecl("renderer_set_object")
public func rendererSetObject(
    _ at: UnsafeMutableRawPointer, _ object: Int32, _ azimuth: Float, _ elevation: Float, _ distance: Float, _ gain: Float
) -> Int32 {
    let renderer = renderer(at)
    guard object >= 0, Int(object) < renderer.pointee.objectCount, abs(azimuth) <= 360, abs(elevation) <= 90, distance >= 0,
        distance <= 10_000, gain >= 0, gain <= 16
    else { return 0 }
    renderer.pointee.objects[Int(object)] = ObjectSettings(azimuth: azimuth, elevation: elevation, distance: distance, gain: gain)
    return 1
}

/// Gives an object a looped sound, which is copied; 0 frames for silence.
@_expose(wasm, "renderer_set_sound")
@_cdecl("renderer_set_sound")
public func rendererSetSound(_ at: UnsafeMutableRawPointer, _ object: Int32, _ mono: UnsafePointer<Float>, _ frames: Int32) -> Int32 {
    renderer(at).pointee.setSound(Int(object), mono: mono, frames: Int(frames)) ? 1 : 0
}

/// Address of an object's sound in the next block, for objects whose sound comes with the blocks; 0 when there is no such object.
@_expose(wasm, "renderer_object_input")
@_cdecl("renderer_object_input")
public func rendererObjectInput(_ at: UnsafeMutableRawPointer, _ object: Int32) -> UnsafeMutablePointer<Float>? {
    renderer(at).pointee.streamed.sound(Int(object))
}

/// Places such an object in a direction (front, left, up), or silences it; returns 0 when there is no such object or direction.
@_expose(wasm, "renderer_stream_object")
@_cdecl("renderer_stream_object")
public func rendererStreamObject(
    _ at: UnsafeMutableRawPointer, _ object: Int32, _ x: Float, _ y: Float, _ z: Float, _ isOn: Int32
) -> Int32 {
    renderer(at).pointee.streamed.set(Int(object), SIMD3(x, y, z), isOn: isOn != 0) ? 1 : 0
}

/// Address of a side of the live input in the next block, 0 for the left.
@_expose(wasm, "renderer_live_input")
@_cdecl("renderer_live_input")
public func rendererLiveInput(_ at: UnsafeMutableRawPointer, _ side: Int32) -> UnsafeMutablePointer<Float> {
    renderer(at).pointee.streamed.side(Int(side))
}

/// Says whether the blocks have live input.
@_expose(wasm, "renderer_set_live")
@_cdecl("renderer_set_live")
public func rendererSetLive(_ at: UnsafeMutableRawPointer, _ isLive: Int32) { renderer(at).pointee.streamed.hasInput = isLive != 0 }

/// Renders one block; returns 0 for a block that cannot be.
@_expose(wasm, "renderer_render")
@_cdecl("renderer_render")
public func rendererRender(_ at: UnsafeMutableRawPointer, _ frames: Int32) -> Int32 {
    guard frames >= 16, frames <= BrowserRenderer.largestBlock, frames % 16 == 0 else { return 0 }
    renderer(at).pointee.render(frames: Int(frames))
    return 1
}

/// Latency from the recording to the ears, samples.
@_expose(wasm, "renderer_latency")
@_cdecl("renderer_latency")
public func rendererLatency(_ at: UnsafeMutableRawPointer) -> Int32 { Int32(renderer(at).pointee.latency) }

/// Present crossover, hertz; 0 for none.
@_expose(wasm, "renderer_crossover")
@_cdecl("renderer_crossover")
public func rendererCrossover(_ at: UnsafeMutableRawPointer) -> Float { renderer(at).pointee.presentCrossover }

/// Peak of an ear in the last block.
@_expose(wasm, "renderer_peak")
@_cdecl("renderer_peak")
public func rendererPeak(_ at: UnsafeMutableRawPointer, _ side: Int32) -> Float { renderer(at).pointee.peak[side == 0 ? 0 : 1] }

/// Address of the current weights: 64 of the left ear below the crossover, 64 of the right ear, then both above it.
@_expose(wasm, "renderer_weights")
@_cdecl("renderer_weights")
public func rendererWeights(_ at: UnsafeMutableRawPointer) -> UnsafeMutablePointer<Float> {
    renderer(at).pointee.gatherWeights()
    return renderer(at).pointee.weights
}

/// Address of the microphones' levels since the last call: 64 peaks and 64 root mean squares.
@_expose(wasm, "renderer_levels")
@_cdecl("renderer_levels")
public func rendererLevels(_ at: UnsafeMutableRawPointer) -> UnsafeMutablePointer<Float> {
    renderer(at).pointee.gatherLevels()
    return renderer(at).pointee.microphones
}

/// Memory for sounds of objects.
@_expose(wasm, "renderer_allocate")
@_cdecl("renderer_allocate")
public func rendererAllocate(_ floats: Int32) -> UnsafeMutablePointer<Float>? {
    guard floats > 0, floats <= 64 << 20 else { return nil }
    return .allocateAligned(Int(floats))
}

@_expose(wasm, "renderer_free")
@_cdecl("renderer_free")
public func rendererFree(_ memory: UnsafeMutablePointer<Float>) { memory.deallocate() }

private func renderer(_ at: UnsafeMutableRawPointer) -> Renderer { at.assumingMemoryBound(to: BrowserRenderer.self) }
