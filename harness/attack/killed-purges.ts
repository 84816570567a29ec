/**
 * Kills purges with SIGKILL at every step. A reader or a second purge must then find the file either
 * unpurged or fully purged, with a true answer. Afterwards no byte of the purged text may remain in
 * the database, its write-ahead log or its index.
 */
import { spawn } from 'node:child_process'
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { createThroughline, type PurgeOutcome } from 'throughline'
import { sqlite } from 'throughline/stores/sqlite'
import {
  copyDatabase,
  integrity,
  testFolder,
} from '../../packages/throughline/test/stores/sqlite-file.ts'
import { bytesIn } from '../history/purge-canaries.ts'
import { chanceOf } from '../kernel/chance.ts'
import type { Attack, AttackReport } from './attack.ts'
import { type KilledPurge, killedPurge } from './killed-purge.ts'
import { runCommand } from './run-command.ts'

type What = KilledPurge['what']
type How = 'opened' | 'retried' | 'by command' | 'with a reader'

interface Kill extends Omit<KilledPurge, 'file'> {
  readonly how: How
}

export const killedPurges: Attack = {
  name: 'killed-purges',
  run: async ({ seed, whole }) => {
    const folder = testFolder()
    try {
      const intact = folder.file('intact.db')
      await fillStore(intact)
      const findings: string[] = []
      const kills = await killsOf(intact, folder.file('counted.db'), { seed, whole })
      for (const kill of kills) {
        const found = await attackOne(intact, folder.file('killed.db'), kill)
        findings.push(...found.map((finding) => `${JSON.stringify(kill)}: ${finding}`))
      }
      return { probes: kills.length, findings } satisfies AttackReport
    } finally {
      folder.remove()
    }
  },
}

const canary = 'canary-5f1d9c'

/** Puts the canary into a message, its title, its key, rows derived from it, and a fork. */
async function fillStore(file: string): Promise<void> {
  const tl = createThroughline({ store: sqlite(file, { durability: 'normal' }) })
  const chat = tl.conversation('c')
  await chat.append({ role: 'user', content: `The ${canary} sings. `.repeat(60), key: canary })
  await chat.append(
    Array.from({ length: 30 }, (_, index) => ({
      role: index % 2 === 0 ? ('assistant' as const) : ('user' as const),
      content: `Message ${index} is about something else. `.repeat(20),
    })),
  )
  await chat.update({ titleFrom: 0 })
  const fork = await chat.history.fork(5, 'fork')
  if (fork.ok) await fork.value.update({ titleFrom: 0 })
  await chat.recall(canary)
  await chat.context({ model: 'gpt-4[8k]' })
  await tl.conversation('other').append({ role: 'user', content: 'stays' })
  await tl.settled()
  await tl.close()
}

/** Random calls before the commit and all calls after it; the sample has two of these. */
async function killsOf(
  intact: string,
  file: string,
  { seed, whole }: { readonly seed: number; readonly whole: boolean },
): Promise<readonly Kill[]> {
  const chance = chanceOf(`killed-purges/${seed}`)
  const kills: Kill[] = []
  for (const what of ['conversation', 'message'] as const) {
    copyDatabase(intact, file)
    const calls = await killedPurge({ file, what, at: 0, when: 'before' })
    if (!(calls > 10)) throw new Error(`a purge of a ${what} takes ${calls} calls`)
    // The last calls: COMMIT, pending work, VACUUM, the checkpoint, and marking it as erased.
    const places = whole
      ? [
          ...chance.times(25, () => chance.between(1, calls - 10)),
          ...chance.times(10, (index) => calls - index),
        ]
      : [calls - chance.between(3, 5), calls - 1]
    for (const at of places)
      kills.push({
        ...{ what, at, when: chance.pick(['before', 'after'] as const) },
        how: chance.pick(whole ? hows : (['opened', 'retried', 'by command'] as const)),
      })
  }
  return kills
}

const hows = ['opened', 'retried', 'by command', 'with a reader'] as const

