/** Long pastes in the policy `running-rag`: the tree summary represents them, whatever the window. */
import { type Context, type PolicyInput, policies } from 'throughline'
import { describe, expect, it } from 'vitest'
import type { ModelQuestion } from '../../../../harness/fault-server.ts'
import { truthfulSummary } from '../../src/testing/truthful-summary.test-support.ts'
import {
  askedIn,
  blockIn,
  exchange,
  model,
  type SetUp,
  type SetUpOptions,
  setUp,
} from './set-up.ts'

/** Paragraphs of about 49 tokens, each with a unique number. */
function block(paragraphs: number): string {
  return Array.from(
    { length: paragraphs },
    (_, at) =>
      `Shelf ${at} holds lot ${70_000 + at * 13} for the harbour store. It was counted twice by two people, and both have found the same number of crates in it, which were then weighed and put back where they had been before the count began.`,
  ).join('\n\n')
}

const paste = block(210)

/** Names the first and the last lot of a segment. */
function summarizeLots(question: ModelQuestion): string {
  const text = question.messages.map((message) => message.text).join('\n')
  const lots = text.includes('[text segment ·') ? (text.match(/\blot \d+/g) ?? []) : []
  if (lots.length === 0) return truthfulSummary(question)
  return `This part of the list goes from ${lots[0]} to ${lots.at(-1)}. Nothing was missing.`
}

const blocking = { ...policies['running-rag'], name: 'mine', run: { mode: 'blocking' } } as const

type Options = Partial<SetUpOptions> & { readonly policy: PolicyInput; readonly usage?: boolean }

/** Some exchanges, then the paste and two questions about it: a context for each. */
async function pasted({ usage = false, ...options }: Options, exchanges = 3) {
  const up = await setUp({ windowTokens: 8_000, answers: summarizeLots, ...options })
  const reply = async (content: string, { fingerprint, tokens }: Context) =>
    up.chat.append(
      { role: 'assistant', content },
      usage ? { usage: { inputTokens: tokens }, of: fingerprint } : {},
    )
  for (let index = 0; index < exchanges; index += 1) {
    await up.chat.append(exchange(index)[0])
    await reply('Nothing wrong there.', await up.chat.context({ model }))
  }
  await up.tl.settled()
  const contexts: Context[] = []
  for (const content of [paste, 'How many shelves are there?', 'And which lot is the last?']) {
    await up.chat.append({ role: 'user', content })
    const context = await up.chat.context({ model })
    contexts.push(context)
    await reply('I see.', context)
    await up.tl.settled()
  }
  const [own, next, later] = contexts
  if (own === undefined || next === undefined || later === undefined) throw new Error('no context')
  return { ...up, own, next, later }
}

const textOf = ({ messages }: Context) => JSON.stringify(messages)
const showsTree = (context: Context) =>
  /\[digest of #\d+ · data.*goes from lot 70000 to lot/.test(textOf(context))

function segments({ server }: Pick<SetUp, 'server'>) {
  return server.requests.filter((request) => blockIn(request, 'text segment') !== '')
}

describe.each([4_000, 8_000, 32_000])('a paste of 10,000 tokens, window %d', (windowTokens) => {
  it.each([false, true])(
    'S4-031: is its tree summary from the next request on (usage reported: %s)',
    async (usage) => {
      const { own, next, later, tl } = await pasted({
        policy: 'running-rag',
        windowTokens,
        usage,
      })
      const meter = await tl.meter(model)
      expect(meter.text(paste)).toBeGreaterThan(10_000)
      expect(showsTree(own)).toBe(false)
      expect([next, later].map(showsTree)).toEqual([true, true])
      expect([next.decision.reason, later.decision.reason]).toEqual(['digested', 'below'])
      for (const { tokens, available } of [own, next, later])
        expect(tokens).toBeLessThanOrEqual(available)
    },
  )

  it('S4-027 S4-028 S4-029 S4-030 S4-035: is its tree summary in its own request, if the policy waits', async () => {
    const { own, next, tl, server } = await pasted({ policy: blocking, windowTokens })
    expect([own, next].map(showsTree)).toEqual([true, true])
    const meter = await tl.meter(model)
    const asked = segments({ server })
    expect(asked).toHaveLength(4)
    const sent = asked.map((request) => blockIn(request, 'text segment')).join('\n')
    for (let at = 0; at < 210; at += 1) expect(sent).toContain(`lot ${70_000 + at * 13} `)
    for (const request of asked) {
      const { system, content } = askedIn(request)
      expect(meter.text(`${system}\n${content}`)).toBeLessThanOrEqual(4_000)
      expect(system).toMatch(
        /^Summarize the following text segment in 3 sentences, preserving key entities and numbers\./,
      )
    }
    const digest = /\[digest of #6 ·[^\]]*\]\\n(.*?)\\n\[end /.exec(textOf(own))?.[1] ?? ''
    expect(digest).toContain('to lot 72717')
    expect(meter.text(digest)).toBeLessThan(500)
    expect(own.tokens).toBeLessThan(1_000)
    // Older messages have room beside it.
    expect(textOf(own)).toContain('module-0.ts')
  })
})

describe('a long message', () => {
  it('is digested once, and its epoch keeps the cached prefix', async () => {
    const up = await pasted({ policy: 'running-rag', windowTokens: 32_000 })
    expect(segments(up)).toHaveLength(4)
    expect(up.next.brokenBy).toBe('digested')
    expect(up.later.prefixOf).toBe(up.next.fingerprint)
  })

  it('S4-027 X4-1: is shown whole in a window of which it is less than a fifth', async () => {
    const { own, later, server } = await pasted({ policy: blocking, windowTokens: 200_000 })
    for (const context of [own, later]) expect(textOf(context)).toContain('Shelf 150 ')
    expect(server.requests).toEqual([])
  })

  it('is shown whole if it has no more tokens than a chunk', async () => {
    const { chat, server } = await setUp({ policy: blocking, windowTokens: 32_000 })
    await chat.append({ role: 'user', content: block(70) })
    expect(textOf(await chat.context({ model }))).toContain('Shelf 69')
    expect(server.requests).toEqual([])
  })

  it('is shown as far as it fits while models fail', async () => {
    const { own, next, chat } = await pasted({ policy: blocking, faults: () => 'server-error' })
    expect([own, next].map(showsTree)).toEqual([false, false])
    expect(textOf(next)).toContain('Shelf 0 holds lot 70000')
    expect(await Array.fromAsync(chat.messages())).toHaveLength(12)
  })

  it('is shown whole again after an undo', async () => {
    const { chat, tl, later } = await pasted({ policy: 'running-rag', windowTokens: 32_000 })
    expect(textOf(later)).not.toContain('Shelf 150 ')
    await chat.history.undo({ model })
    expect(textOf(await chat.context({ model }))).toContain('Shelf 150 ')
    await tl.settled()
    expect(textOf(await chat.context({ model }))).toContain('Shelf 150 ')
  })
})
