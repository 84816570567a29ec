/** The same for the program that makes the index and for the page that reads it. */
import type { Options } from 'minisearch'

export interface SearchEntry {
  /** The address of the section, from the root of the site. */
  readonly id: string
  readonly title: string
  readonly page: string
  readonly text: string
}

export const searchOptions: Options<SearchEntry> = {
  fields: ['title', 'page', 'text'],
  storeFields: ['title', 'page'],
  searchOptions: { boost: { title: 4, page: 2 }, prefix: true, fuzzy: 0.15, combineWith: 'AND' },
}
