import { describe, expect, it } from 'vitest'
import type { MessageInput } from '../../domain/message.ts'
import type { View } from '../../domain/view.ts'
import { readPolicy } from '../../policies/read-policy.ts'
import { sha256 } from '../../system.ts'
import { type Builder, build } from '../../testing/build.ts'
import { sealMessages } from '../append/append.ts'
import { basisOf } from '../project/basis.ts'
import type { ContextInputs, FixedParts } from '../project/records.ts'
import { arrayLog } from '../read/array-log.ts'
import { meter, words } from './candidates.test-support.ts'
import { loadCandidates } from './load-candidates.ts'

const shared = readPolicy({ name: 'by share', advanced: { trim: { order: 'share' } } })
const ranked = readPolicy({ name: 'by value', advanced: { trim: { order: 'priority' } } })
const newest = readPolicy({ name: 'newest', advanced: { fill: 'recent' } })
const basis = basisOf(meter, [], 'a policy')

/** In a window of which every message may take its share; far more messages than that. */
async function load(
  messages: Iterable<MessageInput>,
  given: Partial<ContextInputs> = {},
  targetTokens = 4_000,
) {
  const log = arrayLog([...messages], [], { sha256, messageBytesMax: 1e9 })
  const spans: unknown[] = []
  const input = {
    ...{ log, meter, basis, policy: shared, view: null, next: null, coveredTo: 0 },
    derived: {
      digests: async (span: unknown) => {
        spans.push(span)
        return [{ seq: 3, text: 'A digest.' }]
      },
    },
    ...given,
  } as unknown as ContextInputs
  const plan = { countedTokens: 8_000, budget: { triggerTokens: 6_000, targetTokens } }
  const loaded = await loadCandidates(input, { plan, pinned: [] } as unknown as FixedParts)
  return { ...loaded, places: loaded.candidates.map(({ message }) => message.seq), spans }
}

function steps(count: number, tool: string, input: object, tokens = 2_000): Builder {
  let conversation = build().user('Do the task')
  for (let step = 0; step < count; step += 1)
    conversation = conversation.calls(tool, input).result(words(tokens))
  return conversation
}

const commands = steps(150, 'bash', { command: 'make' })

describe('loading candidates', () => {
  it('reads fewer messages where each gets a share of the room than where all may be stubs', async () => {
    const byShare = await load(commands)
    const byValue = await load(commands, { policy: ranked })
    expect(byShare.places.at(-1)).toBe(300)
    expect(byShare.places.length).toBeGreaterThanOrEqual(24)
    expect(byShare.places.length).toBeLessThan(byValue.places.length)
  })

  it('expects more of a result that shows a file than of other output', async () => {
    // The calls alone are as large as that of a command, so only the results can differ.
    const files = await load(steps(150, 'read_file', { path: 'm.ts' }))
    const output = await load(steps(150, 'run_file_', { path: 'm.ts' }))
    expect(files.places.length).toBeLessThan(output.places.length)
    // Results so small that each stays whole count the same.
    const small = (tool: string) => load(steps(900, tool, { path: 'm.ts' }, 20))
    expect((await small('read_file')).places).toEqual((await small('run_file_')).places)
  })

  it('reads a whole window where only the newest messages are kept', async () => {
    const talk = Array.from({ length: 200 }, () => build().user(words(200)))
    const { candidates } = await load(
      talk.flatMap((each) => [...each.messages]),
      { policy: newest },
    )
    const tokens = candidates.reduce((sum, { size }) => sum + size.tokens, 0)
    expect(tokens).toBeGreaterThan(8_000)
    expect(candidates.length).toBeLessThan(200)
  })

  it('reads messages that stay whole until they are above the trigger', async () => {
    const talk = Array.from({ length: 400 }, () => build().user(words(40)))
    const messages = talk.flatMap((each) => [...each.messages])
    // Far below the trigger, so that the trigger alone decides.
    const { candidates } = await load(messages, {}, 1_000)
    const sizes = candidates.map(({ size }) => size.tokens)
    const tokens = sizes.reduce((sum, each) => sum + each, 0)
    expect(tokens).toBeGreaterThan(6_000)
    expect(tokens - (sizes[0] ?? 0)).toBeLessThanOrEqual(6_000)
  })

  it('adds the next message, which makes an old task obsolete if it opens a turn', async () => {
    const [next] = sealMessages([{ role: 'user', content: 'And now?' }], sha256)
    const before = await load(commands)
    expect(before.task?.message.seq).toBe(0)
    const message = { ...next, seq: 301 } as ContextInputs['next']
    const after = await load(commands, { next: message })
    expect(after.places).toEqual([...before.places, 301])
    expect(after.candidates.at(-1)?.size).toEqual(message && meter.closeSize(message))
    expect(after.task).toBeNull()
  })

  it('has the digests from the first message that may be shown on', async () => {
    const { digests, spans, places } = await load(commands)
    expect([...(digests ?? [])]).toEqual([[3, 'A digest.']])
    // The task is farther back than the candidates.
    expect([spans, (places[0] ?? 0) > 0]).toEqual([[{ from: 0, to: 301 }], true])
    const covered = await load(commands, { coveredTo: 290 })
    expect(covered.spans).toEqual([{ from: 290, to: 301 }])
  })

  it('reuses the stubs of a view, unless the log was rewritten or the window is another', async () => {
    const stubs = [{ seq: 300, parts: [] }]
    const earlier = async (of: Partial<View>) => {
      const view = { line: 280, keeps: [], stubs, next: null, basis, ...of } as unknown as View
      return (await load(commands, { view })).earlierStubs
    }
    expect(await earlier({})).toEqual(stubs)
    expect(await earlier({ basis: basisOf(meter, [], 'another policy') })).toEqual(stubs)
    expect(await earlier({ basis: basisOf(meter, [], 'a policy', 'another log') })).toEqual([])
    const { card } = meter
    const larger = {
      ...meter,
      card: { ...card, contextWindowTokens: card.contextWindowTokens + 1 },
    }
    expect(await earlier({ basis: basisOf(larger, [], 'a policy') })).toEqual([])
  })
})
