/** One conversation under attack, compacted so many times. */
import { type Context, type ConversationHandle, createThroughline } from 'throughline'
import { fakeClock } from 'throughline/testing'
import { type Chance, chanceOf } from '../kernel/chance.ts'
import type { Finding } from '../kernel/finding.ts'
import { tokenizer } from '../races/strict-model.ts'
import { checkPins, marksOf } from './check-pins.ts'
import { hostileMessages } from './hostile-message.ts'
import { type LyingWriter, lyingWriter, writersWord } from './lying-writer.ts'
import type { AttackedPolicy } from './pin-policies.ts'
import { nameIn, type Pinned, pinnedIn } from './pinned.ts'
import type { PinFigures } from './run-pins.ts'

/** What a bug does to a context, or to what the model is told. */
export interface PlantedPin {
  readonly context?: (context: Context) => Context
  readonly told?: (told: string, pins: readonly Pinned[]) => string
}

export interface ChainOptions {
  readonly compactions: number
  readonly planted: PlantedPin
  /** No further once this rule was broken. */
  readonly until: string | null
}

const roundsMost = 60
const hour = 3_600_000
const model = 'm'

export async function playChain(
  name: string,
  { policy, isTold }: AttackedPolicy,
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
    ...(isTold && { summarizer: writer.model }),
  })
  const chat = tl.conversation('c')
  const hand = pinningHand(chat, chance, windowTokens)
  const findings: Finding[] = []
  const look = async (): Promise<Context> => {
    const told = writer.told.length
    pins = await pinnedIn(chat)
    const made = await chat.context({ model, system: 'Be careful.' })
    const context = planted.context?.(made) ?? made
    findings.push(...checkPins(context, pins))
    for (const text of writer.told.slice(told))
      findings.push(
        ...checkTold(planted.told?.(text, pins) ?? text, hand.alwaysPinned(pins), writer),
      )
    marks = marksOf(context)
    if (context.epoch > epoch && context.decision.kind !== 'renew') compactions += 1
    epoch = context.epoch
    figures.contexts += 1
    figures['pins looked at'] += pins.length
    figures['of them blocks'] += context.messages.filter(({ slot }) => slot === 'pins').length
    if (JSON.stringify(context.messages).includes(writersWord)) figures['contexts with lies'] += 1
    return context
  }
  const isOver = () =>
    compactions >= compactionsAsked || findings.some(({ rule }) => rule === until)
  for (let round = 0; round < roundsMost && !isOver(); round += 1) {
    // Whoever has brought nothing is asked again by then.
    clock.set(clock.now() + hour)
    for (let count = chance.between(3, 8); count > 0; count -= 1) {
      const { head } = await chat.append([
        ...hostileMessages({ chance, name: `${name}.${round}.${count}`, marks }),
      ])
      if (chance.once(8)) await hand.change(head - 1, head - 1)
    }
    const head = (await chat.info())?.head ?? 1
    const place = chance.below(head)
    const before = chance.once(3) ? await look() : null
    const isChanged = await hand.change(place, head)
    if (before !== null && isChanged && showsWhole(before, place)) {
      figures['pins of what was shown whole'] += 1
      if ((await look()).brokenBy === 'pins-changed')
        findings.push({ rule: 'free', detail: `a pin of #${place}, which is shown whole` })
    }
    await chat.compact()
    await look()
  }
  figures.compactions += compactions
  figures['requests to the liar'] += writer.told.length
  await tl.close()
  return findings
}

/** Somebody who pins and unpins. */
function pinningHand(chat: ConversationHandle, chance: Chance, windowTokens: number) {
  const always = new Set<number>()
  return {
    /** Those that were pinned before anybody could be told them, and ever since. */
    alwaysPinned: (pins: readonly Pinned[]) => pins.filter(({ seq }) => always.has(seq)),
    /** Whether the pin was changed: where there are enough, another one goes instead. */
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

/** More of them would be an error, and rightly so. */
const pinnedShare = 0.25

function jsonTokens(values: readonly unknown[]): number {
  return values.reduce<number>((sum, value) => sum + tokenizer.count(JSON.stringify(value)), 0)
}

/** A pin stands beside the summary: nobody who writes one is told it, unless he said it himself. */
function checkTold(
  told: string,
  pins: readonly Pinned[],
  { said }: LyingWriter,
): readonly Finding[] {
  return pins.flatMap((pin) => {
    const name = nameIn(pin)
    const isTold = told.includes(name) && !said.some((text) => text.includes(name))
    return isTold ? [{ rule: 'told', detail: `#${pin.seq} ${name}` }] : []
  })
}

function showsWhole({ messages, omitted }: Context, seq: number): boolean {
  const isShort = omitted.some(({ span, why }) => why === 'stubbed' && span?.from === seq)
  return messages.some((message) => message.seq === seq) && !isShort
}
