import { describe, expect, it } from 'vitest'
import { outlineOf } from './code-outline.ts'
import { emphasizedNamesOf } from './emphasized-names.ts'
import { exactNamesOf } from './exact-names.ts'
import { fencedCommandIn } from './fenced-command.ts'
import { codeOutlineBombs, hostileTexts } from './hostile-text.test-support.ts'
import { digestOf } from './message-digest.ts'
import { factsOf } from './message-facts.ts'
import { outcomeOf } from './outcome.ts'
import { patchedFiles } from './patched-files.ts'
import { sayingsOf } from './said.ts'
import { summarizeSaid } from './said-summary.ts'
import { searchHitsIn } from './search-hits.ts'
import { sentencesOf } from './sentences.ts'
import { readCommand } from './shell-command.ts'
import { readArguments } from './tool-arguments.ts'
import { summarizeUse } from './tool-summary.ts'
import { calledWith, resultWith } from './tool-use.test-support.ts'
import { readToolUse } from './tool-use.ts'

type Extractor = (text: string) => unknown

const textPart = (text: string) => ({ type: 'text', text, metadata: null }) as const
const names = ['Read', 'Bash', 'Grep', 'get_user'] as const
const summarized = ['Read', 'Bash', 'http', 'get_user'] as const
const inputs = (text: string) => [
  text,
  JSON.stringify({ command: text }),
  JSON.stringify({ file_path: 'a.ts', content: text }),
]

const extractors: Readonly<Record<string, Extractor>> = {
  outlineOf: (text) => outlineOf('a.ts', text),
  emphasizedNamesOf,
  exactNamesOf,
  fencedCommandIn,
  outcomeOf: (text) => outcomeOf(text, false),
  outcomeOfFailure: (text) => outcomeOf(text, true),
  patchedFiles,
  sayingsOfUser: (text) => sayingsOf(text, 'user'),
  sayingsOfAssistant: (text) => sayingsOf(text, 'assistant'),
  searchHitsIn,
  sentencesOf,
  readCommand,
  readArguments,
  summaryOfUser: (text) => summarizeSaid({ role: 'user', parts: [textPart(text)] }),
  summaryOfAssistant: (text) => summarizeSaid({ role: 'assistant', parts: [textPart(text)] }),
  digestOfUser: (text) => digestOf({ role: 'user', parts: [textPart(text)] }, new Map()),
  digestOfAssistant: (text) => digestOf({ role: 'assistant', parts: [textPart(text)] }, new Map()),
}

// A stall is a quarter of a second; other work on the machine may double it.
const stallMs = 250
const attempts = 3

function quickest(work: () => unknown): number {
  let least = Number.POSITIVE_INFINITY
  for (let attempt = 0; attempt < attempts && least > stallMs / 2; attempt += 1) {
    const began = performance.now()
    work()
    least = Math.min(least, performance.now() - began)
  }
  return least
}

describe.each(Object.entries({ ...hostileTexts, ...codeOutlineBombs }))('%s', (_, text) => {
  it.each(Object.entries(extractors))('stalls no %s', (_name, extract) => {
    expect(quickest(() => extract(text))).toBeLessThan(stallMs)
  })

  it('stalls no reading of a call or of its result', () => {
    for (const name of names)
      for (const input of inputs(text))
        expect(quickest(() => readToolUse(calledWith(name, input), resultWith(text)))).toBeLessThan(
          stallMs,
        )
  })

  it('stalls no summary of a tool, which stays short', () => {
    for (const name of summarized) {
      const use = readToolUse(calledWith(name, {}), resultWith(text, true))
      const summary = () => summarizeUse(use, { preserveErrorDetails: true })
      expect(quickest(summary)).toBeLessThan(stallMs)
      expect(JSON.stringify(summary()).length).toBeLessThan(12_000)
    }
  })

  it.each(['user', 'assistant', 'tool'] as const)(
    'gives few and well-formed facts of the %s',
    (role) => {
      const call = calledWith('Bash', { command: text })
      const parts = role === 'tool' ? [resultWith(text)] : [textPart(text)]
      const both = role === 'assistant' ? [...parts, call] : parts
      const read = () => factsOf({ seq: 0, role, parts: both }, new Map([['c1', call]]))
      const facts = read()
      expect(quickest(read)).toBeLessThan(stallMs)
      expect(facts.facts.length).toBeLessThanOrEqual(240)
      const written = JSON.stringify(facts)
      expect(written.length).toBeLessThan(400_000)
      expect(/\\ud[89a-f]/.test(written)).toBe(false)
      expect(Object.keys(Object.prototype)).toEqual([])
    },
  )
})
