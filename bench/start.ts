/**
 * How long the installed command line takes to start, an import of the package, and the first context of
 * a long conversation in a new process, with and without the package of the exact tokenizer, compared with
 * an empty Node process; and how much memory each needs. The compile cache of the command line is warm.
 * Runs alternate, so that a busy machine affects all of them.
 */
import { spawnSync } from 'node:child_process'
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createThroughline } from 'throughline'
import { sqlite } from 'throughline/stores/sqlite'
import { median } from '../packages/throughline/src/cli/simulation/statistics.ts'
import { ThroughlineError } from '../packages/throughline/src/errors.ts'
import { installPackage, linkModule } from './install-package.ts'
import type { BenchOptions, BenchRow } from './report.ts'
import { messagesPerTurn, turnMessages } from './turn/messages.ts'

const runs = 15

export async function measureStart({ dataDir }: BenchOptions): Promise<readonly BenchRow[]> {
  if (dataDir !== null)
    throw new ThroughlineError('CONFIG_INVALID', 'bench start needs no data: leave out --data')
  const folder = mkdtempSync(join(tmpdir(), 'throughline-start-'))
  try {
    const launcher = installPackage(folder)
    const exact = join(folder, 'exact')
    installPackage(exact)
    linkModule('gpt-tokenizer', join(exact, 'node_modules'))
    const store = join(folder, 'chat.db')
    await fill(store)
    await fillLong(join(folder, 'long.db'))
    copyFileSync(join(folder, 'long.db'), join(exact, 'long.db'))
    for (const place of [folder, exact]) writeFileSync(join(place, 'context.mjs'), contextScript)
    writeFileSync(join(folder, 'import.mjs'), importScript)
    return timed(launcher, { folder, exact, store })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function fill(store: string): Promise<void> {
  const tl = createThroughline({ store: sqlite(store, { durability: 'normal' }) })
  for (let index = 0; index < 20; index += 1) {
    const chat = tl.conversation(`conversation-${index}`)
    for (let turn = 0; turn < 20; turn += 1) await chat.append(turnMessages(turn))
    await chat.context({ model: 'openai/gpt-4' })
  }
  await tl.close()
}

const longMessages = 100_000
const longModel = { id: 'm', contextWindowTokens: 32_768, tokenizer: 'o200k_base' } as const

/** With a view, facts and an index, as after long use. */
async function fillLong(file: string): Promise<void> {
  const store = sqlite(file, { durability: 'normal' })
  const tl = createThroughline({ store, models: [longModel] })
  const chat = tl.conversation('long')
  const turnsPerBatch = 1_000
  for (let turn = 0; turn * messagesPerTurn < longMessages; turn += turnsPerBatch) {
    const turns = Array.from({ length: turnsPerBatch }, (_, at) => turnMessages(turn + at, 5))
    await chat.append(turns.flat())
    await chat.context({ model: longModel.id })
  }
  await tl.settled()
  await tl.close()
}

/** Each prints its milliseconds since Node started, those of its CPU time, and its peak of memory in KB. */
const printOwn = `const { user, system } = process.cpuUsage()
console.log(performance.now(), (user + system) / 1_000, process.resourceUsage().maxRSS)`
const importScript = `await import('throughline')
${printOwn}`
const contextScript = `const { createThroughline } = await import('throughline')
const { sqlite } = await import('throughline/stores/sqlite')
const tl = createThroughline({ store: sqlite('long.db'), models: [${JSON.stringify(longModel)}] })
await tl.conversation('long').context({ model: '${longModel.id}' })
${printOwn}
await tl.close()`

const commands: Readonly<Record<string, readonly string[]>> = {
  '--help': ['--help'],
  status: ['status'],
  'status of one': ['status', 'conversation-7'],
  list: ['list'],
  'show --help': ['show', '--help'],
  'recall in one': ['recall', 'conversation-7', 'values'],
}

function timed(
  launcher: string,
  { folder, exact, store }: Readonly<Record<'folder' | 'exact' | 'store', string>>,
): readonly BenchRow[] {
  const nothing = 'node -e 0'
  const all = [
    [nothing, ['-e', '0'], folder] as const,
    ['import of the root', ['import.mjs'], folder] as const,
    ['context, 100,000 messages', ['context.mjs'], folder] as const,
    ['the same, exact tokenizer', ['context.mjs'], exact] as const,
    ...Object.entries(commands).map(
      ([name, words]) => [name, [launcher, ...words], folder] as const,
    ),
  ]
  const times = new Map<string, number[]>(all.map(([name]) => [name, []]))
  const own = new Map<string, (readonly [ms: number, cpuMs: number, peakKilobytes: number])[]>()
  const env = { ...process.env, HOME: folder, XDG_CACHE_HOME: folder, THROUGHLINE_STORE: store }
  // The first run only fills the compile cache, and makes a view for the tokenizer that is installed.
  for (let run = 0; run <= runs; run += 1)
    for (const [name, words, cwd] of all) {
      const started = performance.now()
      const { status, stdout } = spawnSync(process.execPath, words, { env, cwd })
      if (status !== 0) throw new Error(`${name} exited with ${status}`)
      if (run === 0) continue
      times.get(name)?.push(performance.now() - started)
      if (!words[0]?.endsWith('.mjs')) continue
      const [ms = 0, cpuMs = 0, peak = 0] = stdout.toString().split(' ').map(Number)
      own.set(name, [...(own.get(name) ?? []), [ms, cpuMs, peak]])
    }
  const emptyNodeMs = median(times.get(nothing) ?? [])
  return [...times].flatMap(([method, all]) => {
    const row = { source: 'installed package', method, size: 0, n: all.length }
    const printed = own.get(method)
    return [
      { ...row, value: median(all), unit: 'ms' },
      { ...row, value: median(all) / emptyNodeMs, unit: '× node -e 0' },
      ...(printed === undefined
        ? []
        : [
            {
              ...row,
              value: median(printed.map(([ms]) => ms)),
              unit: 'ms after the start of Node',
            },
            { ...row, value: Math.min(...printed.map(([ms]) => ms)), unit: 'ms, fastest run' },
            { ...row, value: median(printed.map(([, cpuMs]) => cpuMs)), unit: 'ms of CPU' },
            {
              ...row,
              value: Math.max(...printed.map(([, , peak]) => peak * 1_024)),
              unit: 'bytes of memory, peak',
            },
          ]),
    ]
  })
}
