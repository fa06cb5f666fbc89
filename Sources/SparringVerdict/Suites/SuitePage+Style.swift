extension SuitePage {
    static let style: Markup = """

        :root { --ground: #fff; --panel: #f5f7f9; --ink: #1b1f24; --muted: #57606a; --line: #cfd6dd; --good: #1a7f37; --bad: #c4232b;
          --doubt: #8a5a00; --note: #0757b5; --band: #d9ecdf; --clock: #6e40aa; }
        @media (prefers-color-scheme: dark) {
          :root { --ground: #0f1318; --panel: #181d24; --ink: #e6eaee; --muted: #9ca7b3; --line: #38414b; --good: #4cc36e; --bad: #ff7b78;
            --doubt: #e0b040; --note: #74b6ff; --band: #1f3d2a; --clock: #c4a1f5; }
        }
        * { box-sizing: border-box; }
        html { color-scheme: light dark; -webkit-text-size-adjust: 100%; }
        body { margin: 0 auto; padding: 16px; max-width: 1320px; background: var(--ground); color: var(--ink);
          font: 15px/1.45 system-ui, sans-serif; overflow-wrap: anywhere; }
        h1 { font-size: 1.5rem; line-height: 1.25; margin: 0 0 10px; }
        h2 { font-size: 1.1rem; margin: 28px 0 8px; }
        a { color: var(--note); }
        .muted { color: var(--muted); font-size: .87em; }
        header { border-left: 6px solid var(--muted); background: var(--panel); border-radius: 4px; padding: 14px 18px; }
        header.fail { border-color: var(--bad); } header.pass { border-color: var(--good); }
        header.inconclusive, header.not-exercised, header.undecided, header.excused { border-color: var(--doubt); }
        header.fail h1 { color: var(--bad); }
        .counts { display: flex; flex-wrap: wrap; gap: 4px 18px; margin: 0 0 10px; padding: 0; list-style: none; }
        .counts b { font-size: 1.15em; }
        .counts .fail b, td.fail, .fail .result, td.early, td.late, td.surplus, td.missing { color: var(--bad); }
        .counts .pass b, td.pass, .pass .result, td.good { color: var(--good); }
        .counts .inconclusive b, .counts .undecided b, .counts .excused b, .counts .advice b, td.inconclusive, td.undecided, td.excused, td.advice, .inconclusive .result, .not-exercised .result, .undecided .result, .excused .result, .advice .result { color: var(--doubt); }
        dl { display: flex; flex-wrap: wrap; gap: 6px 28px; margin: 0; }
        dt { color: var(--muted); font-size: .8rem; } dd { margin: 0; }
        dl.rule { display: grid; gap: 8px 28px; grid-template-columns: repeat(auto-fit, minmax(min(280px, 100%), 1fr)); }
        details { border: 1px solid var(--line); border-left-width: 5px; border-radius: 4px; margin: 8px 0; }
        details.fail { border-left-color: var(--bad); } details.pass { border-left-color: var(--good); }
        details.inconclusive, details.not-exercised, details.undecided, details.excused, details.advice { border-left-color: var(--doubt); }
        summary { padding: 8px 12px; cursor: pointer; }
        .result { font-weight: 700; margin-right: 4px; } .about { display: block; margin-left: 16px; }
        .pass .about { display: inline; margin-left: 4px; color: var(--muted); }
        .body { padding: 4px 14px 12px 28px; scroll-margin-top: 60px; }
        .evidence { padding-left: 18px; margin: 10px 0; }
        figure { margin: 16px 0 0; } figcaption { font-weight: 600; margin-bottom: 4px; }
        .scroll { overflow-x: auto; max-width: 100%; } figure .scroll + .scroll { margin-top: 6px; }
        table { border-collapse: collapse; font-size: .9rem; font-variant-numeric: tabular-nums; overflow-wrap: normal; }
        th, td { text-align: left; vertical-align: top; white-space: nowrap; padding: 4px 14px 4px 0;
          border-bottom: 1px solid var(--line); }
        th { color: var(--muted); font-weight: 600; }
        td.wide { white-space: normal; min-width: 220px; overflow-wrap: anywhere; }
        table.rules { width: 100%; }
        svg { display: block; font: 11px system-ui, sans-serif; fill: var(--ink); }
        svg path { fill: none; stroke: var(--muted); }
        .line { stroke: var(--muted); } svg .grid { stroke: var(--line); stroke-width: .7; }
        .tick { text-anchor: middle; fill: var(--muted); font-variant-numeric: tabular-nums; } svg .strong { font-weight: 700; }
        .band { fill: var(--band); stroke: var(--good); stroke-width: .6; } svg .due { stroke: var(--good); stroke-dasharray: 3 2; }
        .run text { paint-order: stroke; stroke: var(--ground); stroke-width: 3px; }
        svg .silence { stroke: var(--muted); stroke-width: 2; stroke-dasharray: 1 5; stroke-linecap: round; }
        .chain .good circle { fill: var(--good); }
        .chain .early path, .chain .late path { fill: var(--bad); stroke: var(--bad); }
        .chain g path.due { stroke: var(--good); fill: none; }
        .chain .cross { stroke: var(--bad); stroke-width: 3; }
        .ring { fill: var(--ground); stroke: var(--ink); stroke-width: 2; }
        .missing .ring { stroke: var(--bad); } .open .ring { stroke: var(--muted); }
        .dashed { stroke-dasharray: 4 2.5; } .dotted { stroke-dasharray: 1.5 2; }
        .timeline { display: flex; border: 1px solid var(--line); border-radius: 4px; }
        .timeline .scroll { flex: 1 1 0; min-width: 0; }
        .lanes { flex: none; width: clamp(72px, 20%, 200px); border-right: 1px solid var(--line);
          font-size: .8rem; }
        .lanes div { height: \(RunDrawing.rowHeight)px; padding: 0 6px; display: flex; align-items: center; }
        .lanes span { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
        .run .success rect, .run .opened rect { fill: var(--good); }
        .run .failure rect { fill: var(--bad); }
        .run .lost rect { fill: var(--ground); stroke: var(--bad); stroke-width: 1.4; }
        .run .notification path { stroke: var(--note); stroke-width: 2.5; }
        .run .closed path { stroke: var(--ink); stroke-width: 2.5; }
        .run .mark path { fill: var(--note); stroke: none; }
        .run .socket { stroke: var(--note); stroke-width: 3; opacity: .7; }
        .run g .accused, .run .accused { fill: none; stroke: var(--bad); stroke-width: 1.5; rx: 3px; }
        .run .break { fill: var(--panel); stroke: var(--line); stroke-dasharray: 3 3; }
        .run .fault path { stroke: var(--doubt); stroke-width: 1.5; } .run text.fault { fill: var(--doubt); }
        .run .clock path { stroke: var(--clock); stroke-width: 1.5; stroke-dasharray: 5 3; } .run text.clock { fill: var(--clock); }
        .run g:target rect, .run g:target path { stroke: var(--ink); stroke-width: 3; }
        pre { margin: 0 0 10px; padding: 8px 10px; background: var(--panel); border-radius: 4px; font: 12.5px/1.4 ui-monospace, monospace;
          white-space: pre-wrap; overflow-wrap: anywhere; }
        code { font: 12.5px/1.4 ui-monospace, monospace; user-select: all; }
        header p { margin: 0 0 10px; } .again { margin: 10px 0 0; }
        .bar { display: flex; gap: 2px; height: 8px; margin: 0 0 8px; } .bar span { border-radius: 2px; background: var(--line); min-width: 3px; }
        .bar .fail { background: var(--bad); } .bar .pass { background: var(--good); }
        .bar .inconclusive, .bar .undecided, .bar .excused, .bar .advice { background: var(--doubt); }
        details.quiet, details.exchange { border-left-width: 1px; } details.quiet > .scroll, details.quiet > pre { margin: 0 12px 10px; }
        details.sandbox > summary h2, details.quiet > summary h3 { display: inline; margin: 0; } h3 { font-size: 1rem; margin: 22px 0 6px; }
        .matrix td { text-align: center; padding: 4px 6px; } .matrix td a { text-decoration: none; font-weight: 700; color: inherit; }
        .matrix th.tall { vertical-align: bottom; padding: 4px 6px; } .matrix th.tall span { writing-mode: vertical-rl; transform: rotate(180deg); }
        .matrix th[scope=row] { position: sticky; left: 0; background: var(--ground); padding-right: 14px; }
        .matrix thead th { vertical-align: bottom; } .matrix td a { display: block; }
        .nowrap { white-space: nowrap; } .filter input { margin-right: 4px; }
        details:has(> .body:target) { outline: 2px solid var(--note); }
        @media (max-width: 700px) { h1 { font-size: 1.2rem; } .matrix th[scope=row] { position: static; white-space: normal; min-width: 8rem; max-width: 40vw; }
          .lanes span { white-space: normal; overflow-wrap: anywhere; font-size: .7rem; } summary .muted { display: block; } }
        .filter { border: 0; margin: 0 0 8px; padding: 0; display: flex; flex-wrap: wrap; gap: 4px 16px; font-size: .87rem; }
        .filter legend { float: left; margin-right: 12px; color: var(--muted); }
        .filtered:has(.show-fail:checked) tbody tr:not(.fail), .filtered:has(.show-pass:checked) tbody tr:not(.pass),
        .filtered:has(.show-inconclusive:checked) tbody tr:not(.inconclusive), .filtered:has(.show-undecided:checked) tbody tr:not(.undecided),
        .filtered:has(.show-excused:checked) tbody tr:not(.excused),
        .filtered:has(.show-advice:checked) tbody tr:not(.advice), .filtered:has(.show-not-exercised:checked) tbody tr:not(.not-exercised) { display: none; }
        a:focus-visible, summary:focus-visible, .scroll:focus-visible, input:focus-visible { outline: 2px solid var(--note); outline-offset: 2px; }
        svg .axis { fill: var(--muted); }
        @media print { body { max-width: none; } .scroll { overflow: visible; } details { break-inside: avoid; } details.sandbox { break-inside: auto; }
          .filter { display: none; } .bar span, header { print-color-adjust: exact; } .matrix { font-size: 7pt; } .matrix td, .matrix th.tall { padding: 2px; }
          .matrix th[scope=row] { position: static; white-space: normal; max-width: 12em; } }
        .legend { display: flex; flex-wrap: wrap; gap: 4px 16px; margin: 8px 0; padding: 0; list-style: none; font-size: .82rem; }
        .legend li { display: flex; align-items: center; gap: 4px; }

        """
}
