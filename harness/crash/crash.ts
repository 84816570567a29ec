/**
 * Kills a writer with SIGKILL at random moments, again and again, on one database. After every kill
 * it audits the file: nothing acknowledged is lost, nothing is duplicated, no turn is partial. The
 * first audit with a finding ends the run.
 */
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { createThroughline, type Message } from 'throughline'
import { sqlite } from 'throughline/stores/sqlite'
import { integrity, testFolder } from '../../packages/throughline/test/stores/sqlite-file.ts'
import { seededFractions } from '../kernel/chance.ts'
import type { Figures, Finding } from '../kernel/finding.ts'
import type { PlantedBug } from '../kernel/planted.ts'

interface CrashOptions {
  readonly kills: number
  readonly seed: number
  readonly plant?: string | undefined
}

interface CrashReport {
  readonly figures: Figures<'kills' | 'turns' | 'messages'>
  readonly findings: readonly Finding[]
}

export async function crash({ kills, seed, plant }: CrashOptions): Promise<CrashReport> {
  const folder = testFolder()
  const file = folder.file('crash.db')
  const random = seededFractions(seed)
  let [acknowledged, messages, kill] = [-1, 0, 0]
  const findings: Finding[] = []
  try {
    while (kill < kills && findings.length === 0) {
      kill += 1
      const lifeMs = 1 + Math.floor(random() * 60)
      const last = await liveAndDie(file, acknowledged + 1, lifeMs, plant)
      acknowledged = Math.max(acknowledged, last)
      const audited = await audit(file, acknowledged)
      messages = audited.messages
      for (const { rule, detail } of audited.findings)
        findings.push({ rule, detail: `kill ${kill}: ${detail}` })
    }
  } finally {
    folder.remove()
  }
  return { figures: { kills: kill, turns: acknowledged + 1, messages }, findings }
}

const writers = [
  { plant: 'ack-first', rule: 'lost', bug: 'a writer that acknowledges before it writes' },
  {
    plant: 'no-key',
    rule: 'duplicates',
    bug: 'a writer that retries an unacknowledged turn without its key',
  },
  { plant: 'torn', rule: 'torn', bug: 'a writer that commits a turn in pieces' },
] as const

export const planted: readonly PlantedBug[] = writers.map(({ plant, rule, bug }, index) => ({
  ...{ bug, rule },
  find: async () => (await crash({ kills: 300, seed: index + 2, plant })).findings,
}))

/** Kills a writer some milliseconds after its first acknowledgement; returns its last reported turn. */
function liveAndDie(
  file: string,
  from: number,
  lifeMs: number,
  plant: string | undefined,
): Promise<number> {
  const writer = spawn(
    process.execPath,
    [
      '--conditions=throughline-source',
      join(import.meta.dirname, 'writer.ts'),
      `--file=${file}`,
      `--from=${from}`,
      ...(plant === undefined ? [] : [`--plant=${plant}`]),
    ],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  )
  let output = ''
  let doomed = false
  writer.stdout.setEncoding('utf8')
  writer.stdout.on('data', (chunk: string) => {
    output += chunk
    if (doomed) return
    doomed = true
    setTimeout(() => writer.kill('SIGKILL'), lifeMs)
  })
  return new Promise((resolve, reject) => {
    writer.on('error', reject)
    writer.on('close', (code) => {
      if (code !== null) reject(new Error(`the writer exited with ${code} before it was killed`))
      // No reader saw an incomplete line, so it acknowledges nothing.
      const lines = output
        .slice(0, output.lastIndexOf('\n') + 1)
        .trim()
        .split('\n')
      resolve(Number(lines.at(-1)))
    })
  })
}

/** The result of checking a database through the public API after a kill. */
interface Audit {
  readonly messages: number
  readonly findings: readonly Finding[]
}

/** Turns up to and including `acknowledged` must be there, each once and whole. */
async function audit(file: string, acknowledged: number): Promise<Audit> {
  const findings: Finding[] = []
  const broken = (detail: string) => findings.push({ rule: 'broken', detail })
  const verdict = integrity(file)
  if (verdict !== 'ok') broken(`integrity: ${verdict}`)
  const tl = createThroughline({ store: sqlite(file) })
  const turns = new Map<number, string[]>()
  let messages = 0
  for (const id of ['left', 'right']) {
    let expected = 0
    for await (const message of tl.conversation(id).messages()) {
      if (message.seq !== expected) broken(`${id}: position ${message.seq}, not ${expected}`)
      if (message.marks.length > 0) broken(`${message.id}: a result without its call`)
      expected += 1
      messages += 1
      const turn = turnOf(message)
      turns.set(turn, [...(turns.get(turn) ?? []), message.role])
    }
    const events = await tl.conversation(id).events({ limit: 1_000_000 })
    if (events.some((event, index) => event.number !== index + 1))
      broken(`${id}: events have a gap`)
    const heads = events.flatMap((event) =>
      event.kind === 'messages-appended' ? [event.span.to] : [],
    )
    if ((heads.at(-1) ?? 0) !== expected)
      broken(`${id}: events end at ${heads.at(-1)}, not ${expected}`)
  }
  await tl.close()

  const wanted = Array.from({ length: acknowledged + 1 }, (_, turn) => turn)
  const roles = [...turns.values()].map((found) => found.join())
  const whole = 'user,assistant,tool'
  const wrong = {
    lost: wanted.filter((turn) => !turns.has(turn)).length,
    duplicates: roles.filter((found) => found.split(whole).length > 2).length,
    torn: roles.filter((found) => found.replaceAll(whole, '').replaceAll(',', '') !== '').length,
  }
  for (const [rule, count] of Object.entries(wrong))
    if (count > 0) findings.push({ rule, detail: `${count} turns` })
  return { messages, findings }
}

function turnOf(message: Message): number {
  const [part] = message.parts
  if (part?.type === 'tool-call') return Number(part.callId.slice('call-'.length))
  if (part?.type === 'tool-result') return Number(part.callId.slice('call-'.length))
  return Number(part?.type === 'text' ? part.text.split(' ')[1] : Number.NaN)
}
