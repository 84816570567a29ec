import {
  fit,
  type Job,
  type LanguageModel,
  type PolicyInput,
  policies,
  type Queue,
  type Store,
} from 'throughline'
import { memory } from 'throughline/stores/memory'
import { describe, expect, it } from 'vitest'
import { loadRequests } from '../../packages/throughline/src/derived/rows.ts'
import { recordRequest } from '../../packages/throughline/src/derived/state.ts'
import { tenantOf } from '../../packages/throughline/src/testing/store-cases/case.test-support.ts'
import { bytesOf } from '../prop/check-budget.ts'
import { checkPrefix } from '../prop/check-prefix.ts'
import { placesIn, rememberingChat, talkedFor, textIn } from './remembering.test-support.ts'

const model = 'house'
const words = (tokens: number) => 'abc '.repeat(tokens).trim()

describe('an epoch', () => {
  it('starts with each remembered turn, with that cause', async () => {
    const { chat, talk, remember } = rememberingChat()
    const seen: unknown[] = []
    for (let turn = 1; turn <= 3; turn += 1) {
      await talk(turn)
      await remember()
      await chat.append({ role: 'user', content: 'More?' })
      const { epoch, brokenBy, decision } = await chat.context({ model })
      seen.push([epoch, brokenBy, decision.reason])
    }
    expect(seen).toEqual([
      [1, null, 'first'],
      [2, 'remembered', 'remembered'],
      [3, 'remembered', 'remembered'],
    ])
    expect((await chat.status()).totals.breaks).toEqual({ remembered: 2 })
  })

  it('continues within a turn: each request keeps the cached prefix', async () => {
    const { chat } = await talkedFor(3)
    let before = await chat.context({ model })
    for (let step = 0; step < 6; step += 1) {
      const callId = `call-${step}`
      await chat.append([
        { role: 'assistant', content: [{ type: 'tool-call', callId, name: 'read', input: {} }] },
        { role: 'tool', content: [{ type: 'tool-result', callId, output: words(40) }] },
      ])
      const now = await chat.context({ model })
      expect(checkPrefix(before, now, 'turn-memory')).toEqual([])
      expect([now.prefixOf, now.epoch]).toEqual([before.fingerprint, before.epoch])
      expect(bytesOf(await chat.context({ model }))).toBe(bytesOf(now))
      before = now
    }
  })

  it('stays when the memory changes, and the break has a cause', async () => {
    const { chat, remember } = await talkedFor(3)
    const { epoch } = await chat.context({ model })
    const condensed = await chat.context({ model, memory: 'condensed' })
    expect([condensed.epoch, condensed.brokenBy]).toEqual([epoch, 'memory-changed'])
    expect((await chat.context({ model, memory: 'condensed' })).brokenBy).toBeNull()
    // A turn without messages of its own.
    await remember({ record: { messages: { from: 6, to: 6 } } })
    const more = await chat.context({ model, memory: 'condensed' })
    expect([more.epoch, more.brokenBy]).toEqual([epoch, 'memory-changed'])
  })

  it('reads request records without a memory', async () => {
    const store = memory()
    const { chat } = await talkedFor(4, { store })
    const first = await chat.context({ model })
    const tenant = tenantOf(store)
    const [last] = (await loadRequests(tenant, { id: chat.id, limit: 1 })) ?? []
    if (last === undefined) throw new Error('not recorded')
    const { memory: named, ...prefix } = last.prefix
    expect(named).toEqual(expect.any(String))
    await recordRequest(tenant, { id: chat.id, request: { ...last, prefix } })
    const again = await chat.context({ model })
    expect([again.brokenBy, again.prefixOf]).toEqual([null, first.fingerprint])
    await recordRequest(tenant, { id: chat.id, request: { ...last, prefix } })
    expect((await chat.context({ model, memory: 'condensed' })).brokenBy).toBe('memory-changed')
  })

  it('records no memory if there is none', async () => {
    const store = memory()
    const { chat, talk } = rememberingChat({ store, policy: 'balanced' })
    await talk(1)
    await chat.context({ model })
    const [last] = (await loadRequests(tenantOf(store), { id: chat.id, limit: 1 })) ?? []
    expect(Object.keys(last?.prefix ?? {})).not.toContain('memory')
  })

  it('is not restarted by a compaction if all remaining messages are shown', async () => {
    const { chat } = await talkedFor(3)
    const { epoch } = await chat.context({ model })
    await chat.compactNextRequest()
    const compacted = await chat.context({ model })
    expect([compacted.epoch, compacted.brokenBy, compacted.decision.reason]).toEqual([
      ...[epoch, null, 'manual'],
    ])
  })

  it('has nothing to undo while nothing was compacted', async () => {
    const { chat, talk, remember } = rememberingChat()
    await talk(1)
    await chat.context({ model })
    await remember()
    await chat.context({ model })
    expect(await chat.history.undo()).toEqual({
      ok: false,
      failure: { kind: 'fewer', compactions: 0 },
    })
  })

  it('is not refilled with messages of remembered turns', async () => {
    const { chat } = await talkedFor(3, { window: 4_000 })
    await chat.append({ role: 'assistant', content: 'Hm.' })
    await chat.context({ model, system: words(1_500) })
    const { decision } = await chat.context({ model })
    expect(decision).toMatchObject({ kind: 'continue', reason: 'below' })
  })
})

