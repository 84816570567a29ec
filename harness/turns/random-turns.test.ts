/** Checks contexts for random turns, remembered or not, in windows of any size. */
import { type Context, type MessageInput, policies } from 'throughline'
import { expect, it } from 'vitest'
import { savedEntity } from '../../packages/throughline/src/turns/turn-records.test-support.ts'
import { type Chance, chanceOf } from '../kernel/chance.ts'
import { bytesOf } from '../prop/check-budget.ts'
import { checkListed } from '../prop/check-listed.ts'
import { checkPrefix } from '../prop/check-prefix.ts'
import { plainWords, randomText } from '../prop/random-parts.ts'
import { placesIn, type Remembering, rememberingChat } from './remembering.test-support.ts'

const model = 'house'

/** Some words, many, or anything at all. */
function anyText(chance: Chance): string {
  return chance.once(4)
    ? randomText(chance, chance.pick([5, 80, 600]))
    : plainWords(chance, chance.pick([3, 30, 300, 3_000]))
}

function turnOf(chance: Chance, turn: number): readonly MessageInput[] {
  const steps = chance.times(chance.below(5), (step): readonly MessageInput[] => {
    const callId = `call-${turn}-${step}`
    return [
      { role: 'assistant', content: [{ type: 'tool-call', callId, name: 'read', input: {} }] },
      { role: 'tool', content: [{ type: 'tool-result', callId, output: anyText(chance) }] },
    ]
  })
  return [
    { role: 'user', content: anyText(chance) || 'x' },
    ...steps.flat(),
    { role: 'assistant', content: anyText(chance) || 'y' },
  ]
}

function rememberedAs(chance: Chance, turn: number): Remembering {
  const maybe = () => (chance.once(3) ? anyText(chance) : '')
  const digest = chance.once(2) ? { text: anyText(chance), by: 'm' } : null
  const entities = chance.times(chance.below(9), (at) =>
    savedEntity(`${at}`, { label: anyText(chance), type: chance.pick(['a', 'b', 'c']) }),
  )
  return {
    record: { user: anyText(chance), assistant: anyText(chance), digest },
    knows: { theme: { text: maybe(), by: 'm', turn }, entities },
    steps: chance.times(chance.below(3), () => ({ outcome: maybe(), result: anyText(chance) })),
  }
}

// More seeds find nothing new, and ten take a second.
const seeds = 8

async function play(seed: number): Promise<Context['brokenBy'][]> {
  const chance = chanceOf(`turns ${seed}`)
  const slots = chance.once(3)
    ? policies['turn-memory'].advanced.slots
    : policies['turn-memory'].advanced.slots.map((slot) =>
        slot.kind === 'summary' || slot.kind === 'ledger'
          ? { kind: slot.kind, share: { ratio: 0.1 } }
          : slot,
      )
  const policy = {
    ...policies['turn-memory'],
    name: 'random',
    advanced: { slots, fill: chance.pick(['target', 'target', 'recent'] as const) },
    ...(chance.once(2) && { triggers: policies.balanced.triggers }),
    ...(chance.once(3) && { recall: policies.balanced.recall }),
  }
  const window = chance.pick([700, 1_500, 4_000, 20_000])
  const { chat, remember, tl } = rememberingChat({ policy, window })
  const history: MessageInput[] = []
  const breaks: Context['brokenBy'][] = []
  let before: Context | null = null
  let floor = 0
  const look = async () => {
    const asked = { model, memory: chance.pick(['condensed', 'full', undefined] as const) }
    const context = await chat.context(asked)
    const where = `seed ${seed}, #${history.length}`
    expect(context.tokens, where).toBeLessThanOrEqual(context.available)
    expect(
      placesIn(context).filter((seq) => seq < floor),
      where,
    ).toEqual([])
    expect(checkListed(context, history, []), where).toEqual([])
    if (before !== null) expect(checkPrefix(before, context, policy), where).toEqual([])
    const again = await chat.context(asked)
    expect(bytesOf(again), where).toBe(bytesOf(context))
    expect([again.epoch, again.brokenBy], where).toEqual([context.epoch, null])
    breaks.push(context.brokenBy)
    before = again
  }
  for (let turn = 1; turn <= 6; turn += 1) {
    for (const message of turnOf(chance, turn)) {
      await chat.append(message)
      history.push(message)
      if (chance.once(3)) await look()
    }
    if (chance.once(4)) continue
    await remember(rememberedAs(chance, turn))
    floor = history.length
    if (chance.once(3)) await look()
    if (chance.once(6)) await chat.compactNextRequest()
  }
  await look()
  await tl.close()
  return breaks
}

it('a context fits its window, shows nothing twice, and names the cause of a prefix break', async () => {
  const breaks = new Set<Context['brokenBy']>()
  for (let seed = 0; seed < seeds; seed += 1)
    for (const cause of await play(seed)) breaks.add(cause)
  expect([...breaks].map(String).sort()).toEqual(
    expect.arrayContaining(['memory-changed', 'null', 'remembered']),
  )
  expect(breaks).not.toContain('history-changed')
})
