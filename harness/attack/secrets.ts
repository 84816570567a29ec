/**
 * Sends secrets in more than sixty formats through every boundary of a compaction: nothing derived
 * from a conversation may contain one, and clean text must not change.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  type Context,
  createThroughline,
  type MessageInput,
  type PartInput,
  type PolicyName,
  type ToolOutputInput,
} from 'throughline'
import { sqlite } from 'throughline/stores/sqlite'
import { type ScriptedModel, scriptedModel } from 'throughline/testing'
import { afterReply, rememberedTurns, turnMemory } from 'throughline/turns'
import { redactSecrets } from '../../packages/throughline/src/extract/redact-secrets.ts'
import { cleanLines } from '../../packages/throughline/src/extract/secrets/clean-text.test-support.ts'
import {
  placedFormats,
  type SecretSample,
  standaloneFormats,
} from '../../packages/throughline/src/extract/secrets/secret-samples.test-support.ts'
import { unpackText } from '../../packages/throughline/src/stores/sqlite/packed-text.ts'
import { truthfulSummary } from '../../packages/throughline/src/testing/truthful-summary.test-support.ts'
import { rowsIn, testFolder } from '../../packages/throughline/test/stores/sqlite-file.ts'
import { type Random, seededRandom } from '../kernel/chance.ts'
import type { Attack, AttackOptions, AttackReport } from './attack.ts'

export const secrets: Attack = {
  name: 'secrets',
  run: async (options) => {
    const reports = [await throughBoundaries(options), cleanText(options)]
    return {
      probes: reports.reduce((sum, { probes }) => sum + probes, 0),
      findings: reports.flatMap(({ findings }) => findings),
    }
  },
}

const names: readonly PolicyName[] = [
  ...([
    'balanced',
    'ratio-chain',
    'rule-digest',
    'running-rag',
    'rolling-rows',
    'turn-memory',
  ] as const),
]
const perTalk = 8
const mostMissed = 0.01

async function throughBoundaries({ seed, whole }: AttackOptions): Promise<AttackReport> {
  const findings: string[] = []
  const [talks, missed] = [[] as Talk[], [] as PlantedSecret[]]
  for (let round = 0; round < (whole ? 12 : 1); round += 1) {
    const planted = plantedSecrets(`secrets ${seed} ${round}`)
    missed.push(...planted.missed)
    const mixed = shuffled(planted.known, seededRandom(`order ${seed} ${round}`))
    for (let from = 0; from < (whole ? mixed.length : 64); from += perTalk)
      talks.push({ at: talks.length, planted: mixed.slice(from, from + perTalk) })
  }
  for (const talk of talks) findings.push(...(await leaksOf(talk)))
  const probes = talks.reduce((sum, { planted }) => sum + planted.length, 0)
  if (missed.length > (probes + missed.length) * mostMissed)
    findings.push(
      `${missed.length} not recognized: ${missed.map(({ text }) => text.slice(0, 60)).join(' · ')}`,
    )
  return { probes, findings }
}

interface Talk {
  readonly at: number
  readonly planted: readonly PlantedSecret[]
}

const model = 'toy/chat'
const filler =
  'We went on with the plan for the garden, row by row, as we had said before. '.repeat(5)

async function leaksOf({ at, planted }: Talk): Promise<readonly string[]> {
  const folder = testFolder()
  const file = folder.file('chat.db')
  const copying = copyingModel(planted)
  const policy = names[at % names.length] ?? 'balanced'
  const tl = createThroughline({
    store: sqlite(file),
    policy,
    models: [{ id: model, contextWindowTokens: 4_000 }],
    summarizer: copying,
  })
  try {
    const chat = tl.conversation('c')
    const contexts: Context[] = []
    const ask = async () => {
      contexts.push(await chat.context({ model }))
      await tl.settled()
    }
    for (const [index, { text }] of planted.entries()) {
      const plants = Object.values(boundaries)
      const plant = plants[(at * 3 + index) % plants.length]
      await chat.append(plant?.(text, `call-${index}`) ?? [])
      await chat.append({ role: 'assistant', content: `Seen ${index}. ${filler}` })
      if (policy === 'turn-memory')
        await afterReply(chat, { userMessage: `Keep\n${text}`, finalResponse: `Kept\n${text}` })
      if (index % 3 === 2) await ask()
    }
    await chat.pin(0)
    for (let turn = 0; turn < 9; turn += 1) {
      await chat.append({ role: 'user', content: `Question ${turn}. ${filler}` })
      await chat.append({ role: 'assistant', content: `Answer ${turn}. ${filler}` })
    }
    await chat.append({ role: 'user', content: 'What was the password, the token and the secret?' })
    await ask()
    await ask()
    const found = await chat.recall('password token secret key line first last', { tokens: 2_000 })
    const derived: Readonly<Record<string, unknown>> = {
      'request to a model': copying.asked,
      contexts: contexts.map(derivedOf),
      recall: found,
      receipts: await chat.receipts(),
      summaries: await chat.summaries(),
      summary: await chat.summary({ model }),
      'turn memory': [await turnMemory(chat), await rememberedTurns(chat)].map(withoutWords),
    }
    await tl.close()
    return residueIn({ ...derived, ...tablesIn(file) }, planted, `talk ${at}`)
  } finally {
    await tl.close()
    folder.remove()
  }
}

/** Leaves out what is shown as appended: messages, stubs, pins and turns (`docs/compaction.md`). */
function derivedOf({ messages }: Context): unknown {
  return messages.filter(({ seq, slot }) => seq === null && slot !== 'pins' && slot !== 'turns')
}