describe('a turn that is too long for the window', () => {
  const steps = async (count: number, options = {}) => {
    const remembering = await talkedFor(3, { window: 4_000, ...options })
    for (let step = 0; step < count; step += 1) {
      const callId = `call-${step}`
      await remembering.chat.append([
        { role: 'assistant', content: [{ type: 'tool-call', callId, name: 'read', input: {} }] },
        { role: 'tool', content: [{ type: 'tool-result', callId, output: words(300) }] },
      ])
    }
    return remembering
  }

  it('is shortened next to the memory, and the note covers only this turn', async () => {
    const { chat } = await steps(60)
    const context = await chat.context({ model })
    expect(context.tokens).toBeLessThanOrEqual(context.available)
    const [left] = context.omitted
    expect(left).toMatchObject({ span: { from: 0, to: 6 }, why: 'left-out' })
    expect(textIn(context, 'turns')).toContain('Question 3?')
    expect(placesIn(context)[0]).toBe(6)
    expect(context.messages.find(({ seq }) => seq === 6)?.slot).toBe('earlier')
    expect(textIn(context, 'earlier')).toMatch(
      /Messages #6 to #\d+ are left out, except those shown/,
    )
    const { line } = (await chat.receipts())[0] ?? {}
    expect(line).toBeGreaterThan(6)
    expect(await chat.context({ model })).toMatchObject({ epoch: context.epoch, brokenBy: null })
  })
})

describe('next to a turn memory', () => {
  const slots = policies['turn-memory'].advanced.slots.map((slot) =>
    slot.kind === 'summary' || slot.kind === 'ledger'
      ? { kind: slot.kind, share: { ratio: 0.1 } }
      : slot,
  )
  const both = { ...policies['turn-memory'], name: 'both', advanced: { slots } }

  it('there is no history block while all other messages are shown', async () => {
    const { chat, talk } = await talkedFor(6, { policy: both })
    await talk(7)
    const { sections } = await chat.context({ model })
    expect(sections.map(({ kind }) => kind)).toEqual(['history', 'turns', 'recent', 'current'])
  })

  it('the line stays if only the newest messages are kept and there are none', async () => {
    const { chat, talk, remember } = rememberingChat({
      policy: { ...both, advanced: { slots, fill: 'recent' } },
    })
    await talk(1)
    await remember()
    const { epoch } = await chat.context({ model })
    await chat.compactNextRequest()
    const context = await chat.context({ model })
    expect(context.omitted).toEqual([{ span: { from: 0, to: 2 }, why: 'left-out', tokens: null }])
    expect([context.epoch, placesIn(context)]).toEqual([epoch, []])
  })

  /** A model that refuses and counts its calls, and a queue that only records its jobs. */
  function watched() {
    const seen: { asked: number; jobs: Job[]; run: ((job: Job) => Promise<void>) | null } = {
      ...{ asked: 0, jobs: [], run: null },
    }
    const summarizer: LanguageModel = {
      id: 'writer',
      card: { id: 'writer', contextWindowTokens: 32_000 },
      generate: async () => {
        seen.asked += 1
        const none = { status: null, retryAfterMs: null, message: 'no' }
        return { kind: 'failed', failure: { cause: 'refused', ...none } }
      },
    }
    const queue: Queue = {
      start: (run) => {
        seen.run = (job) => run(job, new AbortController().signal)
      },
      add: (job) => void seen.jobs.push(job),
      settled: async () => {},
      close: async () => {},
    }
    return { seen, summarizer, queue }
  }

  /** Some turns, and one that must be shortened without omitting a message. */
  async function shortened(policy: PolicyInput, isRemembered: boolean, window = 3_000) {
    const { seen, summarizer, queue } = watched()
    const remembering = rememberingChat({ policy, summarizer, queue, window })
    const { chat, talk, remember } = remembering
    for (let turn = 1; turn <= 12; turn += 1) {
      await talk(turn)
      if (isRemembered) await remember()
    }
    await chat.append([
      { role: 'user', content: 'Look.' },
      {
        role: 'assistant',
        content: [{ type: 'tool-call', callId: 'a', name: 'read', input: {} }],
      },
      { role: 'tool', content: [{ type: 'tool-result', callId: 'a', output: words(6_000) }] },
    ])
    const context = await chat.context({ model })
    return { seen, context, chat }
  }

  it('no model summarizes remembered turns', async () => {
    const blocking = { ...both, run: { mode: 'blocking' } } as const
    const { seen, context } = await shortened(blocking, true)
    expect(context.omitted.map(({ why }) => why)).toEqual(['left-out', 'stubbed'])
    expect(seen.asked).toBe(0)
    const { seen: other } = await shortened(
      { ...blocking, keepRecent: { messages: 2 } },
      false,
      1_200,
    )
    expect(other.asked).toBeGreaterThan(0)
  })

  it('no job is queued for remembered turns, and a queued job asks no model', async () => {
    const { seen, chat } = await shortened(both, true)
    expect(seen.jobs.filter(({ kind }) => kind === 'summarize')).toEqual([])
    const of = { tenant: 'default', conversation: chat.id, model }
    await seen.run?.({ kind: 'summarize', ...of, system: [], tools: [], replyTokens: null })
    expect(seen.asked).toBe(0)
  })

  it('slots after the messages break no prefix', async () => {
    const steps = policies.balanced.advanced.slots.flatMap((slot) =>
      slot.kind === 'recent' ? [slot, { kind: 'steps' } as const] : [slot],
    )
    const policy = { name: 'steps last', advanced: { slots: steps } }
    const { chat } = await talkedFor(2, { policy }, () => ({ steps: [{}] }))
    const first = await chat.context({ model, profile: 'Ada' })
    expect(textIn(first, 'steps')).toContain('row of 2.0')
    const condensed = await chat.context({ model, profile: 'Ada', memory: 'condensed' })
    expect([textIn(condensed, 'steps'), condensed.brokenBy]).toEqual(['', null])
    expect((await chat.context({ model, profile: 'Eve' })).brokenBy).toBe('profile-changed')
  })
})

