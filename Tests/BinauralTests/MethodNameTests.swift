import Binaural
import Testing

struct MethodNameTests {
    @Test func methodsAreFoundByTheirPresentAndFormerNames() {
        for method in InterpolationMethod.allCases { #expect(InterpolationMethod(name: method.name) == method) }
        #expect(InterpolationMethod(name: "personal") == .hrtf && InterpolationMethod.hrtf.name == "hrtf")
        #expect(InterpolationMethod.formerNames == ["personal": "hrtf"])
        for name in ["", "Personal", "magic"] { #expect(InterpolationMethod(name: name) == nil) }
    }

    /// A former name that became another method's would change what sessions mean.
    @Test func namesAreUnique() {
        let names = InterpolationMethod.allCases.map(\.name) + InterpolationMethod.formerNames.keys
        #expect(Set(names).count == names.count)
    }
}
