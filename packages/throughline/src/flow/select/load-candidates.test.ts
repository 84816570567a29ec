import { describe, expect, it } from 'vitest'
import { defaults } from '../../defaults-data.ts'
import { noSize } from '../../domain/context.ts'
import type { MessageInput } from '../../domain/message.ts'
import { completeCard } from '../../domain/model-card.ts'
import { sha256 } from '../../system.ts'
import { type Builder, build } from '../../testing/build.ts'
import { createMeter } from '../measure/measure.ts'
import { arrayLog } from '../read/array-log.ts'
import { candidatesOf } from './candidates.test-support.ts'
import { candidatesAfter, type ReadBackInput, readBackCandidates } from './load-candidates.ts'
import { stubTokensOf } from './select-options.ts'

const tokenizer = {
  id: 'fours/1',
  exact: true,
  count: (text: string) => Math.ceil(text.length / 4),
}
const card = completeCard({ id: 'house-model', contextWindowTokens: 100_000 })
const meter = createMeter({ card, tokenizer })
const words = (tokens: number) => 'abc '.repeat(tokens)

async function look(messages: Iterable<MessageInput>, given: Partial<ReadBackInput> = {}) {
  const log = arrayLog([...messages], [], { sha256, messageBytesMax: 1e9 })
  const reads: number[] = []
  const { candidates, task } = await readBackCandidates({
    log: {
      ...log,
      readBack: (before, limit) => {
        reads.push(before)
        return log.readBack(before, limit)
      },
    },
    view: null,
    coveredTo: 0,
    pins: new Map(),
    availableTokens: 1_000,
    triggerTokens: 750,
    targetTokens: 400,
    stubTokens: 24,
    meter,
    ...given,
  })
  return { candidates, task, reads, places: candidates.map(({ message }) => message.seq) }
}

function chat(turns: number, tokens: number): Builder {
  let conversation = build()
  for (let turn = 0; turn < turns; turn += 1)
    conversation = conversation.user(words(tokens)).says(words(tokens))
  return conversation
}

/** One turn of so many steps. */
function task(steps: number, tokens: number): Builder {
  let conversation = build().user('Do the task')
  for (let step = 0; step < steps; step += 1)
    conversation = conversation.calls('read').result(words(tokens))
  return conversation
}

