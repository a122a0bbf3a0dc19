import Binaural
import Foundation
import ListenerStreams
import Testing

/// The array as clients that render their listeners learn it.
@Suite struct ArrayDescriptionTests {
    @Test func describesPositionsRadiusAndDeadMicrophones() throws {
        let array = MicrophoneArray.uniform(count: 4)
        let members = ArrayDescription(array, muted: 0b1010).members
        let object = try JSONSerialization.jsonObject(with: Data("{\(members)}".utf8)) as? [String: Any]
        #expect(object?["azimuths"] as? [Double] == array.azimuthList.map(Double.init))
        #expect(abs((object?["radius"] as? Double ?? 0) - 0.0875) < 1e-6)
        #expect(object?["dead"] as? [Int] == [2, 4])
        #expect(object?.count == 3)
    }
}
