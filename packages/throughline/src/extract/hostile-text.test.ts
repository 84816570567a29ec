import { describe, expect, it } from 'vitest'
import type { MessageFacts } from '../domain/ledger.ts'
import { outlineOf } from './code-outline.ts'
import { summarizeUse } from './describe-tool-use.ts'
import { emphasizedNamesOf } from './emphasized-names.ts'
import { codeOutlineBombs, hostileTexts } from './hostile-text.test-support.ts'
import { literalsInOutput } from './literals/output-literals.ts'
import { digestOf } from './message-digest.ts'
import { factsOf } from './message-facts.ts'
import { patchedFiles } from './patched-files.ts'
import { processorMs } from './processor-time.test-support.ts'
import { searchHitsIn } from './search-hits.ts'
import { sentencesOf } from './sentences.ts'
import { fencedCommandIn, readCommand } from './shell-command.ts'
import { summarizeMessage } from './summarize-message.ts'
import { readArguments } from './tool-arguments.ts'
import { calledWith, outcomeOf, resultWith } from './tool-use.test-support.ts'
import { readToolUse } from './tool-use.ts'
import { logFigure } from './trial-sizes.test-support.ts'
import { utterancesOf } from './utterances.ts'

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
  literalsInOutput,
  fencedCommandIn,
  outcomeOf: (text) => outcomeOf(text, false),
  outcomeOfFailure: (text) => outcomeOf(text, true),
  patchedFiles,
  utterancesOfUser: (text) => utterancesOf(text, 'user'),
  utterancesOfAssistant: (text) => utterancesOf(text, 'assistant'),
  searchHitsIn,
  sentencesOf,
  readCommand,
  readArguments,
  summaryOfUser: (text) => summarizeMessage({ role: 'user', parts: [textPart(text)] }),
  summaryOfAssistant: (text) => summarizeMessage({ role: 'assistant', parts: [textPart(text)] }),
  digestOfUser: (text) => digestOf({ role: 'user', parts: [textPart(text)] }, new Map()),
  digestOfAssistant: (text) => digestOf({ role: 'assistant', parts: [textPart(text)] }, new Map()),
}

// A quarter of a second, for a million characters or fewer, is a stall.
const stallMs = 250
const texts = Object.entries({ ...hostileTexts, ...codeOutlineBombs })

interface Trial {
  readonly text: string
  readonly ms: number
}

function slowOf(name: string, trials: readonly Trial[]): readonly Trial[] {
  const [slowest] = trials.toSorted((left, right) => right.ms - left.ms)
  logFigure(`${name}: at most ${Math.round(slowest?.ms ?? 0)} ms, for ${slowest?.text}`)
  return trials.filter(({ ms }) => ms >= stallMs)
}

function timed(extract: Extractor): readonly Trial[] {
  return texts.map(([text, content]) => ({
    text,
    ms: processorMs(() => extract(content), stallMs / 2),
  }))
}

describe('texts that are built to stall a reader', { timeout: 300_000 }, () => {
  it.each(Object.entries(extractors))('stall no %s', (name, extract) => {
    expect(slowOf(name, timed(extract))).toEqual([])
  })

  it.each(names)('stall no reading of a call of %s or of its result', (name) => {
    const read = (text: string) =>
      inputs(text).map((input) => readToolUse(calledWith(name, input), resultWith(text)))
    expect(slowOf(`readToolUse of ${name}`, timed(read))).toEqual([])
  })

  it('stalls no summary of a tool, which stays short', () => {
    for (const name of summarized) {
      const summary = (text: string) =>
        summarizeUse(readToolUse(calledWith(name, {}), resultWith(text, true)), {
          preserveErrorDetails: true,
        })
      expect(slowOf(`summarizeUse of ${name}`, timed(summary))).toEqual([])
      for (const [, text] of texts)
        expect(JSON.stringify(summary(text)).length).toBeLessThan(12_000)
    }
  })

  it.each(['user', 'assistant', 'tool'] as const)(
    'give few facts of the %s, well-formed and harmless, and stall nothing',
    (role) => {
      const wrong = new Set<string>()
      const trials = timed((text) => {
        const { facts, ...rest } = read(role, text)
        const written = JSON.stringify({ facts, ...rest })
        if (facts.length > 240 || written.length >= 400_000 || /\\ud[89a-f]/.test(written))
          wrong.add(text.slice(0, 40))
      })
      expect(slowOf(`factsOf of the ${role}`, trials)).toEqual([])
      expect([...wrong]).toEqual([])
      expect(Object.keys(Object.prototype)).toEqual([])
    },
  )
})

function read(role: 'user' | 'assistant' | 'tool', text: string): MessageFacts {
  const call = calledWith('Bash', { command: text })
  const parts = role === 'tool' ? [resultWith(text)] : [textPart(text)]
  const both = role === 'assistant' ? [...parts, call] : parts
  return factsOf({ seq: 0, role, parts: both }, new Map([['c1', call]]))
}
