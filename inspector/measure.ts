/** Measures the page with a conversation of 100,000 messages: first view, scrolling, memory, rows, and its size. */
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { buildInspector } from './build.ts'
import { openPage, startBrowser, startTestServer } from './test/browser.ts'

const messages = Number(process.argv[2] ?? 100_000)
const id = 'long'

/** What the machine can draw now: the comparison for scrolling. */
const idleFrames = `(async () => {
  const startedAt = performance.now()
  let frames = 0
  while (performance.now() - startedAt < 1000) {
    await new Promise(requestAnimationFrame)
    frames += 1
  }
  return (frames * 1000) / (performance.now() - startedAt)
})()`

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
  const idle = (await page.evaluate(idleFrames)) as number
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
    { figure: 'frames per second at rest', value: Math.round(idle) },
    { figure: 'frames per second while scrolling', value: Math.round(frames / seconds) },
    { figure: 'most rows in the document', value: rows },
    { figure: 'JavaScript heap after it (MB)', value: Math.round(usedSize / 1e6) },
    { figure: 'memory of the tab, without shared pages (MB)', value: await tabMegabytes() },
    { figure: 'jump to the middle (ms)', value: Math.round(jumpMs) },
    { figure: 'JavaScript, gzipped (kB)', value: await scriptKilobytes() },
    { figure: 'problems', value: problems.length },
  ])
} finally {
  await browser.close()
  await server.stop()
}

/** Of the largest renderer: the others are spare. */
async function tabMegabytes(): Promise<number> {
  const session = await browser.newBrowserCDPSession()
  const { processInfo } = (await session.send('SystemInfo.getProcessInfo')) as {
    readonly processInfo: readonly { readonly type: string; readonly id: number }[]
  }
  const renderers = processInfo.filter(({ type }) => type === 'renderer')
  const sizes = renderers.map(async ({ id: pid }) => {
    const status = await readFile(`/proc/${pid}/status`, 'utf8')
    return Number(/RssAnon:\s+(\d+) kB/.exec(status)?.[1] ?? 0) / 1000
  })
  return Math.round(Math.max(...(await Promise.all(sizes))))
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
