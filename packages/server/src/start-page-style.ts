/** The style of the start page, served as a file of its own. */
export const startPageStyle = `
:root { color-scheme: light dark; --ink: #1b2430; --soft: #5b6878; --line: #dde3ea; --paper: #f6f8fa; --card: #fff; --accent: #0b6e6e; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e6ebf1; --soft: #9aa7b6; --line: #2c3644; --paper: #10161e; --card: #18202b; --accent: #5cc8c2; }
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 16px/1.55 system-ui, -apple-system, "Segoe UI", sans-serif; }
main { max-width: 60rem; margin: 0 auto; padding: 2.5rem 1.25rem 4rem; }
header { border-left: 4px solid var(--accent); padding-left: 1rem; margin-bottom: 2rem; }
h1 { font-size: 1.9rem; letter-spacing: -.02em; margin: 0; }
header p { margin: .1rem 0 0; color: var(--soft); }
section { background: var(--card); border: 1px solid var(--line); border-radius: 12px; padding: 1.4rem 1.5rem; margin-bottom: 1.25rem; }
h2 { font-size: 1.15rem; margin: 0 0 .6rem; }
h3 { font-size: .8rem; text-transform: uppercase; letter-spacing: .08em; color: var(--soft); margin: 1.1rem 0 .4rem; }
p { margin: .4rem 0; }
a { color: var(--accent); }
code, pre { font: 13px/1.55 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; }
pre { background: var(--paper); border: 1px solid var(--line); border-radius: 8px; padding: .9rem 1rem; overflow-x: auto; margin: 0; }
.figures { color: var(--soft); }
.figures b { color: var(--ink); font-size: 1.5rem; font-weight: 650; margin-right: .2rem; }
.figures b:not(:first-child) { margin-left: 1.2rem; }
.figures span { margin-left: 1.2rem; overflow-wrap: anywhere; }
.scroll { overflow-x: auto; }
table { width: 100%; border-collapse: collapse; margin-top: .8rem; }
th { text-align: left; font-size: .8rem; font-weight: 600; color: var(--soft); border-bottom: 1px solid var(--line); padding: .4rem .75rem .4rem 0; }
td { vertical-align: top; border-bottom: 1px solid var(--line); padding: .6rem .75rem .6rem 0; overflow-wrap: anywhere; }
tr:last-child td { border-bottom: 0; }
td code, .none, .more { color: var(--soft); }
.number { text-align: right; font-variant-numeric: tabular-nums; padding-right: 1.5rem; }
.fork { font-size: .8rem; color: var(--accent); border: 1px solid var(--line); border-radius: 999px; padding: 0 .5rem; white-space: nowrap; }
meter { width: 7rem; height: .8rem; vertical-align: middle; margin-right: .4rem; }
`
