/** Renders the Markdown of a page as HTML, with links that work from a folder. */
import { existsSync, statSync } from 'node:fs'
import { join, posix } from 'node:path'
import { Marked, type Tokens } from 'marked'
import { highlight } from './highlight.ts'
import { plainText, slugger } from './slugs.ts'
import type { Source } from './sources.ts'

const root = join(import.meta.dirname, '..')

interface Heading {
  readonly depth: number
  readonly text: string
  readonly slug: string
}

/** The text below a heading, for the search. */
interface Section {
  readonly heading: Heading
  readonly text: string
}

export interface RenderedPage {
  readonly source: Source
  readonly html: string
  readonly headings: readonly Heading[]
  readonly sections: readonly Section[]
  /** Files of the repository that the page shows or links, by their place in the site. */
  readonly files: ReadonlyMap<string, string>
}

export function renderPage(source: Source, sources: readonly Source[]): RenderedPage {
  const headings: Heading[] = []
  const files = new Map<string, string>()
  const slugOf = slugger()
  const href = (target: string) => linkFrom(source, target, sources, files)
  const marked = new Marked({
    gfm: true,
    renderer: {
      heading({ tokens, depth, text }) {
        const heading = { depth, text: plainText(text), slug: slugOf(text) }
        headings.push(heading)
        const inner = this.parser.parseInline(tokens)
        const link = `<a class="anchor" href="#${heading.slug}" aria-hidden="true" tabindex="-1">#</a>`
        return `<h${depth} id="${heading.slug}">${inner}${depth > 1 ? link : ''}</h${depth}>\n`
      },
      code({ text, lang }) {
        return codeBlock(text, (lang ?? '').split(/\s/)[0] ?? '')
      },
      link({ href: target, tokens }) {
        return `<a href="${escapeHtml(href(target))}">${this.parser.parseInline(tokens)}</a>`
      },
      image({ href: target, text }) {
        return `<img src="${escapeHtml(href(target))}" alt="${escapeHtml(text)}" loading="lazy">`
      },
      table(token) {
        return tableOf(token, (cell) => this.parser.parseInline(cell.tokens))
      },
    },
  })
  const html = marked.parse(source.markdown, { async: false })
  const sections = sectionsOf(source.markdown, headings)
  return { source, html, headings, sections, files }
}

/** Headings of the page with their text; a heading in a code block is none. */
function sectionsOf(markdown: string, headings: readonly Heading[]): readonly Section[] {
  const parts = new Marked().lexer(markdown)
  const sections: { heading: Heading; text: string }[] = []
  for (const token of parts) {
    const heading = token.type === 'heading' ? headings[sections.length] : undefined
    if (heading !== undefined) sections.push({ heading, text: '' })
    else {
      const last = sections.at(-1)
      if (last !== undefined) last.text += ` ${plainText(token.raw)}`
    }
  }
  return sections
}

/** A link of the document, relative to the file of the page. Throws where nothing is at its target. */
function linkFrom(
  source: Source,
  target: string,
  sources: readonly Source[],
  files: Map<string, string>,
): string {
  if (/^(?:[a-z]+:|#)/.test(target)) return target
  const [path = '', fragment] = target.split('#')
  const wanted = posix.join(posix.dirname(`${source.path}x`), path)
  const page = sources.find((one) => one.path === wanted || one.path === `${wanted}/`)
  const file = page?.file ?? linkedFile(wanted, source, files)
  const relative = posix.relative(posix.dirname(source.file), file)
  return fragment === undefined ? relative : `${relative}#${fragment}`
}

/** Pictures are copied; code becomes a page of its own, which browsers show. */
function linkedFile(wanted: string, source: Source, files: Map<string, string>): string {
  const path = join(root, wanted)
  if (!existsSync(path) || !statSync(path).isFile())
    throw new Error(`${source.path}: nothing is at ${wanted}`)
  const isPicture = /\.(?:png|svg)$/.test(wanted)
  const file = isPicture ? wanted.replace(/^docs\//, '') : `source/${wanted}.html`
  files.set(file, wanted)
  return file
}

/** Wide blocks scroll, and a keyboard reaches them. */
export function codeBlock(text: string, language: string): string {
  const code = highlight(text, language) ?? escapeHtml(text)
  return `<pre tabindex="0"><code>${code}</code></pre>\n`
}

function tableOf(
  { header, rows, align }: Tokens.Table,
  inline: (cell: Tokens.TableCell) => string,
): string {
  const cell = (tag: string, one: Tokens.TableCell, at: number) => {
    const side = align[at] === 'right' ? ' class="right"' : ''
    const content = inline(one)
    // An empty header names nothing, so it is an ordinary cell.
    const name = tag === 'th' && content === '' ? 'td' : tag
    return `<${name}${side}>${content}</${name}>`
  }
  const head = header.map((one, at) => cell('th', one, at)).join('')
  const body = rows.map((row) => `<tr>${row.map((one, at) => cell('td', one, at)).join('')}</tr>`)
  return `<div class="table" tabindex="0"><table><thead><tr>${head}</tr></thead><tbody>${body.join('\n')}</tbody></table></div>\n`
}

export function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
}
