import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openPage, type Started, startBrowser, startTestServer } from './browser.ts'
import { payloads } from './payloads-data.ts'

let server: Started
let browser: Browser

beforeAll(async () => {
  ;[server, browser] = await Promise.all([
    startTestServer({ demonstration: false }),
    startBrowser(),
  ])
})

afterAll(async () => {
  await browser.close()
  await server.stop()
})

const id = '"><img src=https://evil.example/id onerror=alert(1)>'

it('runs no script and sends no request for payloads in every text field', async () => {
  expect(new Set(payloads).size).toBeGreaterThanOrEqual(300)
  await fillServer()
  const { page, problems } = await openPage(browser, server.signInUrl, { height: 6000 })
  const dialogs: string[] = []
  page.on('dialog', async (dialog) => {
    dialogs.push(dialog.message())
    await dialog.dismiss()
  })
  await page.getByText('onerror=alert(1)').first().waitFor()
  const name = encodeURIComponent(id)
  const query = encodeURIComponent(payloads[0] ?? '')
  const views = ['messages', 'requests', 'compactions', 'cost', 'ledger', 'pins', 'events']
  const receipts = await call<Receipts>(`/${name}/compactions`)
  const receipt = `compactions/${receipts.items[0]?.version}`
  for (const view of [...views, receipt, `recall/${query}`]) {
    await page.evaluate(`location.hash = ${JSON.stringify(`#/c/${name}/${view}`)}`)
    await page.locator('.conversation-head h1').waitFor()
    await page.locator('.loading').first().waitFor({ state: 'detached' })
    // What is folded is drawn only when it is open.
    await page.evaluate("for (const fold of document.querySelectorAll('details')) fold.open = true")
  }
  await page.evaluate(`location.hash = ${JSON.stringify(`#/c/${name}`)}`)
  await page.locator('.row').first().waitFor()
  await page.evaluate(walk)
  const [ran, elements] = (await page.evaluate(
    "[window.payloadRan === true, document.querySelectorAll('.view script, .view img, .view iframe, .view object, .view embed, .view form[action], .view [onerror], .view [onload], .view [onclick]').length]",
  )) as readonly [boolean, number]
  expect(ran).toBe(false)
  expect(elements).toBe(0)
  expect(dialogs).toEqual([])
  expect(problems).toEqual([])
  // The harness itself notices a script that runs and a request to another origin.
  await page.evaluate('window.payloadRan = true')
  expect(await page.evaluate('window.payloadRan')).toBe(true)
  await page.evaluate("new Image().src = 'https://evil.example/planted'")
  await expect
    .poll(() => problems.join('\n'), { timeout: 15_000 })
    .toContain('evil.example/planted')
})

/** Scrolls through the whole list, so that every message was drawn, and opens what is folded. */
const walk = `(async () => {
  const scroller = document.querySelector('.scroller')
  for (let top = 0; top < scroller.scrollHeight; top += scroller.clientHeight) {
    scroller.scrollTop = top
    await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve, 60)))
    for (const fold of scroller.querySelectorAll('details')) fold.open = true
  }
})()`

interface Receipts {
  readonly items: readonly { readonly version: number }[]
}

async function call<Value>(path: string, body?: object, method = 'POST'): Promise<Value> {
  const answer = await fetch(`${server.url}/v1/conversations${path}`, {
    headers: {
      authorization: `Bearer ${server.firstKey}`,
      'content-type': 'application/json',
    },
    ...(body !== undefined && { method, body: JSON.stringify(body) }),
  })
  expect(answer.ok, await answer.clone().text()).toBe(true)
  return (await answer.json()) as Value
}

/** Each payload as the text of a person, of a model, of a tool, as arguments, a name, a key, and in lists. */
async function fillServer(): Promise<void> {
  const path = `/${encodeURIComponent(id)}`
  await call('', { id, title: payloads.slice(0, 20).join(' ').slice(0, 1900), meta: { a: id } })
  const messages = payloads.flatMap((payload, at) => [
    { role: 'user', content: `We decided: ${payload}`, author: payload.slice(0, 100) || 'x' },
    {
      role: 'assistant',
      content: [
        { type: 'reasoning', text: payload },
        { type: 'text', text: payload },
        {
          type: 'tool-call',
          callId: `c${at}`,
          name: payload.slice(0, 60),
          input: { path: payload },
        },
      ],
    },
    {
      role: 'tool',
      content: [
        {
          type: 'tool-result',
          callId: `c${at}`,
          name: payload.slice(0, 60),
          output: payload,
          isError: at % 2 === 0,
        },
      ],
    },
  ])
  for (let from = 0; from < messages.length; from += 300)
    await call(`${path}/messages`, { messages: messages.slice(from, from + 300) })
  for (const place of [0, 1, 2]) await call(`${path}/pins/${place}`, {}, 'PUT')
  const model = 'hostile/<img src=x>:32k'
  const tools = payloads.slice(0, 20).map((payload, at) => ({
    name: `tool_${at}`,
    description: payload,
    parameters: { type: 'object', title: payload },
  }))
  for (const _ of [1, 2]) await call(`${path}/context`, { model, system: id, tools })
  // As a person corrects it, below all messages that a compaction dropped.
  await call(`${path}/summary`, { model: '<img src=x>', text: payloads.join('\n') }, 'PUT')
}
