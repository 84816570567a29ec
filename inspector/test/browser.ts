/** A real server with the demonstration, and Chromium in front of it. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import chromium from '@sparticuz/chromium'
import {
  readServerSettings,
  type ServerSettingsInput,
  type StartedServer,
  startServer,
} from '@throughline/server'
import { type Browser, type Page, chromium as playwright } from 'playwright-core'

export interface Started extends StartedServer {
  readonly folder: string
}

export async function startTestServer(more: ServerSettingsInput = {}): Promise<Started> {
  const folder = mkdtempSync(join(tmpdir(), 'throughline-inspector-'))
  const given = { folder, port: 0, logLevel: 'silent' as const, demonstration: true, ...more }
  const started = await startServer(readServerSettings(given, { env: {} }), {})
  const stop = async () => {
    await started.stop()
    rmSync(folder, { recursive: true, force: true })
  }
  return { ...started, folder, stop }
}

/** Without the flags of the package that switch off what a page must be protected by. */
const unsafeFlags = [
  '--disable-web-security',
  '--allow-running-insecure-content',
  '--single-process',
]

export async function startBrowser(): Promise<Browser> {
  return playwright.launch({
    executablePath: await chromium.executablePath(),
    args: [
      ...chromium.args.filter((flag) => !unsafeFlags.includes(flag)),
      '--disable-dev-shm-usage',
    ],
    headless: true,
  })
}

export interface Watched {
  readonly page: Page
  /** Errors of the page, violations of its policy, and requests to other origins. */
  readonly problems: readonly string[]
}

export interface PageOptions {
  readonly width?: number
  readonly height?: number
  readonly dark?: boolean
}

/** A page in a context of its own, signed in by the link. */
export async function openPage(
  browser: Browser,
  link: string | null,
  { width = 1280, height = 860, dark = false }: PageOptions = {},
): Promise<Watched> {
  const context = await browser.newContext({
    ...{ locale: 'en-US', timezoneId: 'Europe/Oslo', acceptDownloads: true },
    viewport: { width, height },
    colorScheme: dark ? 'dark' : 'light',
    reducedMotion: 'reduce',
  })
  const page = await context.newPage()
  page.setDefaultTimeout(15_000)
  const problems: string[] = []
  const origin = link === null ? null : new URL(link).origin
  page.on('pageerror', (error) => problems.push(`error: ${error.message}`))
  page.on('console', (message) => {
    const text = message.text()
    if (message.type() === 'error' && !text.includes('Failed to load resource')) problems.push(text)
  })
  page.on('request', (request) => {
    const url = request.url()
    const isOwn = origin !== null && url.startsWith(`${origin}/`)
    if (!isOwn && !url.startsWith('blob:') && !url.startsWith('data:'))
      problems.push(`request: ${url}`)
  })
  if (link !== null) await page.goto(link)
  return { page, problems }
}
