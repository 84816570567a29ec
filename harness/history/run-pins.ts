/**
 * Attacks pins: conversations of hostile messages, pinned and unpinned at random, compacted again and
 * again, with a lying model or with rules only. Checks the pins of every context.
 */
import {
  type Context,
  type ConversationHandle,
  createThroughline,
  type PolicyInput,
  policies,
} from 'throughline'
import { fakeClock } from 'throughline/testing'
import { type Chance, chanceOf } from '../kernel/chance.ts'
import type { Finding } from '../kernel/finding.ts'
import { tokenizer } from '../races/strict-model.ts'
import { checkPins, marksOf, nameIn, type Pinned, pinnedIn } from './check-pins.ts'
import { hostileMessages, type LyingWriter, lyingWriter, writersWord } from './lying-writer.ts'

interface PinRuns extends Partial<ChainOptions> {
  readonly seed: number
  /** Runs chains `from` up to, not including, `to`. */
  readonly from: number
  readonly to: number
}

const thorough: ChainOptions = { compactions: 20, planted: {}, until: null }

const figureNames = [
  'chains',
  'contexts',
  'compactions',
  'pins checked',
  'pin blocks',
  'pins of messages shown whole',
  'contexts with lies',
  'requests to the lying model',
] as const

type PinFigures = Record<(typeof figureNames)[number], number>

interface PinReport {
  readonly findings: readonly Finding[]
  readonly figures: PinFigures
}

export async function runPins({ seed, from, to, ...asked }: PinRuns): Promise<PinReport> {
  const options: ChainOptions = { ...thorough, ...asked }
  const findings: Finding[] = []
  const figures = Object.fromEntries(figureNames.map((name) => [name, 0])) as PinFigures
  for (let number = from; number < to; number += 1) {
    const policy = attackedPolicy(number)
    const found = await playChain(`pins ${seed} ${number}`, policy, options, figures)
    findings.push(
      ...found.map(({ rule, detail }) => ({ rule, detail: `chain ${number}: ${detail}` })),
    )
    figures.chains += 1
    if (found.some(({ rule }) => rule === options.until)) break
  }
  return { findings, figures }
}

/** How a bug changes a context, or a request to the model. */
export interface PlantedPin {
  readonly context?: (context: Context) => Context
  readonly request?: (text: string, pins: readonly Pinned[]) => string
}

interface ChainOptions {
  readonly compactions: number
  readonly planted: PlantedPin
  /** Ends when this rule was broken. */
  readonly until: string | null
}

const roundsMost = 60
const hour = 3_600_000
const model = 'm'

async function playChain(
  name: string,
  { policy, hasModel }: AttackedPolicy,
  { planted, until, compactions: compactionsAsked }: ChainOptions,
  figures: PinFigures,
): Promise<readonly Finding[]> {
  const chance = chanceOf(name)
  const windowTokens = chance.between(2, 4) * 1_000
  const clock = fakeClock()
  let pins: readonly Pinned[] = []
  let marks: readonly string[] = []
  let compactions = 0
  let epoch = 1
  const writer = lyingWriter({ chance, pins: () => pins, marks: () => marks })
  const tl = createThroughline({
    models: [{ id: model, contextWindowTokens: windowTokens }],
    tokenizer,
    clock,
    policy,
    ...(hasModel && { summarizer: writer.model }),
  })
  const chat = tl.conversation('c')
  const pinner = randomPinner(chat, chance, windowTokens)
  const findings: Finding[] = []
  const check = async (): Promise<Context> => {
    const before = writer.received.length
    pins = await pinnedIn(chat)
    const made = await chat.context({ model, system: 'Be careful.' })
    const context = planted.context?.(made) ?? made
    findings.push(...checkPins(context, pins))
    for (const text of writer.received.slice(before))
      findings.push(
        ...checkLeaked(planted.request?.(text, pins) ?? text, pinner.alwaysPinned(pins), writer),
      )
    marks = marksOf(context)
    if (context.epoch > epoch && context.decision.kind !== 'renew') compactions += 1
    epoch = context.epoch
    figures.contexts += 1
    figures['pins checked'] += pins.length
    figures['pin blocks'] += context.messages.filter(({ slot }) => slot === 'pins').length
    if (JSON.stringify(context.messages).includes(writersWord)) figures['contexts with lies'] += 1
    return context
  }
  const isOver = () =>
    compactions >= compactionsAsked || findings.some(({ rule }) => rule === until)
  for (let round = 0; round < roundsMost && !isOver(); round += 1) {
    // An hour later, models that wrote no summary are called again.
    clock.set(clock.now() + hour)
    for (let count = chance.between(3, 8); count > 0; count -= 1) {
      const { head } = await chat.append([
        ...hostileMessages({ chance, name: `${name}.${round}.${count}`, marks }),
      ])
      if (chance.once(8)) await pinner.change(head - 1, head - 1)
    }
    const head = (await chat.info())?.head ?? 1
    const place = chance.below(head)
    const before = chance.once(3) ? await check() : null
    const isChanged = await pinner.change(place, head)
    if (before !== null && isChanged && showsWhole(before, place)) {
      figures['pins of messages shown whole'] += 1
      if ((await check()).brokenBy === 'pins-changed')
        findings.push({
          rule: 'free',
          detail: `pinning #${place}, which is shown whole, cost an epoch`,
        })
    }
    await chat.compactNextRequest()
    await check()
  }
  figures.compactions += compactions
  figures['requests to the lying model'] += writer.received.length
  await tl.close()
  return findings
}