/** The output of the purge; empty if it was killed. */
function purging(asked: KilledPurge): Promise<string> {
  const child = spawn(
    process.execPath,
    [
      '--conditions=throughline-source',
      join(import.meta.dirname, 'purging-child.ts'),
      JSON.stringify(asked),
    ],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  )
  let printed = ''
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    printed += chunk
  })
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code) =>
      code === null || code === 0
        ? resolve(printed.trim())
        : reject(new Error(`exited with ${code}`)),
    )
  })
}

async function attackOne(intact: string, file: string, kill: Kill): Promise<readonly string[]> {
  for (const suffix of ['', '-wal', '-shm']) rmSync(`${file}${suffix}`, { force: true })
  copyDatabase(intact, file)
  const printed = await purging({ ...kill, file })
  const findings: string[] = []
  // A purge killed before its commit did nothing and only needs another try.
  const wasPurged = isPurged(file, kill.what)
  if (kill.how === 'with a reader' && wasPurged) findings.push(...(await heldOpen(file, kill)))
  if (kill.how === 'by command') findings.push(...(await byCommand(file, kill, wasPurged)))
  const tl = createThroughline({ store: sqlite(file) })
  if (wasPurged && bytesIn(file).includes(canary))
    findings.push('after opening, purged bytes are in the files')
  if (kill.how !== 'opened' || !wasPurged) {
    const outcome = await again(tl, kill.what)
    const isTrue =
      outcome.kind === (wasPurged || kill.how === 'by command' ? 'already-purged' : 'purged') &&
      outcome.erased
    if (!isTrue) findings.push(`the retry returned ${JSON.stringify(outcome)}`)
    if (bytesIn(file).includes(canary))
      findings.push('after purging again, purged bytes are in the files')
  }
  if ((await tl.conversation('other').info())?.head !== 1)
    findings.push('another conversation has changed')
  await tl.close()
  if (printed !== '') findings.push('the purge was not killed')
  if (readFileSync(file).includes(canary))
    findings.push('after closing, purged bytes are in the file')
  if (integrity(file) !== 'ok') findings.push(integrity(file))
  return findings
}

function isPurged(file: string, what: What): boolean {
  const database = new DatabaseSync(file, { readOnly: true })
  try {
    const sql =
      what === 'message'
        ? 'SELECT 1 FROM messages WHERE seq = 0 AND instr(body, ?)'
        : "SELECT 1 FROM conversations WHERE id = 'c' AND ? <> ''"
    return database.prepare(sql).get(canary) === undefined
  } finally {
    database.close()
  }
}

function again(tl: ReturnType<typeof createThroughline>, what: What): Promise<PurgeOutcome> {
  const { history } = tl.conversation('c')
  return what === 'message'
    ? history.purgeMessage(0, { forks: 'purge' })
    : history.purge({ forks: 'purge' })
}

/** While a reader holds old pages open, the answer must not say that they are erased. */
async function heldOpen(file: string, { what }: Kill): Promise<readonly string[]> {
  const reader = new DatabaseSync(file, { readOnly: true })
  reader.exec('BEGIN')
  reader.prepare('SELECT count(*) FROM messages').get()
  const tl = createThroughline({ store: sqlite(file) })
  try {
    const outcome = await again(tl, what)
    if (outcome.kind !== 'already-purged') return [`held open: ${JSON.stringify(outcome)}`]
    const isLeft = bytesIn(file).includes(canary)
    if (outcome.erased && isLeft) return ['held open: it reports that everything is erased']
    return outcome.erased === (outcome.remains.length === 0)
      ? []
      : ['held open: `erased` and `remains` disagree']
  } finally {
    reader.exec('COMMIT')
    reader.close()
    await tl.close()
  }
}

async function byCommand(
  file: string,
  { what }: Kill,
  wasPurged: boolean,
): Promise<readonly string[]> {
  const folder = file.slice(0, file.lastIndexOf('/'))
  const words = ['purge', 'c', ...(what === 'message' ? ['0'] : []), '--yes', '--forks', '--json']
  const { exitCode, stdout } = await runCommand(words, { store: file, folder })
  const { kind, erased } = JSON.parse(stdout || '{}') as { kind?: string; erased?: boolean }
  const wanted = wasPurged ? 'already-purged' : 'purged'
  return exitCode === 0 && kind === wanted && erased === true
    ? []
    : [`the command exits with ${exitCode} and prints ${stdout}`]
}
