/// Serves the files of the panel, and the page itself at every address that a browser opens and that no other route has.
struct PanelPages: WebFeature {
    let files: StaticFiles

    var routes: [Route] {
        [
            .page("/panel", "", "The panel."),
            .get("/panel/{file}", .everybody, "A file of the panel.") { files.answer($0.rest, $0.request) },
            // It also works for addresses outside of its own folder, and opens the page without the engine.
            .get("/panel/listen-worker.js", .everybody, "The service worker of the page *Listen*.") {
                var response = files.answer("listen-worker.js", $0.request)
                response.headers.append(("service-worker-allowed:", "/"))
                return response
            },
            Route(
                path: "/{path}", methods: [.page], audience: .everybody, summary: "The panel, at every other address.", action: .panel("")),
        ]
    }
}
