import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { sqliteAccess } from '@throughline/server'
import type { Browser, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { seriousProblems } from './axe.ts'
import { openPage, type Started, startBrowser, startTestServer, type Watched } from './browser.ts'
import { scriptedUpstream } from './scripted-upstream.ts'

const model = 'scripted/model'
let server: Started
let browser: Browser
let desk: Watched
let key: string
const upstream = scriptedUpstream()

beforeAll(async () => {
  const baseUrl = await upstream.url
  ;[server, browser] = await Promise.all([
    startTestServer({ chat: { model, baseUrl, api: 'openai' } }),
    startBrowser(),
  ])
  key = server.firstKey ?? ''
  desk = await openPage(browser, server.signInUrl)
})

afterAll(async () => {
  await browser.close()
  await server.stop()
  upstream.close()
})

const chat = 'ferry-timetable'

async function api<Value>(path: string, body?: object, method = 'POST'): Promise<Value> {
  const answer = await fetch(`${server.url}/v1/conversations/${path}`, {
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    ...(body !== undefined && { method, body: JSON.stringify(body) }),
  })
  return (await answer.json()) as Value
}

/** The same page in another state of its address; a hash does not load it again. */
async function visit(page: Page, hash: string): Promise<void> {
  await page.evaluate(`location.hash = ${JSON.stringify(hash)}`)
}

it('leads from the sign-in link to the demonstration', async () => {
  const { page } = desk
  await page.getByRole('heading', { name: 'Conversations' }).waitFor()
  const rows = page.locator('.conversation')
  await rows.first().waitFor()
  const [source, ...below] = await rows.allTextContents()
  expect(source).toContain('The timetable of the ferries')
  expect(
    below.toSorted().map((each) => /(sub-agent|fork at #81) of ferry-timetable/.exec(each)?.[0]),
  ).toEqual([`fork at #81 of ${chat}`, `sub-agent of ${chat}`])
  await page.getByRole('searchbox', { name: 'Search conversations' }).fill('nothing like it')
  await page.getByText('Nothing found').waitFor()
  await page.getByRole('searchbox', { name: 'Search conversations' }).fill('TIMETABLE of')
  await page.getByRole('link', { name: /The timetable of the ferries/ }).click()
  await page.getByRole('article', { name: 'Message 204', exact: true }).waitFor()
  expect(await page.title()).toContain(chat)
  // At each compaction, the chart falls from the size before to the size after.
  const falls = `(() => {
    const points = document.querySelector('.curve').getAttribute('points').split(' ').map((each) => each.split(','))
    return points.filter(([x], at) => at > 0 && points[at - 1][0] === x).length
  })()`
  const marks = await page.locator('.mark').count()
  expect(marks).toBeGreaterThan(5)
  await expect.poll(() => page.evaluate(falls)).toBe(marks)
})

it('walks the band with keys, and shows people only', async () => {
  const { page } = desk
  const band = page.getByRole('slider', { name: 'Place in the log' })
  await band.focus()
  await page.keyboard.press('Home')
  await page.getByRole('article', { name: 'Message 0', exact: true }).waitFor()
  expect(await band.getAttribute('aria-valuetext')).toContain('dropped: in the digest')
  for (let step = 0; step < 5; step += 1) await page.keyboard.press('PageDown')
  const place = Number(await band.getAttribute('aria-valuenow'))
  expect(place).toBeGreaterThan(80)
  await page.getByRole('article', { name: `Message ${place}`, exact: true }).waitFor()
  const rows = await page.locator('.row').count()
  expect(rows).toBeLessThanOrEqual(200)
  await page.getByRole('checkbox', { name: 'people only' }).check()
  await page.getByRole('region', { name: 'Messages of people' }).waitFor()
  await page.getByRole('article', { name: 'Message 0', exact: true }).waitFor()
  const origins = await page.locator('.message .badge[class*="origin-"]').allTextContents()
  expect(new Set(origins)).toEqual(new Set(['person']))
  await page.getByRole('checkbox', { name: 'people only' }).uncheck()
  await visit(page, `#/c/${chat}/messages/202`)
  await page.getByRole('article', { name: 'Message 202', exact: true }).hover()
  await page.getByRole('link', { name: 'Request that message 202 answers' }).click()
  await page.getByRole('heading', { name: 'Request at #202' }).waitFor()
})

it('shows a request with the texts that the API had returned', async () => {
  const { page } = desk
  const sent = await api<SentRequest>(`${chat}/context`, {
    model: 'demo/agent:16k',
    system: 'Be brief.',
    tools: [{ name: 'list_piers', description: 'Lists the piers.' }],
  })
  await visit(page, `#/c/${chat}/requests/${sent.fingerprint}`)
  await page.getByText('Byte for byte what was sent.').waitFor()
  const all = page.locator('.slot .message')
  // The system prompt and the tools come before the messages.
  await all.nth(sent.messages.length + 1).waitFor()
  const shown = await all.count()
  expect(shown).toBe(sent.messages.length + 2)
  expect(await all.nth(0).textContent()).toBe('Be brief.')
  expect(await all.nth(1).textContent()).toContain('list_piers')
  const texts = await page.locator('.slot .message > .text').allTextContents()
  const plain = sent.messages.flatMap(({ parts }) =>
    parts.flatMap(({ type, text = '' }) => (type === 'text' && text.length <= 1600 ? [text] : [])),
  )
  expect(plain.length).toBeGreaterThan(3)
  for (const text of plain) expect(texts).toContain(text)
  const rebuilt = await api<SentRequest>(`${chat}/requests/${sent.fingerprint}`)
  expect(JSON.stringify([rebuilt.system, rebuilt.tools])).toBe(
    JSON.stringify([sent.system, sent.tools]),
  )
  const bytes = rebuilt.messages.map(({ tokens: _, ...message }) => JSON.stringify(message))
  expect(bytes).toEqual(sent.messages.map((message) => JSON.stringify(message)))
  await page.getByRole('checkbox', { name: 'only the difference' }).check()
  expect(await page.locator('.slot .message').count()).toBeLessThan(shown)
})

interface SentRequest {
  readonly fingerprint: string
  readonly system: readonly object[]
  readonly tools: readonly object[]
  readonly messages: readonly Sent[]
}

interface Sent {
  readonly tokens?: number
  readonly parts: readonly { readonly type: string; readonly text?: string }[]
}

it('leads a newcomer from the list to what was dropped, why and at what cost, and back', async () => {
  const { page } = desk
  const startedAt = performance.now()
  await visit(page, '#/')
  await page.getByRole('link', { name: /The timetable of the ferries/ }).click()
  await page.getByText(/^last request: \d+ % of/).waitFor()
  await page.getByRole('link', { name: /^Compactions/ }).click()
  const card = page.locator('.card').first()
  expect(await card.textContent()).toMatch(
    /\d+ messages dropped.*in use.*Why: the request (?:reached the trigger|would not fit|might not fit) .*no model call/,
  )
  await card.getByRole('link').click()
  const dropped = await countIn(page.getByRole('definition').nth(1))
  await page.getByRole('region', { name: 'Last request before' }).waitFor()
  await page
    .locator('.drop-list li')
    .nth(dropped - 1)
    .waitFor()
  expect(await page.locator('.drop-list li').count()).toBe(dropped)
  await page.getByRole('button', { name: 'Undo this compaction…' }).click()
  const dialog = page.getByRole('dialog')
  // As many as were dropped, whole and shortened.
  expect(await countIn(dialog.getByText(/that it dropped are shown again/))).toBe(dropped)
  const before = await api<Versions>(`${chat}/versions`)
  const forecast = await dialog.getByText(/^The next request would be/).textContent()
  expect(forecast).toMatch(/about \d+ % .* so it (will|may) be compacted again/)
  await dialog.getByRole('button', { name: 'Undo', exact: true }).click()
  await page.getByText('A person undid it').waitFor()
  await page.getByText('auto-compaction off since an undo').waitFor()
  const after = await api<Versions>(`${chat}/versions`)
  expect(after.items[0]?.line).toBeLessThan(before.items[0]?.line ?? 0)
  expect(performance.now() - startedAt).toBeLessThan(60_000)
})

it('marks an undone compaction, measures the next request, and puts it back', async () => {
  const { page } = desk
  const next = await page.getByText(/^next request: \d+ % of/).textContent()
  const { requests } = await api<{ requests: readonly SentRequest[] }>(`${chat}/status`)
  const { system, tools } = await api<SentRequest>(`${chat}/requests/${requests[0]?.fingerprint}`)
  const { decision } = await api<DryRun>(`${chat}/compactions/preview`, {
    ...{ model: 'demo/agent:16k', system, tools },
  })
  const { tokens, availableTokens } = decision.figures
  expect(next).toContain(`${Math.round((tokens / availableTokens) * 100)} % of 11.7k tokens`)
  expect(next?.includes('so it will be compacted')).toBe(decision.kind === 'compact')
  const isOver = (await page.locator('.window-fact .gauge.is-over').count()) === 1
  expect(isOver).toBe(tokens > availableTokens)
  const badge = await page.getByText('auto-compaction off since an undo').textContent()
  expect(badge?.includes('except for a request')).toBe(decision.kind === 'compact')
  await page.getByRole('link', { name: 'All compactions' }).click()
  const cards = page.locator('.card')
  expect(await cards.first().textContent()).toContain('undone')
  expect(await cards.nth(1).textContent()).toContain('in use')
  const history = page.getByRole('region', { name: 'History' }).getByRole('row')
  expect(await history.nth(1).textContent()).toContain('a person went back to the state of')
  expect(await history.nth(2).textContent()).toContain('undone')
  await cards
    .first()
    .getByRole('button', { name: /^Put it back/ })
    .click()
  await cards.first().getByText('in use').waitFor()
  expect(await page.getByText('undone').count()).toBe(0)
  await page.getByText('auto-compaction off since an undo').waitFor({ state: 'detached' })
})

it('asks before it undoes all compactions after one', async () => {
  const { page } = desk
  await page.locator('.card-title').nth(3).click()
  const before = await api<Versions>(`${chat}/versions`)
  await page.getByRole('button', { name: 'Undo all after this one…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Undo all after this one' })
  await dialog.getByText('This undoes 3 compactions:').waitFor()
  await dialog.getByText(/^The next request would be about \d+ %/).waitFor()
  expect(await dialog.getByText(/#\d+–#\d+: [\d,]+ → [\d,]+ tokens/).count()).toBe(3)
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  expect(await api<Versions>(`${chat}/versions`)).toEqual(before)
  // Saved, in the unit of the cost below it.
  await page.getByText(/^[\d,]+ → [\d,]+ tokens: [\d,]+ tokens less in each/).waitFor()
  await page.getByRole('link', { name: 'All compactions' }).click()
})

it('keeps cards in their frame on a narrow phone', async () => {
  const { page } = desk
  const size = page.viewportSize()
  await page.setViewportSize({ width: 320, height: 700 })
  await visit(page, `#/c/${chat}/compactions`)
  await page.locator('.card').first().waitFor()
  const outside = `[...document.querySelectorAll('.card')].filter((each) => each.scrollWidth > each.clientWidth).length`
  expect(await page.evaluate(outside)).toBe(0)
  await page.setViewportSize(size ?? { width: 1280, height: 860 })
})

interface Versions {
  readonly items: readonly { readonly line: number }[]
}

interface DryRun {
  readonly decision: {
    readonly kind: string
    readonly figures: { readonly tokens: number; readonly availableTokens: number }
  }
}

async function countIn(text: Locator): Promise<number> {
  return Number(/\d+/.exec((await text.textContent()) ?? '')?.[0])
}

it('compacts after a dry run with instructions', async () => {
  const { page } = desk
  await visit(page, `#/c/${chat}/compactions`)
  await page.getByRole('button', { name: 'Compact now…' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox').fill('Above all the rules of the person.')
  const before = await api<Versions>(`${chat}/versions`)
  await dialog.getByRole('button', { name: 'Dry run' }).click()
  await dialog.getByText(/Nothing is changed yet|would change nothing/).waitFor()
  expect(await api<Versions>(`${chat}/versions`)).toEqual(before)
  const compact = dialog.getByRole('button', { name: 'Compact', exact: true })
  await compact.click()
  await page.getByText('Compacted. You can undo it in the list.').waitFor()
  await page
    .locator('.card')
    .filter({ hasText: 'somebody asked for it' })
    .getByText('in use')
    .waitFor()
  expect((await api<Versions>(`${chat}/versions`)).items.length).toBe(before.items.length + 1)
})

it('corrects the summary, and restores a version of it', async () => {
  const { page } = desk
  await page.locator('.card').filter({ hasText: 'in use' }).getByRole('link').click()
  const summary = () => api<{ content: string }>(`${chat}/summary?model=agent`)
  for (const text of ['They chose a map.', 'They chose a map in the process.']) {
    await page.getByRole('button', { name: 'Correct the summary…' }).click()
    await page.getByRole('textbox', { name: 'Text of the summary' }).fill(text)
    await page.getByRole('button', { name: 'Save the summary' }).click()
    await page.getByText(text, { exact: true }).first().waitFor()
    await expect.poll(async () => (await summary()).content, { timeout: 15_000 }).toContain(text)
  }
  await page.getByText('Versions of the summary').click()
  await page.getByRole('button', { name: 'Restore version 1 of the summary' }).click()
  await page.getByText('the next request shows version 1').waitFor()
  expect((await summary()).content).toBe('They chose a map.')
})

it('edits and pins messages', async () => {
  const { page } = desk
  await visit(page, `#/c/${chat}/messages/81`)
  const message = page.getByRole('article', { name: 'Message 81', exact: true })
  await message.hover()
  await message.getByRole('button', { name: 'Pin message 81' }).click()
  await message.getByText('pinned', { exact: true }).waitFor()
  expect(await api(chat)).toMatchObject({ pins: [81] })
  await page.getByRole('link', { name: /^Pins/ }).click()
  await page.getByRole('button', { name: 'Unpin message 81' }).click()
  await page.getByText('No pins').waitFor()
  await visit(page, `#/c/${chat}-with-redis/messages/81`)
  await message.hover()
  await message.getByRole('button', { name: 'Edit message 81' }).click()
  await page.getByRole('textbox', { name: 'Text of the message' }).fill('Let us cache the fares.')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await message.getByText('Let us cache the fares.').waitFor()
  expect(JSON.stringify(await api(`${chat}-with-redis/messages/81`))).toContain(
    'Let us cache the fares.',
  )
})

it('recalls with reasons, and lists the ledger with its sources', async () => {
  const { page } = desk
  await page.getByRole('link', { name: 'Recall' }).click()
  await page.getByRole('searchbox', { name: 'Question' }).fill('staging port')
  await page.keyboard.press('Enter')
  await page.getByText('47113').first().waitFor()
  await page
    .getByText(/Found because it contains/)
    .first()
    .waitFor()
  await page.getByRole('link', { name: 'Ledger' }).click()
  await page.getByRole('searchbox', { name: 'Search the ledger' }).fill('production')
  const entry = page.locator('.entries li').first()
  await entry.getByRole('link').first().click()
  await page.locator('.message.is-focused').waitFor()
  const words = [
    'Always use port 8080 for staging.',
    'No, use port 9090 for staging instead of port 8080.',
  ]
  const messages = words.map((content) => ({ role: 'user', content }))
  await api('rules/messages', { messages })
  await visit(page, '#/c/rules/ledger')
  const superseded = page.locator('.entries .struck')
  expect(await superseded.locator('.badge').textContent()).toBe('superseded')
  expect(await superseded.textContent()).toContain('Always use port 8080 for staging.')
})

it('shows what another process appends, without a reload', async () => {
  const { page } = desk
  await visit(page, `#/c/${chat}/events`)
  await page.getByText('messages appended').first().waitFor()
  const lines = `await fetch('${server.url}/v1/conversations/${chat}/messages', { method: 'POST',
    headers: { authorization: 'Bearer ${key}', 'content-type': 'application/json' },
    body: JSON.stringify({ messages: [{ role: 'user', content: 'From another process.' }] }) })`
  const child = spawn(process.execPath, ['--input-type=module', '-e', lines], { stdio: 'inherit' })
  await page.locator('.events .is-new').first().waitFor()
  await visit(page, `#/c/${chat}`)
  await page.getByText('From another process.').waitFor()
  if (child.exitCode === null) await new Promise((resolve) => child.once('exit', resolve))
})

it('imports a transcript that is dropped onto the page', async () => {
  const { page } = desk
  await visit(page, '#/')
  await page.getByRole('heading', { name: 'Conversations' }).waitFor()
  await page.evaluate(`(() => {
    const data = new DataTransfer()
    const lines = ['{"role":"user","content":"Is the invoice paid?"}', '{"role":"assistant","content":"Yes."}', '']
    data.items.add(new File([lines.join('\\n')], 'dropped.jsonl'))
    for (const type of ['dragenter', 'dragover', 'drop'])
      document.querySelector('main').dispatchEvent(new DragEvent(type, { dataTransfer: data, bubbles: true, cancelable: true }))
  })()`)
  const dialog = page.getByRole('dialog', { name: 'Import' })
  await dialog.getByText('2 messages, 2 new').waitFor()
  await dialog.getByRole('link').click()
  await page.getByText('Is the invoice paid?').waitFor()
})

it('chats with the model of the server', async () => {
  const { page } = desk
  await page.getByRole('link', { name: 'Chat' }).click()
  await page.getByRole('textbox', { name: 'Message' }).fill('And when?')
  await page.keyboard.press('Enter')
  // Its first words are there while the model still writes.
  await page.locator('[aria-live] .text').getByText('On the 3rd', { exact: true }).waitFor()
  upstream.finish()
  await page.getByText('On the 3rd of May.').waitFor()
  await page.getByRole('link', { name: /^[\d.,k]+ tokens$/ }).click()
  await page.getByText('Byte for byte what was sent.').waitFor()
  expect(upstream.asked.at(-1)).toContain('And when?')
})

it('saves a view as one file that runs and loads nothing', async () => {
  const { page } = desk
  await visit(page, `#/c/${chat}/ledger`)
  await page.locator('.entries li').first().waitFor()
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Save as HTML' }).click(),
  ])
  const chunks: Buffer[] = []
  for await (const chunk of await download.createReadStream()) chunks.push(chunk as Buffer)
  const text = Buffer.concat(chunks).toString()
  expect(text.includes('We decided against Redis.')).toBe(true)
  expect(text.includes("default-src 'none'")).toBe(true)
  expect(/<script|<link|<img|href=|src=|<button/.exec(text)).toBeNull()
})

it('hides every action from a key that only reads', async () => {
  const access = sqliteAccess(join(server.folder, 'access.db'))
  const { secret } = access.createKey({ tenant: 'default', name: 'looker', role: 'read' })
  access.close()
  const { page, problems } = await openPage(browser, `${server.url}/`)
  await page.getByLabel('Key of the server').fill(secret)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByText('read only').waitFor()
  await visit(page, `#/c/${chat}/compactions`)
  await page
    .getByRole('link', { name: /messages dropped/ })
    .first()
    .click()
  await page.getByRole('heading', { name: /Dropped messages/ }).waitFor()
  await visit(page, `#/c/${chat}`)
  await page.locator('.message').first().waitFor()
  const names = await page.getByRole('button').allTextContents()
  expect(
    names.filter((name) => /Undo|Put|Go back|Restore|Compact|Pin|Edit|Import|Correct/.test(name)),
  ).toEqual([])
  expect(problems).toEqual([])
  await page.context().close()
})

const views = [
  '',
  'requests',
  'compactions',
  'cost',
  'ledger',
  'recall/port',
  'pins',
  'events',
  'chat',
]

it('has no serious problem of accessibility, light and dark, on a desk and at 390 px', async () => {
  const { page, problems } = await openPage(browser, null)
  await page.context().addCookies(await desk.page.context().cookies())
  await page.goto(server.url)
  const found: string[] = []
  await api(`${chat}-with-redis/pins/0`, {}, 'PUT')
  const addresses = [
    ...['#/', '#/calls', `#/c/${chat}-with-redis/chat`],
    ...views.map((view) => `#/c/${chat}/${view}`),
  ]
  for (const hash of addresses) {
    await visit(page, hash)
    await page.locator('main h1').first().waitFor()
    await page.locator('.loading').first().waitFor({ state: 'detached' })
    for (const [width, colorScheme] of variants) {
      await page.setViewportSize({ width, height: 860 })
      await page.emulateMedia({ colorScheme })
      const box = await page.evaluate('[document.documentElement.scrollWidth, innerWidth]')
      const [content = 0, window = 0] = box as readonly number[]
      expect(window).toBe(width)
      expect(content, `${hash} is wider than the window`).toBeLessThanOrEqual(window)
      const serious = await seriousProblems(page)
      found.push(...serious.map((each) => `${hash} ${width} ${colorScheme} ${each}`))
    }
  }
  expect(found).toEqual([])
  expect(problems.filter((each) => !each.startsWith(`request: ${server.url}`))).toEqual([])
  await page.context().close()
})

const variants = [
  [1280, 'light'],
  [1280, 'dark'],
  [390, 'light'],
] as const

it('is operable with the keyboard alone', async () => {
  const { page } = await openPage(browser, null)
  await page.context().addCookies(await desk.page.context().cookies())
  await page.goto(server.url)
  await page.getByRole('link', { name: /The timetable of the ferries/ }).waitFor()
  const focused = () => page.evaluate('document.activeElement.textContent') as Promise<string>
  const tabTo = async (text: RegExp) => {
    for (let presses = 0; presses < 60; presses += 1) {
      await page.keyboard.press('Tab')
      if (text.test(await focused())) return
    }
    throw new Error(`Tab never reaches ${text}`)
  }
  await tabTo(/^The timetable of the ferries/)
  await page.keyboard.press('Enter')
  await page.locator('.message').first().waitFor()
  await tabTo(/^Compactions/)
  await page.keyboard.press('Enter')
  await page.locator('.card').first().waitFor()
  await tabTo(/^Undo this compaction/)
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog')
  await dialog.getByText('Auto-compaction is then off').waitFor()
  await tabTo(/^Undo$/)
  await page.keyboard.press('Enter')
  await dialog.waitFor({ state: 'detached' })
  await tabTo(/^Put it back$/)
  await page.keyboard.press('Enter')
  await page.getByText('Done: the next request uses this compaction.').waitFor()
  await tabTo(/^\d+ messages dropped/)
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: /^Dropped messages/ }).waitFor()
  await page.context().close()
})

it('had no error, no violation of its policy and no request to another origin', () => {
  expect(desk.problems).toEqual([])
})