/** A user who pins and unpins. */
function randomPinner(chat: ConversationHandle, chance: Chance, windowTokens: number) {
  const always = new Set<number>()
  return {
    /** Messages that were pinned before any request could contain them, and ever since. */
    alwaysPinned: (pins: readonly Pinned[]) => pins.filter(({ seq }) => always.has(seq)),
    /** Whether the pin changed; if there are enough pins, another one is removed. */
    async change(seq: number, unseenFrom: number): Promise<boolean> {
      const pins = await pinnedIn(chat)
      const [message] = await Array.fromAsync(chat.messages({ from: seq, to: seq + 1 }))
      const isPinned = pins.some((pin) => pin.seq === seq)
      const [first, ...others] = pins
      const isFull = jsonTokens([message, ...pins]) > windowTokens * pinnedShare
      if (isPinned || (isFull && first !== undefined)) {
        const gone = isPinned || first === undefined ? seq : chance.pick([first, ...others]).seq
        always.delete(gone)
        await chat.unpin(gone)
        return isPinned
      }
      if (isFull) return false
      if (seq >= unseenFrom) always.add(seq)
      await chat.pin(seq)
      return true
    },
  }
}

/** More pins would be an error, and rightly so. */
const pinnedShare = 0.25

function jsonTokens(values: readonly unknown[]): number {
  return values.reduce<number>((sum, value) => sum + tokenizer.count(JSON.stringify(value)), 0)
}

/** Pins are shown next to the summary, so no summarizer receives them unless it wrote them itself. */
function checkLeaked(
  request: string,
  pins: readonly Pinned[],
  { answered }: LyingWriter,
): readonly Finding[] {
  return pins.flatMap((pin) => {
    const name = nameIn(pin)
    const isLeaked = request.includes(name) && !answered.some((text) => text.includes(name))
    return isLeaked ? [{ rule: 'leaked', detail: `#${pin.seq} ${name}` }] : []
  })
}

function showsWhole({ messages, omitted }: Context, seq: number): boolean {
  const isShort = omitted.some(({ span, why }) => why === 'stubbed' && span?.from === seq)
  return messages.some((message) => message.seq === seq) && !isShort
}

/** The policies under attack: with a lying model, and with rules only. */
// High enough to call the model again, whatever it wrote before.
const limits = { ...policies.balanced.limits, callsPerHour: 1_000 }
const blocking = { run: { mode: 'blocking' }, limits } as const

const modelPolicies: readonly PolicyInput[] = [
  { name: 'structured', ...blocking },
  { name: 'structured, of the system', ...blocking, advanced: { derivedRole: 'system-message' } },
  { name: 'structured, merged', ...blocking, advanced: { derivedRole: 'merged-into-system' } },
  { name: 'running', ...blocking, summarizers: [{ style: 'running' }] },
  { ...policies['ratio-chain'], ...blocking },
  { ...policies['running-rag'], ...blocking },
  { ...policies['rolling-rows'], ...blocking },
  { ...policies['rule-digest'], ...blocking },
]

const rulePolicies: readonly PolicyInput[] = ['balanced', 'chat', 'coding', 'rule-digest']

interface AttackedPolicy {
  readonly policy: PolicyInput
  /** Whether a model writes summaries. */
  readonly hasModel: boolean
}

const attacked: readonly AttackedPolicy[] = [
  ...modelPolicies.map((policy) => ({ policy, hasModel: true })),
  ...rulePolicies.map((policy) => ({ policy, hasModel: false })),
]

/** Takes the policies in turn. */
function attackedPolicy(chain: number): AttackedPolicy {
  return attacked[chain % attacked.length] ?? { policy: 'balanced', hasModel: false }
}
