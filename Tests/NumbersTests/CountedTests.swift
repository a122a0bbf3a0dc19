import Numbers
import Testing

@Suite struct CountedTests {
    @Test func oneIsSingular() {
        #expect([0, 1, 2, -1].map { counted($0, "source") } == ["0 sources", "1 source", "2 sources", "-1 sources"])
        #expect([1, 3].map { counted($0, "branch", plural: "branches") } == ["1 branch", "3 branches"])
    }
}
