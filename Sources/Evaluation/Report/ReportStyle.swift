/// Style of the report, light and dark.
enum ReportStyle {
    /// Number of methods with a colour of their own.
    static let colours = 8

    static let css = """
        :root {
          color-scheme: light dark;
          --paper: #fdfdfb; --ink: #1d2125; --soft: #5b646d; --line: #dcdfe2; --best: #0a6b3d;
          --c0: #8a8f94; --c1: #c2410c; --c2: #b7791f; --c3: #0e7490; --c4: #2563eb; --c5: #9333ea; --c6: #15803d;
          --c7: #be185d;
        }
        @media (prefers-color-scheme: dark) {
          :root {
            --paper: #14171a; --ink: #e6e8ea; --soft: #9aa3ab; --line: #30363c; --best: #5fd39a;
            --c0: #8d959c; --c1: #fb8a4c; --c2: #e2b23e; --c3: #3fc1d9; --c4: #6ea8ff; --c5: #c38bff; --c6: #58cf82;
            --c7: #f58ab8;
          }
        }
        * { box-sizing: border-box; }
        body {
          margin: 0 auto; max-width: 72rem; padding: 1.5rem 1rem 4rem; background: var(--paper); color: var(--ink);
          font: 16px/1.5 system-ui, sans-serif;
        }
        h1 { font-size: 1.6rem; line-height: 1.2; margin: 0 0 .5rem; }
        h2 { font-size: 1.2rem; margin: 2.5rem 0 .5rem; }
        h3 { font-size: 1rem; margin: 1.5rem 0 .25rem; }
        p, ul, dl { max-width: 46rem; }
        p.note { color: var(--soft); font-size: .875rem; margin: 1.25rem 0 .25rem; }
        summary { cursor: pointer; }
        .scroll { overflow-x: auto; margin: .5rem 0 1rem; }
        table { border-collapse: collapse; font-size: .875rem; font-variant-numeric: tabular-nums; }
        th, td {
          padding: .3rem .5rem; text-align: right; vertical-align: top; white-space: nowrap;
          border-bottom: 1px solid var(--line);
        }
        th { font-weight: 600; }
        thead th { vertical-align: bottom; white-space: normal; }
        th:first-child { text-align: left; }
        .note + .scroll { margin-top: 0; }
        th:first-child { position: sticky; left: 0; background: var(--paper); }
        td.best { color: var(--best); font-weight: 700; }
        @media (min-width: 40rem) { td:last-child, td small { white-space: normal; } }
        td small { display: block; color: var(--soft); font-weight: 400; }
        tbody tr.first > * { border-top: 2px solid var(--line); }
        @media (max-width: 40rem) {
          th, td { padding: .3rem .45rem; }
          th:first-child { white-space: normal; max-width: 7rem; }
        }
        .plots { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 26rem), 1fr)); gap: 1rem; }
        .legend { display: flex; flex-wrap: wrap; gap: .25rem 1.25rem; list-style: none; padding: 0; margin: .75rem 0; }
        .legend svg { width: 2.75rem; height: .75rem; vertical-align: middle; margin-right: .4rem; }
        svg { width: 100%; height: auto; }
        svg text { fill: var(--soft); font: 13px system-ui, sans-serif; }
        svg text.title { fill: var(--ink); font-weight: 600; }
        svg .end { text-anchor: end; } svg .middle { text-anchor: middle; }
        svg .grid { stroke: var(--line); fill: none; }
        svg .curve { fill: none; stroke-width: 2; stroke-linejoin: round; }
        svg .marker { fill: var(--paper); stroke-width: 1.5; }
        .c0 { stroke: var(--c0); } .c1 { stroke: var(--c1); } .c2 { stroke: var(--c2); } .c3 { stroke: var(--c3); }
        .c4 { stroke: var(--c4); } .c5 { stroke: var(--c5); } .c6 { stroke: var(--c6); } .c7 { stroke: var(--c7); }
        .curve.c1 { stroke-dasharray: 10 3; } .curve.c2 { stroke-dasharray: 5 3; } .curve.c3 { stroke-dasharray: 1.5 2.5; }
        .curve.c4 { stroke-dasharray: 10 3 2 3; } .curve.c5 { stroke-dasharray: 5 3 1.5 3; }
        .curve.c6 { stroke-dasharray: 10 3 2 3 2 3; } .curve.c7 { stroke-dasharray: 16 5; }
        dt { font-weight: 600; margin-top: .75rem; } dd { margin: 0; }
        """
}