describe('looking back', () => {
  it('finds all of a short conversation, in order and measured', async () => {
    const { candidates, places, task } = await look(chat(3, 10))
    expect(places).toEqual([0, 1, 2, 3, 4, 5])
    expect(candidates[0]?.size).toEqual(candidates[0] && meter.closeSize(candidates[0].message))
    expect(task).toBeNull()
  })

  it('finds nothing in an empty one', async () => {
    expect(await look([])).toMatchObject({ candidates: [], task: null, reads: [] })
  })

  it('stops at messages that the turn memory covers, and does not read them', async () => {
    const { places, reads, task } = await look(chat(3, 10), { coveredTo: 3 })
    expect([places, reads, task]).toEqual([[3, 4, 5], [6], null])
    expect(await look(chat(3, 10), { coveredTo: 6 })).toMatchObject({ places: [], reads: [] })
  })

  it('searches the task only after the covered messages', async () => {
    const conversation = build().user('Told').says('Done.').user('Do it')
    const steps = Array.from({ length: 200 }, () => build().calls('read').result(words(200)))
    const messages = [...conversation.messages, ...steps.flatMap((each) => [...each.messages])]
    const openings = { keeps: [0], line: 2 }
    const found = await look(messages, { coveredTo: 2, view: openings, stubTokens: 1 })
    expect(found.task?.message.seq).toBe(2)
    const none = await look(messages, { coveredTo: 3, view: openings, stubTokens: 1 })
    expect([none.task, (none.places[0] ?? 0) > 3]).toEqual([null, true])
  })

  it('ends where there is four times what fits', async () => {
    const { places } = await look(task(200, 200), { stubTokens: 1 })
    expect(places.at(-1)).toBe(400)
    // A call of 16 tokens and a result of 214 each, until there are 4,000; and the call of the last.
    expect(places).toHaveLength(36)
  })

  it('ends with the message that reaches a limit, to the token', async () => {
    const [question, answer] = (await look(chat(1, 20))).candidates.map(({ size }) => size.tokens)
    const turn = (question ?? 0) + (answer ?? 0)
    const never = { triggerTokens: Number.POSITIVE_INFINITY }
    const window = (tokens: number) => look(chat(9, 20), { ...never, availableTokens: tokens / 4 })
    expect((await window(2 * turn)).places).toHaveLength(4)
    expect((await window(2 * turn + 1)).places).toHaveLength(5)
    // Shortened, a turn has its question and one token.
    const shortened = 2 * ((question ?? 0) + 1)
    const stubs = { triggerTokens: 0, stubTokens: 1 }
    const target = (tokens: number) => look(chat(9, 20), { ...stubs, targetTokens: tokens / 2.5 })
    expect((await target(shortened)).places).toHaveLength(4)
    expect((await target(shortened + 1)).places).toHaveLength(5)
    const trigger = (triggerTokens: number) =>
      look(chat(9, 20), { triggerTokens, targetTokens: 0, stubTokens: 1 })
    expect((await trigger(2 * turn - 1)).places).toHaveLength(4)
    expect((await trigger(2 * turn)).places).toHaveLength(5)
  })

  it('ends where even shortened messages would be more than an epoch begins with', async () => {
    // Users are not shortened for that: 204 and 50 tokens a turn, until there are 1,000.
    const { places } = await look(chat(200, 200), { stubTokens: 50 })
    expect(places).toHaveLength(8)
  })

  it('continues as long as all messages might fit', async () => {
    const all = await look(chat(200, 200), { stubTokens: 50, triggerTokens: 2_000 })
    expect(all.places).toHaveLength(10)
  })

  it('costs no more for a long conversation than for a short one', async () => {
    const short = await look(chat(100, 200))
    const long = await look(chat(1_000, 200))
    expect(long.reads).toHaveLength(short.reads.length)
    expect(long.places).toHaveLength(short.places.length)
  })

  it('reads page after page where messages are small', async () => {
    const { places, reads } = await look(chat(200, 1), { triggerTokens: 5_000 })
    expect(places).toHaveLength(400)
    expect(reads.length).toBeGreaterThan(3)
  })

  it('continues to the call of the results that it has found', async () => {
    const conversation = build().user('a').callsAtOnce('r', 's', 't')
    const results = conversation.result(words(100)).result(words(100)).result(words(100))
    const { places } = await look(results.says('b').user('c'), {
      availableTokens: 60,
      stubTokens: 1,
    })
    expect(places).toEqual([1, 2, 3, 4, 5, 6])
  })

  it('continues to the call of a result that a user message has beside text', async () => {
    const part = { type: 'tool-result', callId: 'c', output: words(100) } as const
    const messages: readonly MessageInput[] = [
      { role: 'user', content: 'a' },
      { role: 'assistant', content: [{ type: 'tool-call', callId: 'c', name: 'run', input: {} }] },
      { role: 'user', content: [part, { type: 'text', text: 'b' }] },
    ]
    const { places } = await look(messages, { availableTokens: 20, stubTokens: 1 })
    expect(places).toEqual([1, 2])
  })

  it('splits a step of more than eight windows', async () => {
    const names = Array.from({ length: 20 }, (_, at) => `run${at}`)
    let conversation = build()
      .user('a')
      .callsAtOnce(...names)
    for (const _ of names) conversation = conversation.result(words(100))
    const { places, task } = await look(conversation, { availableTokens: 10, stubTokens: 10 })
    expect(places).toEqual([13, 14, 15, 16, 17, 18, 19, 20, 21])
    expect(task?.message.seq).toBe(0)
  })

  it('starts with a result where the messages before are covered', async () => {
    expect((await look(task(3, 10), { coveredTo: 2 })).places).toEqual([2, 3, 4, 5, 6])
  })

  it('finds the newest message however little room there is', async () => {
    expect((await look(chat(2, 10), { availableTokens: 0 })).places).toEqual([3])
  })

  it('knows which messages are pinned', async () => {
    const { candidates } = await look(chat(2, 10), { pins: new Map([[1, noSize]]) })
    expect(candidates.map(({ pinSize }) => pinSize)).toEqual([null, noSize, null, null])
  })
})

