import Testing

@testable import Web

@Suite struct PageTemplateTests {
    @Test func placeholdersAreEscaped() {
        let template = PageTemplate("<p title=\"{{a}}\">{{a}}{{missing}}</p>")
        let page = template.fill(["a": .text("<b>\"&'{{a}}")])
        let escaped = "&lt;b&gt;&quot;&amp;&#39;{{a}}"
        #expect(page == "<p title=\"\(escaped)\">\(escaped)</p>")
    }

    @Test func listsRepeatTheirPart() {
        let template = PageTemplate("{{#rows}}[{{name}} {{title}}]{{/rows}}{{#none}}x{{/none}}.")
        let rows: [[String: PageTemplate.Value]] = [["name": .text("1")], ["name": .text("2"), "title": .text("own")]]
        #expect(template.fill(["rows": .list(rows), "title": .text("shared"), "none": .list([])]) == "[1 shared][2 own].")
    }

    @Test func unclosedPlaceholdersStayAsTheyAre() {
        #expect(PageTemplate("a {{b").fill(["b": .text("x")]) == "a {{b")
        #expect(PageTemplate("a {{#b}}c").fill(["b": .list([[:]])]) == "a c")
    }

    @Test func everyPageOfThePanelFillsItsPlaceholders() throws {
        let files = StaticFiles(TestServer.panel)
        for name in ["node", "trust"] {
            let page = try #require(files.template(name)).fill([:])
            #expect(page.hasPrefix("<!doctype html>") && !page.contains("{{"), "\(name)")
        }
        #expect(files.template("nothing") == nil && files.template("../index") == nil)
    }
}