/** A turn record keeps the user's text and the answer as they were given. */
function withoutWords(memory: unknown): unknown {
  const kept = JSON.stringify(memory, (name, value: unknown) =>
    name === 'user' || name === 'assistant' ? null : value,
  )
  return JSON.parse(kept)
}

/** Rows of these kinds are searched whole; a turn record keeps the text it was given. */
const kinds = ['facts', 'ledger', 'receipt', 'summary', 'digest', 'insert', 'request'] as const

function tablesIn(file: string): Readonly<Record<string, unknown>> {
  // Long bodies are compressed, and a compressed secret is a secret.
  const derived = rowsIn(file, 'derived').map((row) => ({
    ...row,
    body: unpackText(String(row['body']), 'a derived row'),
  }))
  const rows = Map.groupBy(derived, (row) => String(Reflect.get(row, 'kind')))
  const views = ['view', 'version'].flatMap((kind) => rows.get(kind) ?? [])
  return {
    ...Object.fromEntries(kinds.map((kind) => [`rows of ${kind}`, rows.get(kind) ?? []])),
    'rows of pieces': rowsIn(file, 'pieces'),
    views: views.map(({ body }) => JSON.parse(body)?.history),
  }
}

function residueIn(
  derived: Readonly<Record<string, unknown>>,
  planted: readonly PlantedSecret[],
  where: string,
): readonly string[] {
  return Object.entries(derived).flatMap(([place, value]) => {
    const text = JSON.stringify(value, (_, inner: unknown) =>
      inner instanceof Uint8Array ? Buffer.from(inner).toString('latin1') : inner,
    )
    return planted
      .filter((secret) => holds(text, secret.value))
      .map((secret) => `${where}: ${secret.name} in ${place}: ${around(text, secret.value)}`)
  })
}

function around(text: string, value: string): string {
  const at = text.indexOf(value.slice(0, 10))
  return text.slice(Math.max(0, at - 60), at + 40)
}

/** A model that has seen the secrets elsewhere and repeats them, in answers and in refusals. */
function copyingModel(planted: readonly PlantedSecret[]): ScriptedModel {
  let asked = 0
  return scriptedModel(({ messages, schema }) => {
    asked += 1
    const leaked = planted.map(({ text }) => text).join('\n')
    if (asked % 3 === 1) return `I cannot do that.\n${leaked}`
    const question = messages.map(({ content }) => ({ role: 'user' as const, text: content }))
    const honest = truthfulSummary({ messages: question, schema }, { words: 40 })
    if (schema === null) return `${honest}\n${leaked}`
    const { summary, ...rest } = JSON.parse(honest) as { readonly summary: string }
    return JSON.stringify({ ...rest, summary: `${summary}\n${leaked}`, keyPoints: [leaked] })
  })
}

const mostChanged = 0.001

