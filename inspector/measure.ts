/** Measures the page with a conversation of 100,000 messages: first view, scrolling, memory, rows, and its size. */
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { buildInspector } from './build.ts'
import { openPage, startBrowser, startTestServer } from './test/browser.ts'

const messages = Number(process.argv[2] ?? 100_000)
const id = 'long'

/** Scrolls for three seconds by half a screen a frame, in the middle of the log. */
const scroll = `(async () => {
  const scroller = document.querySelector('.scroller')
  scroller.scrollTop = scroller.scrollHeight / 2
  let [frames, most] = [0, 0]
  const startedAt = performance.now()
  while (performance.now() - startedAt < 3000) {
    scroller.scrollTop += scroller.clientHeight / 2
    await new Promise(requestAnimationFrame)
    frames += 1
    most = Math.max(most, document.querySelectorAll('.row').length)
  }
  return [frames, (performance.now() - startedAt) / 1000, most]
})()`

const server = await startTestServer({ demonstration: false })
const browser = await startBrowser()
try {
  await fill()
  const { page, problems } = await openPage(browser, server.signInUrl)
  await page.getByRole('link', { name: /^long/ }).waitFor()
  const session = await page.context().newCDPSession(page)
  const firstViews: number[] = []
  for (let run = 0; run < 5; run += 1) {
    await page.goto('about:blank')
    const startedAt = performance.now()
    await page.goto(`${server.url}/#/c/${id}`)
    await page.getByRole('article', { name: `Message ${messages - 1}`, exact: true }).waitFor()
    firstViews.push(performance.now() - startedAt)
  }
  const [frames, seconds, rows] = (await page.evaluate(scroll)) as readonly [number, number, number]
  await session.send('HeapProfiler.collectGarbage')
  const { usedSize } = (await session.send('Runtime.getHeapUsage')) as { readonly usedSize: number }
  const jump = performance.now()
  await page.evaluate(`location.hash = '#/c/${id}/messages/${Math.floor(messages / 2)}'`)
  await page.locator('.message.is-focused').waitFor()
  const jumpMs = performance.now() - jump
  console.table([
    { figure: 'messages', value: messages },
    { figure: 'first view, median of 5 (ms)', value: Math.round(median(firstViews)) },
    { figure: 'frames per second while scrolling', value: Math.round(frames / seconds) },
    { figure: 'most rows in the document', value: rows },
    { figure: 'JavaScript heap after it (MB)', value: Math.round(usedSize / 1e6) },
    { figure: 'jump to the middle (ms)', value: Math.round(jumpMs) },
    { figure: 'JavaScript, gzipped (kB)', value: await scriptKilobytes() },
    { figure: 'problems', value: problems.length },
  ])
} finally {
  await browser.close()
  await server.stop()
}

async function fill(): Promise<void> {
  const words =
    'The departure of 17:10 from Nesodden is late; src/notices/boarding-notice.ts sends a notice. '
  for (let from = 0; from < messages; from += 5_000) {
    const batch = Array.from({ length: Math.min(5_000, messages - from) }, (_, at) => ({
      role: at % 2 === 0 ? 'user' : 'assistant',
      content: `${from + at}: ${words.repeat(1 + (at % 4))}`,
    }))
    await call('messages', { messages: batch })
  }
  await call('context', { model: 'openai/gpt-5-mini' })
}

async function call(path: string, body: object): Promise<void> {
  const answer = await fetch(`${server.url}/v1/conversations/${id}/${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${server.firstKey}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  if (!answer.ok) throw new Error(await answer.text())
}

async function scriptKilobytes(): Promise<number> {
  const assets = join(await buildInspector(), 'assets')
  const scripts = (await readdir(assets)).filter((name) => name.endsWith('.js'))
  const sizes = scripts.map(async (name) => gzipSync(await readFile(join(assets, name))).length)
  return Math.round((await Promise.all(sizes)).reduce((sum, size) => sum + size, 0) / 100) / 10
}

function median(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? 0
}