describe('the task of a turn that begins farther back', () => {
  it('is found', async () => {
    const { task: found, places } = await look(task(300, 200))
    expect(found?.message.seq).toBe(0)
    expect(places[0]).toBeGreaterThan(0)
  })

  it('is not looked for where it is among the newest', async () => {
    const { task: found } = await look(task(3, 10))
    expect(found).toBeNull()
    expect((await look(chat(200, 200))).task).toBeNull()
  })

  it('is taken from its known place, without a search', async () => {
    const conversation = task(1_200, 200)
    const { task: found, reads } = await look(conversation, {
      view: { keeps: [0], line: 2_380 },
    })
    expect(found?.message.seq).toBe(0)
    expect(reads).toHaveLength(1)
  })

  it('is searched if another message is at that place now', async () => {
    const { task: found } = await look(task(300, 200), {
      view: { keeps: [1, 601], line: 590 },
    })
    expect(found?.message.seq).toBe(0)
  })

  it('is not an opening that was kept before another turn began', async () => {
    const conversation = [...task(20, 10), ...task(300, 200)]
    const view = { keeps: [0], line: 30 }
    const { task: found } = await look(conversation, { view })
    expect(found?.message.seq).toBe(41)
  })

  it('is given up after some pages', async () => {
    const { task: found, reads } = await look(task(1_200, 200))
    expect(found).toBeNull()
    // One page of candidates, and 32 before them.
    expect(reads).toHaveLength(33)
    const startsAt = async (steps: number) => (await look(task(steps, 200))).places[0] ?? 0
    const steps = (2_047 - (await startsAt(600)) + 1_200) / 2
    expect(await startsAt(steps)).toBe(2_047)
    expect((await look(task(steps, 200))).task?.message.seq).toBe(0)
    expect((await look(task(steps + 1, 200))).task).toBeNull()
  })

  it('is the newest user message of a page', async () => {
    const { task: found } = await look([...chat(5, 10), ...task(40, 200)])
    expect(found?.message.seq).toBe(10)
  })

  it('says whether it is pinned', async () => {
    const { task: found } = await look(task(300, 200), { pins: new Map([[0, noSize]]) })
    expect(found?.pinSize).toBe(noSize)
  })
})

describe('candidates after a line', () => {
  const given = candidatesOf(build().user('a').says('b').user('c').calls('read').result('d'))
  const after = (line: number) => {
    const { candidates, task } = candidatesAfter(given, line)
    return [candidates.map(({ message }) => message.seq), task?.message.seq ?? null]
  }

  it('have the opening of the current turn, if it is before the line', () => {
    expect([1, 2, 3, 4].map(after)).toEqual([
      [[1, 2, 3, 4], null],
      [[2, 3, 4], null],
      [[3, 4], 2],
      [[4], 2],
    ])
  })

  it('are the same if none is before the line, and keep a task that is farther back', () => {
    expect(candidatesAfter(given, 0)).toEqual({ ...given, from: 0 })
    const far = candidatesOf(build().user('a').says('b').says('c').says('d'), { from: 1, task: 0 })
    expect(candidatesAfter(far, 3)).toMatchObject({ task: { message: { seq: 0 } } })
  })
})

it('limits the tokens of a stub on both sides', () => {
  const least = defaults.stubLeastTokens
  const stubTokens = (tokens: number) => stubTokensOf({ tokens: { tokens }, most: 400 }, 10_000)
  expect([least - 1, least + 1, 399, 401].map(stubTokens)).toEqual([least, least + 1, 399, 400])
})
