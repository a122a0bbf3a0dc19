import Testing

@testable import Evaluation

struct ReportTemplateTests {
    private static let template = ReportTemplate(page: "<i>{{a}}{{b}}</i>\n{{#c}}\n{{a}}!\n{{/c}}\n{{style}} {{d}}", style: "{{a}}")

    @Test func placeholdersAreFilled() {
        let text = Self.template.filled(["a": "{{b}}", "b": "2"], parts: ["c": true])
        #expect(text == "<i>{{b}}2</i>\n{{b}}!\n{{a}} {{d}}")
    }

    @Test func partsAreLeftOut() {
        let text = Self.template.filled(["a": "1", "b": "2", "d": "4"], parts: ["c": false, "other": true])
        #expect(text == "<i>12</i>\n{{a}} 4")
    }
}
