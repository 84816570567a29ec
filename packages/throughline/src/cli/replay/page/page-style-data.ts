/** The CSS of the replay page: light or dark, from a phone to a wide screen. */
export const pageStyle = `
:root { color-scheme: light dark;
  --paper: #fbfbfa; --card: #ffffff; --ink: #1d2327; --soft: #5d6870; --edge: #dfe3e6; --accent: #1f6f50;
  --protected: #8b6db3; --history: #3d8eb9; --recalled: #d39a16; --recent: #4f9d69;
  --full: #9aa3a9; --sliding: #c2593f; --forgetting: #b08a1e; --model-summary: #7b62c0; --throughline: #14805a; }
@media (prefers-color-scheme: dark) { :root {
  --paper: #14181b; --card: #1b2024; --ink: #e5e9eb; --soft: #9aa5ad; --edge: #31383e; --accent: #63c79d;
  --protected: #a58bd0; --history: #57a9d6; --recalled: #e3b445; --recent: #66b983;
  --full: #7d878d; --sliding: #e27d62; --forgetting: #d1ab47; --model-summary: #a48fe2; --throughline: #45c795; } }
* { box-sizing: border-box }
body { margin: 0; background: var(--paper); color: var(--ink); font: 16px/1.5 system-ui, sans-serif }
main { max-width: 1200px; margin: 0 auto; padding: 24px 16px 64px }
h1 { font-size: 1.5rem; line-height: 1.25; margin: 0 0 4px; overflow-wrap: anywhere }
h2 { font-size: 1.15rem; margin: 40px 0 12px } h3 { font-size: 1rem; margin: 20px 0 8px; color: var(--soft) }
p { margin: 8px 0 } .note, .about { color: var(--soft); font-size: .9rem; overflow-wrap: anywhere }
.cards { display: grid; gap: 12px; grid-template-columns: repeat(auto-fit, minmax(150px, 1fr)); margin: 20px 0 }
.card { background: var(--card); border: 1px solid var(--edge); border-radius: 8px; padding: 12px 14px }
.card b { display: block; font-size: 1.5rem; line-height: 1.3; font-variant-numeric: tabular-nums }
.card span { color: var(--soft); font-size: .85rem; overflow-wrap: anywhere } .card.good b { color: var(--accent) } .card.bad b { color: var(--sliding) }
.plot { display: grid; grid-template: 240px auto / auto 1fr; gap: 4px 8px }
.plot svg { width: 100%; height: 100%; background: var(--card); border: 1px solid var(--edge); border-radius: 4px; overflow: hidden }
.scale { display: flex; flex-direction: column; justify-content: space-between; text-align: right; color: var(--soft); font-size: .75rem; line-height: 1; font-variant-numeric: tabular-nums }
.ends { grid-column: 2; display: flex; justify-content: space-between; color: var(--soft); font-size: .75rem }
path { vector-effect: non-scaling-stroke } .grid { stroke: var(--edge); fill: none }
.level { stroke: var(--ink); stroke-dasharray: 5 4; fill: none; opacity: .65 } .mark { stroke: var(--ink); fill: none; opacity: .7 }
.line { fill: none; stroke-width: 1.5 } .line.method-throughline { stroke-width: 3 }
.legend { display: flex; flex-wrap: wrap; gap: 4px 16px; font-size: .85rem } .legend span { white-space: nowrap }
.swatch { display: inline-block; width: .75em; height: .75em; border-radius: 2px; margin-right: .45em }
.scroll { overflow-x: auto; border: 1px solid var(--edge); border-radius: 8px; background: var(--card) }
table { border-collapse: collapse; width: 100%; font-size: .875rem } th, td { padding: 6px 10px; text-align: left; white-space: nowrap; border-bottom: 1px solid var(--edge) }
tbody tr:last-child td { border-bottom: 0 } th { color: var(--soft); font-weight: 600; font-size: .8rem } .n { text-align: right; font-variant-numeric: tabular-nums }
.ours { font-weight: 600 } .begins { white-space: normal; min-width: 220px; color: var(--soft); overflow-wrap: anywhere }
.bars { min-width: 140px } .bar { display: flex; height: 12px; background: var(--edge); border-radius: 3px; overflow: hidden } .bar i { min-width: 1px; flex: none }
.bar.tall { height: 36px; border-radius: 6px } .bar.tall i { border-right: 1px solid var(--paper) }
.pieces td { vertical-align: top }
@media (max-width: 640px) { .pieces thead { display: none } .pieces tr { display: grid; grid-template-columns: 1fr auto auto; border-bottom: 1px solid var(--edge) } .pieces td { border: 0; padding: 4px 10px } .pieces .begins { grid-column: 1 / -1; min-width: 0 } }
details { margin-top: 12px } summary { cursor: pointer; color: var(--accent) } details .scroll { margin-top: 8px }
.area.protected { fill: var(--protected) } .line.protected { stroke: var(--protected) } i.protected { background: var(--protected) }
.area.history { fill: var(--history) } .line.history { stroke: var(--history) } i.history { background: var(--history) }
.area.recalled { fill: var(--recalled) } .line.recalled { stroke: var(--recalled) } i.recalled { background: var(--recalled) }
.area.recent { fill: var(--recent) } .line.recent { stroke: var(--recent) } i.recent { background: var(--recent) }
.area.method-full { fill: var(--full) } .line.method-full { stroke: var(--full) } i.method-full { background: var(--full) }
.area.method-sliding { fill: var(--sliding) } .line.method-sliding { stroke: var(--sliding) } i.method-sliding { background: var(--sliding) }
.area.method-forgetting { fill: var(--forgetting) } .line.method-forgetting { stroke: var(--forgetting) } i.method-forgetting { background: var(--forgetting) }
.area.method-model-summary { fill: var(--model-summary) } .line.method-model-summary { stroke: var(--model-summary) } i.method-model-summary { background: var(--model-summary) }
.area.method-throughline { fill: var(--throughline) } .line.method-throughline { stroke: var(--throughline) } i.method-throughline { background: var(--throughline) }
`
