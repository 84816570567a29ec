/** Builds the site into a folder: pages, pictures, the search, and the same as text. */
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { rolldown } from 'rolldown'
import { llmsFullText, llmsText } from './llms-text.ts'
import { markdownFile, pageFrame } from './page-frame.ts'
import { codeBlock, escapeHtml, type RenderedPage, renderPage } from './render-page.ts'
import { searchIndex } from './search-index.ts'
import { readSources, type Source } from './sources.ts'

const root = join(import.meta.dirname, '..')

export async function buildSite(folder: string): Promise<readonly RenderedPage[]> {
  const sources = readSources()
  const pages = sources.map((source) => renderPage(source, sources))
  rmSync(folder, { recursive: true, force: true })
  const write = (file: string, text: string) => {
    mkdirSync(dirname(join(folder, file)), { recursive: true })
    writeFileSync(join(folder, file), text)
  }
  for (const page of pages) {
    write(page.source.file, pageFrame(page, sources))
    write(markdownFile(page.source), page.source.markdown)
    for (const [file, path] of page.files) copyLinked(file, path, sources, folder, write)
  }
  write('search-index.js', searchIndex(pages))
  write('llms.txt', llmsText(sources))
  write('llms-full.txt', llmsFullText(sources))
  for (const name of ['style.css', 'icon.svg'])
    cpSync(join(import.meta.dirname, 'page', name), join(folder, name))
  write('page.js', await pageScript())
  return pages
}

function copyLinked(
  file: string,
  path: string,
  sources: readonly Source[],
  folder: string,
  write: (file: string, text: string) => void,
): void {
  if (!file.endsWith('.html')) {
    mkdirSync(dirname(join(folder, file)), { recursive: true })
    cpSync(join(root, path), join(folder, file))
    return
  }
  const code = readFileSync(join(root, path), 'utf8')
  const source = { path, file, title: path, name: path, group: null, markdown: code }
  const html = `<h1>${escapeHtml(path)}</h1>\n${codeBlock(code, path.split('.').at(-1) ?? '')}`
  const empty = { headings: [], sections: [], files: new Map() }
  write(file, pageFrame({ source, html, ...empty }, sources))
  write(markdownFile(source), `\`\`\`\n${code}\`\`\`\n`)
}

/** One script without imports: a page that was opened from a folder loads no modules. */
async function pageScript(): Promise<string> {
  const bundle = await rolldown({ input: join(import.meta.dirname, 'page/page.ts') })
  const { output } = await bundle.generate({ format: 'iife', minify: true })
  return output[0].code
}
