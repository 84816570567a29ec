/**
 * How long the installed command line takes to start, and an import of the package, compared with an
 * empty Node process. The compile cache is warm. Runs alternate, so that a busy machine affects all
 * of them.
 */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createThroughline } from 'throughline'
import { sqlite } from 'throughline/stores/sqlite'
import { median } from '../packages/throughline/src/cli/simulation/statistics.ts'
import { ThroughlineError } from '../packages/throughline/src/errors.ts'
import { installPackage } from './install-package.ts'
import type { BenchOptions, BenchRow } from './report.ts'
import { turnMessages } from './turn/messages.ts'

const runs = 15

export async function measureStart({ dataDir }: BenchOptions): Promise<readonly BenchRow[]> {
  if (dataDir !== null)
    throw new ThroughlineError('CONFIG_INVALID', 'bench start needs no data: leave out --data')
  const folder = mkdtempSync(join(tmpdir(), 'throughline-start-'))
  try {
    const launcher = installPackage(folder)
    const store = join(folder, 'chat.db')
    await fill(store)
    return timed(launcher, { folder, store })
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
  { folder, store }: { readonly folder: string; readonly store: string },
): readonly BenchRow[] {
  const nothing = 'node -e 0'
  const all = [
    [nothing, ['-e', '0']] as const,
    ['import of the root', ['--import', 'throughline', '-e', '0']] as const,
    ...Object.entries(commands).map(([name, words]) => [name, [launcher, ...words]] as const),
  ]
  const times = new Map<string, number[]>(all.map(([name]) => [name, []]))
  const env = { ...process.env, HOME: folder, XDG_CACHE_HOME: folder, THROUGHLINE_STORE: store }
  // The first run only fills the compile cache.
  for (let run = 0; run <= runs; run += 1)
    for (const [name, words] of all) {
      const started = performance.now()
      const { status } = spawnSync(process.execPath, words, { env, cwd: folder, stdio: 'ignore' })
      if (status !== 0) throw new Error(`${name} exited with ${status}`)
      if (run > 0) times.get(name)?.push(performance.now() - started)
    }
  const emptyNodeMs = median(times.get(nothing) ?? [])
  return [...times].flatMap(([method, own]) => {
    const row = { source: 'installed package', method, size: 0, n: own.length }
    return [
      { ...row, value: median(own), unit: 'ms' },
      { ...row, value: median(own) / emptyNodeMs, unit: '× node -e 0' },
    ]
  })
}
