/** Runs the program in a page of Chromium. */
import { startBrowser } from '../../inspector/test/browser.ts'
import { splitBundle } from './bundle.ts'
import type { Program, Runtime } from './runtime.ts'

const origin = 'http://app.test'
const html = `<!doctype html><script type="module">
import * as program from './entry.js'
globalThis.program = program
</script>`

export async function startChromium(): Promise<Runtime> {
  const files = await splitBundle()
  const browser = await startBrowser()
  const page = await browser.newPage()
  const loaded: string[] = []
  const problems: string[] = []
  page.on('pageerror', (error) => problems.push(error.message))
  await page.route('**/*', async (route) => {
    const name = new URL(route.request().url()).pathname.slice(1)
    const code = files.get(name)
    if (name === '') return route.fulfill({ contentType: 'text/html', body: html })
    if (code === undefined) return route.fulfill({ status: 404 })
    loaded.push(name)
    return route.fulfill({ contentType: 'text/javascript', body: code })
  })
  await page.goto(`${origin}/`)
  await page.waitForFunction('globalThis.program !== undefined')
  return {
    name: 'Chromium',
    run: (name, ...args) =>
      page.evaluate(`program[${JSON.stringify(name)}](...${JSON.stringify(args)})`) as ReturnType<
        Program[typeof name]
      >,
    loaded: () => loaded,
    problems: () => problems,
    stop: () => browser.close(),
  }
}
