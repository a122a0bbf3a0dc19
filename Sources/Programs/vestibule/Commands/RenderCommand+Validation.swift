import ArgumentParser
import Binaural
import Engine
import Parameters

/// Options that contradict each other, or have no effect, are refused.
extension RenderCommand {
    func validate() throws {
        guard let interpolation else {
            throw ValidationError(
                "There is no method \"\(method ?? "")\"; choose one of "
                    + "\(InterpolationMethod.allCases.map(\.name).joined(separator: ", ")).")
        }
        guard recording != nil || !object.isEmpty else {
            throw ValidationError("There is nothing to render. Name a recording, or give --object FILE@AZIMUTH.")
        }
        guard object.count <= ObjectParameter.most else {
            throw ValidationError("--object is given \(counted(object.count, "time")), and there is room for \(ObjectParameter.most).")
        }
        if let camera = object.first(where: { $0.file == nil }) {
            throw ValidationError("--object \(camera.path): a camera sounds live, in `vestibule serve`. Name a sound file.")
        }
        // Options that do not apply to a take are refused when it is opened.
        let isTake = recording.map(TakeRendering.isTake) == true
        guard room == nil || !object.isEmpty || isTake else {
            throw ValidationError("--room is for sound objects. Add --object FILE@AZIMUTH, or leave --room out.")
        }
        for (option, angle) in [("--yaw", yaw), ("--pitch", pitch), ("--roll", roll)] {
            guard let angle else { continue }
            guard motion == nil else {
                throw ValidationError("\(option) holds the head still, but --motion moves it. Leave one of them out.")
            }
            guard Turns.wrapped(angle) != nil else {
                throw ValidationError("\(option) is \(angle), but must be at most 1000000 degrees either way.")
            }
        }
        guard place?.listener ?? 1 == 1 else { throw ValidationError("--place: one listener is rendered; leave out @ and its number.") }
        guard place == nil || !object.isEmpty || isTake else {
            throw ValidationError("--place is for sound objects. Add --object FILE@AZIMUTH, or leave --place out.")
        }
        try check("--ear-azimuth", earAzimuth, .earAzimuth, "degrees")
        try check("--head-radius", headRadius, .headRadius, "metres")
        try HRTFEqualisation.check(hrtfEqualisation)
        let neutral = HRTFEqualisation.neutral.name
        let isPlain = (hrtf ?? "").isEmpty && (headRadius ?? 0) == 0 && (hrtfEqualisation ?? neutral) == neutral
        guard interpolation == .hrtf || isPlain || !object.isEmpty || isTake else {
            throw ValidationError(
                "--hrtf, --head-radius and --hrtf-equalisation are for sound objects and the method hrtf, but the method is "
                    + "\(interpolation.name). Add --object FILE@AZIMUTH or --method hrtf.")
        }
    }

    private func check(_ option: String, _ value: Float?, _ parameter: ListenerParameter, _ unit: String) throws {
        let range = parameter.spec.range
        guard let value, !range.contains(value) else { return }
        throw ValidationError("\(option) is \(value), but must be from \(range.lowerBound) to \(range.upperBound) \(unit).")
    }
}
