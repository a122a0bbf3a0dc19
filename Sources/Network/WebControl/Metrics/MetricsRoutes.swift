/// For those who watch over the engine.
struct MetricsRoutes: WebFeature {
    let metrics: Metrics
    let health: () -> Health

    var routes: [Route] {
        [
            .get("/health", .everybody, "Whether the engine renders, and whether its sound is plausible; 503 when it does not render.") {
                _ in
                let health = health()
                return .json(health.httpStatus, health)
            },
            .get("/metrics", .view, "Figures for Prometheus.") { _ in metrics.response },
        ]
    }
}