/** Lines about secrets that contain none, and our own sources, where only tests contain some. */
function cleanText({ seed, whole }: AttackOptions): AttackReport {
  const lines = [...cleanLines(`clean ${seed}`, whole ? 6_000_000 : 100_000), ...ownLines(whole)]
  const changed = lines.filter((line) => redactSecrets(line).redacted.length > 0)
  const findings =
    changed.length > lines.length * mostChanged
      ? [
          `${changed.length} of ${lines.length} clean lines changed: ${changed.slice(0, 5).join(' · ')}`,
        ]
      : []
  return { probes: lines.length, findings }
}

function ownLines(whole: boolean): readonly string[] {
  const source = join(
    import.meta.dirname,
    whole ? '../../packages/throughline/src' : '../../packages/throughline/src/flow/epoch',
  )
  return readdirSync(source, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.includes('.test'))
    .flatMap((name) => readFileSync(join(source, name), 'utf8').split('\n'))
}

/** Made-up secrets in more than sixty formats, and the message fields that can contain them. */
interface PlantedSecret extends SecretSample {
  readonly name: string
}

/** One per format; formats that no rule recognizes by value are counted apart. */
function plantedSecrets(seed: string): {
  readonly known: readonly PlantedSecret[]
  readonly missed: readonly PlantedSecret[]
} {
  const random = seededRandom(seed)
  const all = [...standaloneFormats, ...placedFormats].map(
    ({ name, draw }): PlantedSecret => ({ name, ...draw(random) }),
  )
  const isMissed = ({ text, value }: PlantedSecret) =>
    holds(redactSecrets(`first line\n${text}\nlast line`).text, value)
  return { known: all.filter((each) => !isMissed(each)), missed: all.filter(isMissed) }
}

/** Whether a text contains a secret or the end of one, also JSON-escaped. */
function holds(text: string, value: string): boolean {
  const [line = ''] = value.split(/\n|\\n/)
  return line.length > 14
    ? text.includes(line.slice(0, 14)) || text.includes(line.slice(-12))
    : text.includes(line)
}

type Plant = (text: string, id: string) => readonly MessageInput[]

const asks: MessageInput = { role: 'user', content: 'Please go on with that.' }

/** The fields through which text reaches everything derived. */
const boundaries: Readonly<Record<string, Plant>> = {
  'text of a user': (text) => [{ role: 'user', content: `first line\n${text}\nlast line` }],
  'text of an assistant': (text) => [
    asks,
    { role: 'assistant', content: `It is:\n${text}\nDone.` },
  ],
  reasoning: (text) => [
    asks,
    { role: 'assistant', content: [{ type: 'reasoning', text: `first line\n${text}` }] },
  ],
  'arguments of a call': (text, id) => used(id, { command: `cd /app\n${text}\nls` }, 'ok'),
  'nested arguments': (text, id) =>
    used(id, { args: JSON.stringify({ script: `a\n${text}\n` }) }, 'ok'),
  'text of a result': (text, id) => used(id, { path: '.env' }, `first line\n${text}\nlast line`),
  'JSON of a result': (text, id) =>
    used(id, {}, { kind: 'json', json: JSON.stringify({ stdout: `first line\n${text}\n` }) }),
  'parts of a result': (text, id) =>
    used(id, {}, { kind: 'parts', parts: [{ type: 'text', text: `first line\n${text}\n` }] }),
  'error of a result': (text, id) => used(id, { command: 'run' }, `Error: failed\n${text}\n`, true),
  'text of an excerpt': (text) => [
    by({ type: 'resource-excerpt', resourceId: 'r', title: 'notes', text: `a line\n${text}\n` }),
  ],
  'an unknown block': (text) => [
    by({ type: 'opaque', kind: 'nobody/thing', json: JSON.stringify({ text: `a\n${text}\n` }) }),
  ],
}

function by(part: PartInput): MessageInput {
  return { role: 'user', content: [{ type: 'text', text: 'Look at this.' }, part] }
}

function used(id: string, input: object, output: ToolOutputInput, isError = false) {
  const call = { callId: id, name: 'bash' } as const
  return [
    asks,
    { role: 'assistant', content: [{ type: 'tool-call', ...call, input }] },
    { role: 'tool', content: [{ type: 'tool-result', ...call, output, isError }] },
  ] satisfies readonly MessageInput[]
}

function shuffled<Item>(items: readonly Item[], random: Random): readonly Item[] {
  return items
    .map((item) => ({ item, order: random(1_000_000) }))
    .sort((one, other) => one.order - other.order)
    .map(({ item }) => item)
}
