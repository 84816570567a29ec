/** The search index: made here, loaded by the page with the first letter that a reader types. */
import MiniSearch from 'minisearch'
import { notSearched } from './navigation-data.ts'
import { searchOptions } from './page/search-options.ts'
import type { RenderedPage } from './render-page.ts'

/** A script and no JSON: a page that was opened from a folder may not fetch. */
export function searchIndex(pages: readonly RenderedPage[]): string {
  const index = new MiniSearch(searchOptions)
  for (const { source, sections } of pages) {
    if (notSearched.includes(source.path)) continue
    for (const [at, { heading, text }] of sections.entries())
      index.add({
        id: `${source.file}${at === 0 ? '' : `#${heading.slug}`}`,
        title: at === 0 ? source.title : heading.text,
        page: source.name,
        text,
      })
  }
  return `globalThis.throughlineIndex = ${JSON.stringify(JSON.stringify(index))}\n`
}
