import Binaural
import Testing

@Suite struct ArrayPlanTests {
    let recording = MicrophoneArray(azimuths: [10, 100, -170, -80], radius: 0.09)

    @Test func anEmptyPlanIsTheRecording() throws {
        let array = try ArrayPlan().array(for: recording)
        #expect(array.azimuthList == recording.azimuthList && array.radius == recording.radius)
    }

    @Test func directionAndFirstAzimuthMakeAUniformRing() throws {
        var plan = ArrayPlan()
        plan.direction = .counterClockwise
        plan.first = 20
        plan.radius = 0.1
        let array = try plan.array(for: recording)
        #expect(array.azimuthList == [20, 110, -160, -70] && array.radius == 0.1)
        plan.direction = .clockwise
        #expect(try plan.array(for: recording).azimuthList == [20, -70, -160, 110])
    }

    @Test func explicitAzimuthsHaveToFit() throws {
        var plan = ArrayPlan()
        plan.azimuths = [0, 90, 180, 270]
        #expect(try plan.array(for: recording).azimuthList == [0, 90, 180, -90])
        for wrong in [[0, 90, 180], [0, 90, 90, 180], [0, 90, 180, 360]] as [[Float]] {
            plan.azimuths = wrong
            #expect(throws: ArrayPlanError.self) { try plan.array(for: recording) }
        }
        plan.azimuths = []
        plan.radius = 0.001
        #expect(throws: ArrayPlanError.self) { try plan.array(for: recording) }
    }
}
