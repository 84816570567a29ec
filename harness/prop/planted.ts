/**
 * Mistakes that similar libraries have made, each as a separate `fit`. The harness must find all of
 * them.
 */
import { type ContextMessage, type Fitted, fit, type Part, ThroughlineError } from 'throughline'
import type { Finding } from '../kernel/finding.ts'
import type { PlantedBug } from '../kernel/planted.ts'
import { cardOf } from './oracle.ts'
import { type Case, randomCase } from './random-case.ts'
import { type Fit, runCase } from './run-seeds.ts'
import type { CaseFinding, Rule } from './tally.ts'

/** As many of the newest messages as fit, unchanged. */
const newestSlice: Fit = async (input) => {
  const fitted = await fit(input)
  const everything = await fitEverything(input)
  const count = fitted.messages.length
  return { ...fitted, messages: everything.messages.slice(-count) }
}

/** Cuts after the first result of the newest batch of calls. */
const cutInsideBatch: Fit = async (input) => {
  const fitted = await fit(input)
  const at = fitted.messages.findLastIndex(({ role }) => role === 'tool')
  return at === -1 ? fitted : { ...fitted, messages: fitted.messages.toSpliced(at, 1) }
}

const forgetsTools: Fit = async (input) => {
  const fitted = await fit({ ...input, tools: [] })
  return { ...fitted, tools: input.tools ?? [] }
}

const alwaysOverflows: Fit = async () => {
  throw new ThroughlineError('CONTEXT_OVERFLOW', 'it may not fit')
}

/** Cuts by code units, even inside a character. */
const cutsCharacters: Fit = async (input) => {
  const fitted = await fit(input)
  return withParts(fitted, (part) => {
    if (part.type !== 'text') return part
    const at = [...part.text].findIndex((character) => character.length === 2)
    return at === -1 ? part : { ...part, text: part.text.slice(0, unitsBefore(part.text, at) + 1) }
  })
}

const cutsThinking: Fit = async (input) =>
  withParts(await fit(input), (part) =>
    part.type === 'reasoning' && part.signature !== null && part.text.length > 1
      ? { ...part, text: part.text.slice(0, Math.floor(part.text.length / 2)).toWellFormed() }
      : part,
  )

/** Omits everything but the newest message, and lists the omission correctly. */
const emptiesToBeSafe: Fit = async (input) => {
  const fitted = await fit(input)
  const line = input.messages.length
  const messages: readonly ContextMessage[] = [
    {
      role: 'user',
      author: null,
      parts: [{ type: 'text', text: '[the conversation is not shown]', metadata: null }],
      meta: null,
      seq: null,
      slot: 'current',
    },
  ]
  const omitted = [{ span: { from: 0, to: line }, why: 'left-out', tokens: null }] as const
  return line === 0 ? fitted : { ...fitted, messages, omitted: [...omitted] }
}

const dropsOmission: Fit = async (input) => {
  const fitted = await fit(input)
  return { ...fitted, omitted: fitted.omitted.slice(1) }
}

interface PlantedFit {
  readonly bug: string
  readonly rule: Rule
  readonly fit: Fit
  /** The first seed to try. */
  readonly seed?: number
}

const fits: readonly PlantedFit[] = [
  { bug: 'a slice of the newest messages', rule: 'listed', fit: newestSlice },
  { bug: 'a cut inside a batch of calls', rule: 'pairs', fit: cutInsideBatch },
  { bug: 'a budget that forgets the tools', rule: 'budget', fit: forgetsTools },
  { bug: 'a refusal although there was room', rule: 'overflow', fit: alwaysOverflows },
  { bug: 'a cut inside a character', rule: 'unicode', fit: cutsCharacters },
  { bug: 'signed reasoning that was shortened', rule: 'sealed', fit: cutsThinking },
  // Most histories are too short to need an omission; the one of this seed is not.
  { bug: 'a context emptied to be safe', rule: 'fill', fit: emptiesToBeSafe, seed: 38 },
  { bug: 'an omission that is not listed', rule: 'listed', fit: dropsOmission },
]

export const planted: readonly PlantedBug[] = fits.map(({ bug, rule, fit: broken, seed = 1 }) => ({
  bug,
  rule,
  find: () => findingsIn(seed, broken, rule),
}))

const seedsTried = 60

/** Tries seeds until a rule is broken in a window where the shipped `fit` keeps it. */
async function findingsIn(first: number, broken: Fit, rule: Rule): Promise<readonly Finding[]> {
  for (let seed = first; seed < first + seedsTried; seed += 1) {
    const made = await randomCase(seed)
    const found = await findingsOf(made, broken, rule)
    if (found.length === 0) continue
    const windows = [...new Set(found.map(({ windowTokens }) => windowTokens))]
    const shipped = await findingsOf({ ...made, windows }, fit, rule)
    const own = found.filter((each) =>
      shipped.every(({ windowTokens }) => windowTokens !== each.windowTokens),
    )
    if (own.length > 0) return own
  }
  return []
}

async function findingsOf(made: Case, tried: Fit, rule: Rule): Promise<readonly CaseFinding[]> {
  return (await runCase(made, tried)).findings.filter((finding) => finding.rule === rule)
}

const roomyTokens = 4_000_000

function fitEverything(input: Parameters<Fit>[0]): Promise<Fitted> {
  const card = cardOf(roomyTokens)
  return fit({ ...input, model: card.id, models: [card], state: null })
}

function withParts(fitted: Fitted, change: (part: Part) => Part): Fitted {
  const messages = fitted.messages.map((message) => ({
    ...message,
    parts: message.parts.map(change),
  }))
  return { ...fitted, messages }
}

function unitsBefore(text: string, characters: number): number {
  return [...text].slice(0, characters).join('').length
}
