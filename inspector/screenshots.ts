/**
 * Takes the pictures of docs/inspector.md. With a folder, it takes every view there instead: light, dark, and on
 * a phone, to look at after a change.
 */
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { openPage, type PageOptions, startBrowser, startTestServer } from './test/browser.ts'
import { scriptedUpstream } from './test/scripted-upstream.ts'

const [folder] = process.argv.slice(2)
const chat = '#/c/ferry-timetable'
const fork = `${chat}-with-redis`

interface View {
  readonly name: string
  readonly hash: string
  /** What to do before the picture is taken. */
  readonly prepare?: (page: Page) => Promise<void>
}

const views: readonly View[] = [
  { name: 'conversations', hash: '#/' },
  { name: 'messages', hash: chat },
  { name: 'request', hash: `${chat}/requests` },
  { name: 'compactions', hash: `${chat}/compactions` },
  { name: 'receipt', hash: `${chat}/compactions`, prepare: openReceipt },
  { name: 'cost', hash: `${chat}/cost` },
  { name: 'ledger', hash: `${chat}/ledger` },
  { name: 'recall', hash: `${chat}/recall/staging%20port` },
  { name: 'pins', hash: `${fork}/pins` },
  { name: 'events', hash: `${chat}/events` },
  { name: 'chat', hash: `${fork}/chat` },
  { name: 'api', hash: '#/calls' },
  { name: 'unknown', hash: '#/c/none' },
  { name: 'undo', hash: `${chat}/compactions`, prepare: openUndo },
  { name: 'compact-now', hash: `${chat}/compactions`, prepare: openDryRun },
  { name: 'undone', hash: `${chat}/compactions`, prepare: undo },
]

const looks = {
  light: { width: 1280, height: 860 },
  dark: { width: 1280, height: 860, dark: true },
  phone: { width: 390, height: 844 },
  'phone-dark': { width: 390, height: 844, dark: true },
} as const

/** The pictures of the document; shorter ones where most of the screen would be empty. */
const pictures: readonly (readonly [view: string, look: keyof typeof looks, height?: number])[] = [
  ['conversations', 'light', 420],
  ['messages', 'light'],
  ['request', 'light'],
  ['compactions', 'light'],
  ['receipt', 'light'],
  ['undo', 'light'],
  ['cost', 'light'],
  ['cost', 'dark'],
  ['ledger', 'light'],
  ['recall', 'light'],
  ['pins', 'light', 460],
  ['events', 'light'],
  ['chat', 'light'],
  ['undone', 'light'],
  ['messages', 'phone'],
  ['receipt', 'phone-dark'],
]

const upstream = scriptedUpstream()
const chatModel = { model: 'demo/assistant', baseUrl: await upstream.url, api: 'openai' as const }
const server = await startTestServer({ chat: chatModel })
const browser = await startBrowser()
try {
  const { page } = await openPage(browser, server.signInUrl)
  await talk(page)
  const cookies = await page.context().cookies()
  if (folder === undefined) await takePictures(cookies)
  else
    for (const look of Object.keys(looks))
      await takeAll(folder, look as keyof typeof looks, cookies)
} finally {
  await browser.close()
  await server.stop()
  upstream.close()
}

type Cookies = Awaited<ReturnType<ReturnType<Page['context']>['cookies']>>

async function signedIn(options: PageOptions, cookies: Cookies): Promise<Page> {
  const { page } = await openPage(browser, null, options)
  await page.context().addCookies([...cookies])
  await page.goto(server.url)
  return page
}

async function takePictures(cookies: Cookies): Promise<void> {
  for (const [name, look, height = looks[look].height] of pictures) {
    const page = await signedIn({ ...looks[look], height }, cookies)
    const suffix = look === 'light' ? '' : `-${look}`
    await take(
      page,
      name,
      join(import.meta.dirname, `../docs/images/inspector-${name}${suffix}.png`),
    )
    await page.context().close()
  }
}

async function takeAll(into: string, look: keyof typeof looks, cookies: Cookies): Promise<void> {
  await mkdir(into, { recursive: true })
  const visitor = await openPage(browser, server.url, looks[look])
  await visitor.page.getByText('Sign in').first().waitFor()
  await visitor.page.screenshot({ path: join(into, `${look}-sign-in.png`) })
  const page = await signedIn(looks[look], cookies)
  for (const { name } of views) await take(page, name, join(into, `${look}-${name}.png`))
  await page.getByRole('button', { name: /^Put it back/ }).click()
}

async function take(page: Page, name: string, path: string): Promise<void> {
  const { hash, prepare } = views.find((view) => view.name === name) ?? { hash: '#/' }
  await page.keyboard.press('Escape')
  await page.evaluate(`location.hash = ${JSON.stringify(hash)}`)
  await page.locator('main h1, main .empty').first().waitFor()
  await page.locator('.loading').first().waitFor({ state: 'detached' })
  await prepare?.(page)
  await page.mouse.move(2, 2)
  // Charts and lists measure themselves, and messages load.
  await page.waitForTimeout(600)
  await page.screenshot({ path })
}

async function openReceipt(page: Page): Promise<void> {
  await page
    .getByRole('link', { name: /messages? dropped/ })
    .first()
    .click()
  await page.locator('.drop-list li').first().waitFor()
}

async function openUndo(page: Page): Promise<void> {
  await openReceipt(page)
  await page.getByRole('button', { name: 'Undo this compaction…' }).click()
  await page.locator('.changes').waitFor()
}

async function undo(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Undo this compaction…' }).first().click()
  await page.locator('.changes').waitFor()
  await page.getByRole('button', { name: 'Undo', exact: true }).click()
  await page.getByText(/^next request/).waitFor()
  // The notice is gone after some seconds.
  await page.locator('.notice.is-shown').waitFor({ state: 'detached' })
}

async function openDryRun(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Compact now…' }).click()
  await page.getByRole('textbox').fill('Keep what was decided about the staging port.')
  await page.getByRole('button', { name: 'Dry run' }).click()
  await page.getByText('Nothing is changed yet').waitFor()
}

/** Two pins, and a turn of the chat. */
async function talk(page: Page): Promise<void> {
  for (const place of [0, 41]) {
    await page.evaluate(`location.hash = '${fork}/messages/${place}'`)
    const message = page.getByRole('article', { name: `Message ${place}`, exact: true })
    await message.hover()
    await message.getByRole('button', { name: `Pin message ${place}` }).click()
    await message.getByText('pinned', { exact: true }).waitFor()
  }
  upstream.finish()
  await page.evaluate(`location.hash = '${fork}/chat'`)
  await page.getByRole('textbox', { name: 'Message' }).fill('When does the other team upgrade it?')
  await page.keyboard.press('Enter')
  await page.getByText('On the 3rd of May.').waitFor()
}
