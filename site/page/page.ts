/** The script of every page: the search, and the list of pages that a phone folds. */
import MiniSearch from 'minisearch'
import { type SearchEntry, searchOptions } from './search-options.ts'

declare global {
  /** Set by search-index.js. */
  var throughlineIndex: string | undefined
}

const up = document.documentElement.dataset['up'] ?? './'
const input = document.querySelector<HTMLInputElement>('#search')
const results = document.querySelector<HTMLUListElement>('#results')
const pages = document.querySelector<HTMLDetailsElement>('nav.pages details')
const wide = matchMedia('(min-width: 60rem)')
let index: Promise<MiniSearch<SearchEntry>> | null = null

if (pages !== null) {
  const fold = () => {
    pages.open = wide.matches
  }
  wide.addEventListener('change', fold)
  fold()
  showCurrent(pages)
}
if (input !== null && results !== null) {
  input.addEventListener('focus', () => void loadIndex())
  input.addEventListener('input', () => void show(input.value, results))
  input.addEventListener('keydown', (event) => {
    if (event.key === 'ArrowDown') results.querySelector('a')?.focus()
    if (event.key === 'Enter') results.querySelector('a')?.click()
  })
  results.addEventListener('keydown', (event) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step === undefined) return
    event.preventDefault()
    const links = [...results.querySelectorAll('a')]
    const next = links.indexOf(document.activeElement as HTMLAnchorElement) + step
    const target = next < 0 ? input : links[Math.min(next, links.length - 1)]
    target?.focus()
  })
  document.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') hide(results)
    if (event.key !== '/' || document.activeElement instanceof HTMLInputElement) return
    event.preventDefault()
    input.focus()
  })
  document.addEventListener('click', (event) => {
    if (event.target instanceof Node && !input.parentElement?.contains(event.target)) hide(results)
  })
}

/** Scrolls the list alone; `scrollIntoView` would also scroll the page. */
function showCurrent(list: HTMLElement): void {
  const current = list.querySelector<HTMLElement>('[aria-current]')
  const frame = list.parentElement
  if (current !== null && frame !== null)
    frame.scrollTop = current.offsetTop - frame.clientHeight / 2
}

function loadIndex(): Promise<MiniSearch<SearchEntry>> {
  index ??= new Promise((resolve, reject) => {
    const script = document.createElement('script')
    script.src = `${up}search-index.js`
    script.onload = () =>
      resolve(MiniSearch.loadJSON(globalThis.throughlineIndex ?? '', searchOptions))
    script.onerror = () => reject(new Error('search-index.js is missing'))
    document.head.append(script)
  })
  return index
}

async function show(words: string, list: HTMLUListElement): Promise<void> {
  if (words.trim() === '') {
    hide(list)
    return
  }
  const found = (await loadIndex()).search(words).slice(0, 12)
  // A faster answer to later letters is already shown.
  if (input?.value !== words) return
  list.replaceChildren(...(found.length === 0 ? [item('Nothing found')] : found.map(resultOf)))
  list.hidden = false
}

function resultOf(found: { readonly [field: string]: unknown }): HTMLLIElement {
  const link = document.createElement('a')
  link.href = `${up}${String(found['id'])}`
  const page = document.createElement('small')
  page.textContent = String(found['page'])
  link.append(String(found['title']), page)
  link.addEventListener('click', () => {
    if (results !== null) hide(results)
  })
  return item(link)
}

function item(content: string | Node): HTMLLIElement {
  const element = document.createElement('li')
  element.append(content)
  return element
}

function hide(list: HTMLUListElement): void {
  list.hidden = true
}
