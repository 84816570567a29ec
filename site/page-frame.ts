/** The frame of every page: header with search, navigation, the page, its headings, the next page. */
import { posix } from 'node:path'
import { escapeHtml, type RenderedPage } from './render-page.ts'
import type { Source } from './sources.ts'

export function pageFrame(page: RenderedPage, sources: readonly Source[]): string {
  const { source } = page
  const up = posix.relative(posix.dirname(source.file), '.') || '.'
  const link = (file: string) => posix.relative(posix.dirname(source.file), file)
  const isStart = source.file === 'index.html'
  return `<!doctype html>
<html lang="en" data-up="${up}/">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(isStart ? 'Throughline: conversations of any length in the context window' : `${source.title} · Throughline`)}</title>
<meta name="color-scheme" content="light dark">
<link rel="icon" href="${link('icon.svg')}" type="image/svg+xml">
<link rel="stylesheet" href="${link('style.css')}">
<link rel="alternate" type="text/markdown" href="${link(markdownFile(source))}">
<script src="${link('page.js')}" defer></script>
</head>
<body>
<a class="skip" href="#page">Skip to the page</a>
<header>
<a class="brand" href="${link('index.html')}"><img src="${link('icon.svg')}" alt="" width="22" height="22">Throughline</a>
<search>
<input id="search" type="search" placeholder="Search" aria-label="Search the documentation" autocomplete="off" aria-controls="results">
<ul id="results" aria-label="Search results" hidden></ul>
</search>
</header>
<div class="columns">
<nav class="pages" aria-label="Pages"><details><summary>All pages</summary>
${navigationOf(source, sources, link)}
</details></nav>
<main id="page">
<article>
${page.html}</article>
<footer>
${neighbours(source, sources, link)}
<p><a href="${link(markdownFile(source))}">This page as Markdown</a> · <a href="${link('llms.txt')}">llms.txt</a></p>
</footer>
</main>
${outline(page)}
</div>
</body>
</html>
`
}

/** The Markdown of a page, beside it. */
export function markdownFile({ file }: Source): string {
  return file.replace(/\.html$/, '.md')
}

type Link = (file: string) => string

function navigationOf(source: Source, sources: readonly Source[], link: Link): string {
  const groups = Map.groupBy(
    sources.filter(({ group }) => group !== null),
    ({ group }) => group,
  )
  return [...groups]
    .map(([title, pages]) => {
      const items = pages.map(({ file, name }) => {
        const current = file === source.file ? ' aria-current="page"' : ''
        return `<li><a href="${link(file)}"${current}>${escapeHtml(name)}</a></li>`
      })
      return `<p>${title}</p>\n<ul>\n${items.join('\n')}\n</ul>`
    })
    .join('\n')
}

function neighbours(source: Source, sources: readonly Source[], link: Link): string {
  const listed = sources.filter(({ group }) => group !== null)
  const at = listed.indexOf(source)
  const before = at > 0 ? listed[at - 1] : undefined
  const after = at >= 0 ? listed[at + 1] : undefined
  const one = (page: Source | undefined, label: string) =>
    page === undefined
      ? '<span></span>'
      : `<a href="${link(page.file)}">${label}<strong>${escapeHtml(page.name)}</strong></a>`
  return `<div class="neighbours">${one(before, 'Before')}${one(after, 'Next')}</div>`
}

/** Only where there is something to choose from. */
function outline({ headings, source }: RenderedPage): string {
  // The API has hundreds of names; its entries are enough.
  const deepest = source.path === 'docs/api.md' ? 2 : 3
  const shown = headings.filter(({ depth }) => depth > 1 && depth <= deepest)
  if (shown.length < 3) return ''
  const items = shown.map(
    ({ depth, slug, text }) =>
      `<li class="depth${depth}"><a href="#${slug}">${escapeHtml(text)}</a></li>`,
  )
  return `<nav class="outline" aria-label="On this page"><p>On this page</p><ul>\n${items.join('\n')}\n</ul></nav>`
}