describe('turns that are remembered while a context is built', () => {
  it('are in the context, and messages after the loaded log are not listed', async () => {
    const inner = memory()
    let meanwhile: (() => Promise<void>) | null = null
    const store: Store = {
      close: () => inner.close(),
      tenant: (id) => {
        const tenant = inner.tenant(id)
        return {
          ...tenant,
          load: async (query) => {
            const [asked] = query.rows ?? []
            if (asked?.kind !== 'turn') return tenant.load(query)
            const hook = asked.limit === 3 ? meanwhile : null
            meanwhile = null
            await hook?.()
            return tenant.load(query)
          },
        }
      },
    }
    const { chat, talk, remember } = await talkedFor(1, { store })
    await chat.context({ model })
    const rememberMore = async () => {
      await talk(2)
      await remember()
    }
    meanwhile = rememberMore
    const { context: previewed } = await chat.preview({ model })
    expect(previewed.omitted).toEqual([{ span: { from: 0, to: 3 }, why: 'left-out', tokens: null }])
    meanwhile = rememberMore
    const context = await chat.context({ model })
    expect(placesIn(context)).toEqual([])
    expect(context.omitted).toEqual([{ span: { from: 0, to: 7 }, why: 'left-out', tokens: null }])
    expect(context.brokenBy).toBe('remembered')
  })
})

describe('a window that is too small', () => {
  it('A-015: gives the memory half of the free room, and drops it last', async () => {
    const seen: string[] = []
    // Together the texts need more than the window has.
    const slots = policies['turn-memory'].advanced.slots.map((slot) =>
      slot.kind === 'retrieved' ? { kind: slot.kind, share: { ratio: 0.6 } } : slot,
    )
    const policy = { ...policies['turn-memory'], name: 'greedy', advanced: { slots } }
    const sizes = Array.from({ length: 19 }, (_, index) => Math.floor(6_000 * 0.8 ** index))
    for (const window of sizes) {
      const { chat } = await talkedFor(4, { window, policy }, (turn) => ({
        record: { user: words(200 * turn) },
        steps: [{ result: words(400) }],
      }))
      const asked = { model, profile: words(200), retrieved: words(2_000) }
      const context = await chat.context(asked)
      const { tokens, available, sections, omitted } = context
      expect(tokens).toBeLessThanOrEqual(available)
      const memorySections = sections.filter(({ kind }) =>
        ['history', 'turns', 'steps'].includes(kind),
      )
      const memoryTokens = memorySections.reduce((sum, section) => sum + section.tokens, 0)
      expect(memoryTokens).toBeLessThanOrEqual(available / 2)
      expect(placesIn(context).every((seq) => seq >= 8)).toBe(true)
      expect(omitted).toContainEqual(expect.objectContaining({ span: null, why: 'over-share' }))
      expect(bytesOf(await chat.context(asked))).toBe(bytesOf(context))
      const kinds: readonly string[] = sections.map(({ kind }) => kind)
      seen.push(['turns', 'profile', 'retrieved'].filter((kind) => kinds.includes(kind)).join())
    }
    // Where the memory finds no room at all, a short profile may still fit.
    expect([...new Set(seen)].slice(0, 2)).toEqual(['turns,profile,retrieved', 'turns'])
  })
})

describe('fit', () => {
  it('stores nothing, so it has no turn memory', async () => {
    const messages = [{ role: 'user', content: 'Hello' }] as const
    const refused = { code: 'CONFIG_INVALID' }
    await expect(fit({ messages, model, memory: 'full' } as never)).rejects.toMatchObject(refused)
    await expect(fit({ messages, model, policy: 'turn-memory' })).rejects.toMatchObject({
      ...refused,
      message: expect.stringContaining('createThroughline') as string,
    })
    await expect(fit({ messages, model: 'openai/gpt-5-mini' })).resolves.toMatchObject({ epoch: 1 })
  })
})
