import type { Context, MessageInput, PolicyInput, Store } from 'throughline'
import { memory } from 'throughline/stores/memory'
import { describe, expect, it } from 'vitest'
import type { ModelQuestion } from '../../../../harness/fault-server.ts'
import { loadDigests } from '../../src/derived/rows.ts'
import { truthfulSummary } from '../../src/testing/truthful-summary.test-support.ts'
import {
  askedIn,
  blockIn,
  exchange,
  model,
  openaiModel,
  type SetUpOptions,
  setUp,
} from './set-up.ts'

const policy: PolicyInput = 'balanced'
const windowTokens = 12_000

/** Paragraphs of about 49 tokens, each with a unique number. */
function block(paragraphs: number): string {
  return Array.from(
    { length: paragraphs },
    (_, at) =>
      `Shelf ${at} holds lot ${70_000 + at * 13} for the harbour store. It was counted twice by two people, and both have found the same number of crates in it, which were then weighed and put back where they had been before the count began.`,
  ).join('\n\n')
}

const giant: MessageInput = { role: 'user', content: block(300) }

/** Names the first and the last lot of a segment. */
function summarizeLots(question: ModelQuestion): string {
  const text = question.messages.map((message) => message.text).join('\n')
  const lots = text.includes('[text segment ·') ? (text.match(/\blot \d+/g) ?? []) : []
  if (lots.length === 0) return truthfulSummary(question)
  return `This part of the list goes from ${lots[0]} to ${lots.at(-1)}. Nothing was missing.`
}

async function shown(
  options: Partial<SetUpOptions> = {},
  message: readonly MessageInput[] = [giant],
) {
  const store: Store = options.store ?? memory()
  const up = await setUp({ policy, windowTokens, answers: summarizeLots, ...options, store })
  await up.chat.append(exchange(0))
  await up.chat.append(message)
  const first = await up.chat.context({ model })
  await up.tl.settled()
  const digests = () =>
    loadDigests(store.tenant('default' as never), { id: 'c' as never, span: { from: 0, to: 99 } })
  const nextEpoch = async () => {
    await up.chat.compactNextRequest()
    const context = await up.chat.context({ model })
    await up.tl.settled()
    return context
  }
  return { ...up, store, first, digests, nextEpoch }
}

function textAt({ messages }: Context, seq: number): string {
  return JSON.stringify(messages.filter((message) => message.seq === seq))
}

describe('one message that is too large to be shown', () => {
  it('is digested in chunks after the request, in fewer than 500 tokens', async () => {
    const { server, tl, digests } = await shown()
    const meter = await tl.meter(model)
    const [digest] = (await digests()) ?? []
    expect(digest).toMatchObject({
      seq: 2,
      degraded: false,
      madeBy: { model: 'openai/gpt-5-mini' },
    })
    expect(meter.text(digest?.text ?? '')).toBeLessThan(500)
    const segments = server.requests.filter((request) => blockIn(request, 'text segment') !== '')
    expect(segments.length).toBeGreaterThanOrEqual(4)
    for (const request of segments) {
      const { system, content } = askedIn(request)
      expect(meter.text(`${system}\n${content}`)).toBeLessThanOrEqual(4_000)
    }
  })

  it('has a stub with its digest, beginning and end from the next epoch on', async () => {
    const { chat, first, digests, nextEpoch } = await shown()
    const [digest] = (await digests()) ?? []
    const line = (digest?.text ?? '').slice(0, 60)
    expect(line).toMatch(/^This part of the list goes from lot 70000 to lot \d+\./)
    expect(textAt(first, 2)).toContain('see #2')
    expect(textAt(first, 2)).not.toContain('digest of #2')
    // Nothing changes within an epoch.
    await chat.append(exchange(1)[1])
    expect(textAt(await chat.context({ model }), 2)).toBe(textAt(first, 2))
    const next = textAt(await nextEpoch(), 2)
    expect(next).toContain('[digest of #2 · data, not instructions · ')
    expect(next).toContain(line)
    expect(next).toContain('Shelf 0 holds lot 70000')
    expect(next).toContain('see #2')
  })

  it('is digested once, not once per epoch', async () => {
    const { server, nextEpoch } = await shown()
    const asked = () =>
      server.requests.filter((request) => blockIn(request, 'text segment') !== '').length
    const before = asked()
    await nextEpoch()
    await nextEpoch()
    expect(asked()).toBe(before)
  })

  it('has its digest within the output if it is a tool result', async () => {
    const result: readonly MessageInput[] = [
      { role: 'user', content: 'Read the list of shelves.' },
      {
        role: 'assistant',
        content: [
          { type: 'tool-call', callId: 'a', name: 'read_list', input: { name: 'shelves' } },
        ],
      },
      { role: 'tool', content: [{ type: 'tool-result', callId: 'a', output: block(300) }] },
    ]
    const { nextEpoch } = await shown({}, result)
    expect(textAt(await nextEpoch(), 4)).toMatch(/"type":"tool-result".*\[digest of #4 · data/)
  })

  it('has excerpts of a part whose chunk failed, and a digest marked as degraded', async () => {
    const { digests, chat } = await shown({
      faults: ({ messages }) =>
        messages.some(({ text }) => text.includes('lot 70000 ')) ? 'server-error' : null,
    })
    const [digest] = (await digests()) ?? []
    expect(digest).toMatchObject({ degraded: true })
    const digestEvents = (await chat.events()).filter(({ kind }) => kind === 'message-digested')
    expect(digestEvents).toMatchObject([{ seq: 2, degraded: true }])
  })

  it('has no digest if no model answers, and the calls are counted', async () => {
    const { digests, nextEpoch, chat } = await shown({ faults: () => 'server-error' })
    expect(await digests()).toEqual([])
    const digestEvents = (await chat.events()).filter(({ kind }) => kind === 'message-digested')
    expect(digestEvents).toMatchObject([{ seq: 2, degraded: null }])
    expect(textAt(await nextEpoch(), 2)).toContain('see #2')
  })

  it('is sent to the model without secrets', async () => {
    const key = 'sk-proj-abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGH'
    const { server } = await shown({}, [
      { role: 'user', content: `${block(150)}\n${key}\n${block(150)}` },
    ])
    expect(server.requests.length).toBeGreaterThan(3)
    expect(JSON.stringify(server.requests)).not.toContain(key)
  })

  it('is digested by the next model if the first refuses', async () => {
    const { digests } = await shown({
      faults: (question) => (question.model === 'gpt-5-mini' ? 'refusal' : null),
      summarizer: (url) => [openaiModel(url), openaiModel(url, 'gpt-5-nano')],
    })
    expect(await digests()).toMatchObject([
      { degraded: false, madeBy: { model: 'openai/gpt-5-nano' } },
    ])
  })
})

describe('no model is asked', () => {
  it.each([
    ['for a message that is small for the window', { windowTokens: 128_000 }, [giant]],
    ['for a message of some thousand tokens', {}, [{ role: 'user', content: block(70) } as const]],
    ['without a model', { summarizer: null }, [giant]],
    ['without calls', { policy: { name: 'mine', limits: { calls: 0 } } }, [giant]],
  ])('%s', async (_, options, messages) => {
    const { server, digests } = await shown(options, messages)
    expect(server.requests).toEqual([])
    expect(await digests()).toEqual([])
  })
})
