import { describe, expect, it } from 'vitest'
import type { MessageInput } from '../../domain/message.ts'
import {
  placedFormats,
  samples,
  standaloneFormats,
} from '../../extract/secrets/secret-samples.test-support.ts'
import { sha256 } from '../../system.ts'
import { build } from '../../testing/build.ts'
import { sealMessages } from '../append/append.ts'
import { noDerivedRows } from '../read/readers.ts'
import { factsExtractor, type HistoryFacts } from './extract-facts.ts'
import { renderHistoryBlocks } from './render-blocks.ts'

const roomy = {
  userTextTokens: 100_000,
  recentUserTextTokens: 0,
  repeatsUserText: true,
  summaryTokens: 100_000,
  ledgerTokens: 100_000,
  filesTokens: 0,
  userOpeningsTokens: 0,
  modelSummaryTokens: 100_000,
}

async function digested(messages: Iterable<MessageInput>): Promise<HistoryFacts> {
  const sealed = sealMessages([...messages], sha256)
  const read = async () => sealed
  return factsExtractor({ read }, noDerivedRows)(sealed.length)
}

/** Everything that is derived, as text. */
async function derivedFrom(past: HistoryFacts): Promise<string> {
  const line = past.ledger.to
  const meter = { text: (text: string) => text.length / 4 }
  const rendered = await renderHistoryBlocks(
    past,
    { line, keeps: [], stubs: [] },
    { limits: roomy, meter },
  )
  return JSON.stringify([past.rows, past.ledger, rendered])
}

/** Places of a secret. */
const places: Readonly<Record<string, (text: string) => Iterable<MessageInput>>> = {
  "a user's message": (text) => build().user(`Please use this:\n${text}\nand src/a.ts.`),
  "an assistant's message": (text) => build().says(`I found it:\n\n${text}\n\nIn \`src/a.ts\`.`),
  "a call's argument": (text) =>
    build().calls('write', { path: 'src/a.ts', content: text }).result('ok'),
  'a command': (text) =>
    build()
      .calls('bash', { command: `cat src/a.ts\n${text}` })
      .result('src/a.ts\nok'),
  'arguments as JSON text once more': (text) =>
    build()
      .calls('write', JSON.stringify({ path: 'src/a.ts', content: `a\n${text}` }))
      .result('ok'),
  "a tool's result": (text) =>
    build().calls('bash', { command: 'cat src/a.ts' }).result(`src/a.ts\n${text}\n`),
  "a tool's error": (text) =>
    build()
      .calls('bash', { command: 'cat src/a.ts' })
      .result(`Error: refused\n${text}`, { isError: true }),
}

describe('derived data', () => {
  const formats = [...standaloneFormats, ...placedFormats]

  it.each(Object.entries(places))('holds no secret of %s', async (_, messagesWith) => {
    const leaked: string[] = []
    for (const format of formats)
      for (const { text, value } of samples(format, 2)) {
        const past = await digested(messagesWith(text))
        const derived = await derivedFrom(past)
        const isLeaked = derived.includes(value) || derived.includes(value.toLowerCase())
        if (isLeaked || past.redacted === 0) leaked.push(`${format.name}: ${text}`)
        expect(derived).toContain('src/a.ts')
      }
    expect(leaked).toEqual([])
  })

  it('contains no password that only the text before it reveals', async () => {
    const password = ['Tr0ub4dor', '9xKq72LmZ'].join('_')
    const past = await digested([
      ...build()
        .user(`The password is ${password}. Log in.`)
        .calls('login', { user: 'ada', password })
        .result(`DB_PASSWORD=${password}`),
    ])
    expect(await derivedFrom(past)).not.toContain(password)
    expect(past.redacted).toBeGreaterThanOrEqual(3)
  })

  it('holds no half of a secret where a text is cut', async () => {
    const [sample] = samples(standaloneFormats[0] as (typeof standaloneFormats)[number], 1)
    const value = sample?.value ?? ''
    for (const before of [100, 180, 190, 199, 7_980, 7_990]) {
      const words = `${'word '.repeat(before / 5)}${value} ${'word '.repeat(200)}`
      const derived = await derivedFrom(await digested(build().user(words).says(words)))
      expect(derived).not.toContain(value.slice(0, 12))
      expect(derived).not.toContain(value.slice(-12))
    }
  })

  it('is as it was where there is no secret', async () => {
    const past = await digested(build().user('Look at src/a.ts, $& and __proto__.'))
    expect(past.redacted).toBe(0)
    expect(past.rows[0]?.digest?.text).toBe('Look at src/a.ts, $& and __proto__.')
  })
})
