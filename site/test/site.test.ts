/** The built site: its links, its size, its search, and how a browser shows it from a folder. */
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { seriousProblems } from '../../inspector/test/axe.ts'
import { startBrowser } from '../../inspector/test/browser.ts'
import { buildSite } from '../build-site.ts'
import type { RenderedPage } from '../render-page.ts'
import { brokenLinks } from './broken-links.ts'

/** `vitest --mode whole` looks at every page at every size. */
const isWhole = process.env['MODE'] === 'whole'
const firstPageMost = 150_000

type Browser = Awaited<ReturnType<typeof startBrowser>>
type Page = Awaited<ReturnType<Browser['newPage']>>

let folder: string
let pages: readonly RenderedPage[]
let browser: Browser

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'throughline-site-'))
  pages = await buildSite(folder)
  browser = await startBrowser()
})

afterAll(async () => {
  await browser?.close()
  rmSync(folder, { recursive: true, force: true })
})

interface Opened {
  readonly page: Page
  readonly requests: readonly string[]
  readonly errors: readonly string[]
}

async function open(file: string, width: number, dark: boolean): Promise<Opened> {
  const context = await browser.newContext({
    viewport: { width, height: 844 },
    colorScheme: dark ? 'dark' : 'light',
    locale: 'en-US',
  })
  const page = await context.newPage()
  const requests: string[] = []
  const errors: string[] = []
  page.on('request', (request) => requests.push(request.url()))
  page.on('pageerror', (error) => errors.push(error.message))
  page.on('console', (message) => {
    if (message.type() === 'error') errors.push(message.text())
  })
  await page.goto(pathToFileURL(join(folder, file)).href)
  return { page, requests, errors }
}

describe('the built site', () => {
  it('has something at the target of every link', () => {
    expect(brokenLinks(folder, pages)).toEqual([])
  })

  it('notices a broken link', () => {
    const [first] = pages
    if (first === undefined) throw new Error('there are no pages')
    const source = { ...first.source, file: 'index.html' }
    const html =
      '<a href="nowhere.html">a</a> <a href="start.html#nothing">b</a> <a href="#install">c</a>'
    expect(brokenLinks(folder, [{ ...first, source, html }])).toHaveLength(2)
  })

  it('is also a list and a text for language models', () => {
    const list = readFileSync(join(folder, 'llms.txt'), 'utf8')
    const targets = [...list.matchAll(/\]\(([^)]+)\)/g)].map(([, target = '']) => target)
    expect(targets.length).toBeGreaterThan(40)
    expect(targets.filter((target) => !existsSync(join(folder, target)))).toEqual([])
    expect(readFileSync(join(folder, 'llms-full.txt'), 'utf8')).toContain('# Policy cookbook')
  })

  it('loads little for the first page, and nothing from elsewhere', async () => {
    const { page, requests, errors } = await open('index.html', 1280, false)
    await page.waitForLoadState('networkidle')
    const root = pathToFileURL(folder).href
    expect(requests.filter((url) => !url.startsWith(root))).toEqual([])
    const bytes = requests.map((url) => statSync(new URL(url)).size)
    expect(bytes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(firstPageMost)
    expect(errors).toEqual([])
    await page.context().close()
  })

  it('finds a page by its words, with the keyboard, opened from a folder', async () => {
    const { page, errors } = await open('decisions/0001-one-package.html', 1280, false)
    await page.keyboard.press('/')
    await page.keyboard.type('undo a compaction')
    await page.waitForSelector('#results a')
    await page.keyboard.press('Enter')
    await page.waitForURL(/undo\.html/)
    expect(await page.textContent('h1')).toContain('undo')
    expect(errors).toEqual([])
    await page.context().close()
  })

  it('fits a phone and a screen, light and dark, without a serious problem of accessibility', async () => {
    const all = pages.flatMap(({ source: { file } }) => [
      { file, width: 390, dark: true },
      { file, width: 1280, dark: false },
    ])
    const some = [
      { file: 'index.html', width: 390, dark: true },
      { file: 'concepts.html', width: 1280, dark: false },
    ]
    const found: string[] = []
    for (const { file, width, dark } of isWhole ? all : some) {
      const { page, errors } = await open(file, width, dark)
      const wider = await page.evaluate('document.documentElement.scrollWidth - innerWidth')
      if (wider !== 0) found.push(`${file} is ${wider} wider than ${width}`)
      // Before axe, which tries to fetch the style sheet and may not.
      found.push(...errors)
      const problems = await seriousProblems(page)
      found.push(...problems.map((problem) => `${file} at ${width}: ${problem}`))
      await page.context().close()
    }
    expect(found).toEqual([])
  }, 900_000)
})
