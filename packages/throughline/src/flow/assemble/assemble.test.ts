import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type ContextMessage, noSize } from '../../domain/context.ts'
import type { Message, MessageInput, Part } from '../../domain/message.ts'
import { completeCard } from '../../domain/model-card.ts'
import { readPolicy } from '../../policies/read-policy.ts'
import { sha256 } from '../../system.ts'
import { build } from '../../testing/build.ts'
import { createMeter } from '../measure/measure.ts'
import type { RenderedRequest } from '../project/records.ts'
import { renderRequest } from '../project/render-view.ts'
import { arrayLog } from '../read/array-log.ts'
import { stubMessage } from '../stub/stub.ts'
import type { AssembleInput } from './assemble.ts'
import { fillProfile, fillRetrieved } from './supplied-slots.ts'

const count = (text: string) => Math.ceil(text.length / 4)
const tokenizer = { id: 'fours/1', exact: true, count }
const card = completeCard({ id: 'house-model', contextWindowTokens: 100_000 })
const meter = createMeter({ card, tokenizer })
const balanced = readPolicy('balanced')
const nothing = { messages: [], omitted: [] }
const system = [{ type: 'text', text: 'Be brief.', metadata: null }] as const

interface Given extends Partial<Omit<AssembleInput, 'view' | 'pinned'>> {
  readonly line?: number
  readonly keeps?: readonly number[]
  readonly stubbed?: readonly number[]
  readonly pins?: readonly number[]
}

async function assembled(
  inputs: Iterable<MessageInput>,
  given: Given = {},
): Promise<RenderedRequest> {
  const { line = 0, keeps = [], stubbed = [], pins = [], ...rest } = given
  const log = arrayLog([...inputs], [], { sha256, messageBytesMax: 1e9 })
  const all = await log.read({ from: 0, to: log.head }, [])
  const of = (seqs: readonly number[]) => all.filter(({ seq }) => seqs.includes(seq))
  const shorten = (message: Message) =>
    stubMessage(message, { keepTokens: 20, keepReasoning: false }, meter)
  return renderRequest({
    sha256,
    view: { line, keeps, stubs: of(stubbed).map(shorten), history: null },
    messages: all.filter(
      ({ seq }) => (seq >= line || keeps.includes(seq)) && !stubbed.includes(seq),
    ),
    pinned: of(pins),
    inserts: [],
    profile: nothing,
    retrieved: nothing,
    extension: { ...nothing, coveredTo: 0 },
    system,
    offered: null,
    policy: balanced,
    tools: noSize,
    meter,
    fits: () => true,
    ...rest,
  })
}

/** `recent user 0: hello`: slot, role, place and words of each message. */
const drawn = ({ rendered }: RenderedRequest) =>
  rendered.map(({ message }) => drawnMessage(message))

function drawnMessage({ slot, role, seq, parts }: ContextMessage): string {
  return `${slot} ${role}${seq === null ? '' : ` ${seq}`}: ${parts.map(drawnPart).join(' + ')}`
}

function drawnPart(part: Part): string {
  if (part.type === 'tool-call') return `→${part.callId}`
  if (part.type === 'tool-result') return `=${part.callId}`
  // For a block, only its label.
  return 'text' in part ? (/^\[?([^·\n]*)/.exec(part.text)?.[1]?.trim() ?? '') : part.type
}

const long = 'The quick brown fox jumps over the lazy dog. '.repeat(50)

describe('a request', () => {
  it('is the conversation, its newest question last', async () => {
    const request = await assembled(build().user('a').says('b').user('c').calls('read').result('x'))
    expect(drawn(request)).toEqual([
      'recent user 0: a',
      'recent assistant 1: b',
      'current user 2: c',
      'current assistant 3: →call-0',
      'current tool 4: =call-0',
    ])
    expect(request).toMatchObject({ system, omitted: [], repairs: [], stable: 5 })
  })

  it('has everything in the order of the policy', async () => {
    const profile = fillProfile('Ada', 100, count)
    const retrieved = fillRetrieved([{ id: 'r', title: null, text: 'found' }], 100, count)
    const conversation = build().user('old').says('b').user('task').says('c').says('d').user('now')
    const given = { line: 4, keeps: [2], pins: [0], profile, retrieved }
    const request = await assembled(conversation, given)
    expect(drawn(request)).toEqual([
      'profile user: profile',
      'pins user: pinned message #0 of the user',
      'earlier user: Messages #0 to #3 are left out, except those shown.]',
      'earlier user 2: task',
      'recent assistant 4: d',
      'retrieved user: found',
      'current user 5: now',
    ])
    expect(request.stable).toBe(5)
  })

  it('begins with what the conversation began with, where that is shown', async () => {
    const conversation = build()
      .user('task')
      .user('more')
      .says('c')
      .user('rule')
      .says('e')
      .user('f')
    const keeps = [0, 1, 3]
    const before = await assembled(conversation)
    const request = await assembled(conversation, { line: 5, keeps })
    expect(drawn(request)).toEqual([
      'earlier user 0: task',
      'earlier user 1: more',
      'earlier user: Messages #0 to #4 are left out, except those shown.]',
      'earlier user 3: rule',
      'current user 5: f',
    ])
    // The cached prefix of the previous request still counts.
    const shown = ({ rendered }: RenderedRequest) => rendered.slice(0, 2).map(({ key }) => key)
    expect(shown(request)).toEqual(shown(before))
  })

  it('starts with the summary if it is a system message or no user message comes first', async () => {
    const asSystem = { name: 'told', advanced: { derivedRole: 'system-message' } } as const
    const conversation = build().user('task').says('b').user('c')
    const first = async (inputs: Iterable<MessageInput>, given: Given) =>
      drawn(await assembled(inputs, given))[0]?.split(':')[0]
    expect(await first(conversation, { line: 2, keeps: [0], policy: readPolicy(asSystem) })).toBe(
      'earlier system',
    )
    const greeted = build().says('hello').user('task').says('b').user('c')
    expect(await first(greeted, { line: 3, keeps: [0, 1] })).toBe('earlier user')
  })

  it('names the omitted messages around the shown ones', async () => {
    const conversation = build().user('a').says('b').user('c').says(long).user('e').says('f')
    const { omitted } = await assembled(conversation, {
      line: 3,
      keeps: [2],
      pins: [0],
      stubbed: [3],
    })
    expect(omitted).toEqual([
      { span: { from: 1, to: 2 }, why: 'left-out', tokens: null },
      { span: { from: 3, to: 4 }, why: 'stubbed', tokens: expect.any(Number) },
    ])
    expect(omitted[1]?.tokens).toBeGreaterThan(400)
  })

  it('names the caller’s texts that are left out', async () => {
    const profile = fillProfile(long, 50, count)
    const { omitted } = await assembled(build().user('a'), { profile })
    expect(omitted).toMatchObject([{ span: null, why: 'over-share' }])
  })

  it('has stubs at the places of their messages', async () => {
    const conversation = build().user('a').calls('read').result(long).says('b').user('c')
    const request = await assembled(conversation, { stubbed: [2] })
    expect(request.rendered.map(({ message }) => message.seq)).toEqual([0, 1, 2, 3, 4])
    expect(JSON.stringify(request.rendered[2]?.message.parts)).toContain('see #2')
    expect(request.repairs).toEqual([])
  })

  it('shows a pin at its place where that is shown', async () => {
    const request = await assembled(build().user('a').says('b').user('c'), { pins: [0, 2] })
    expect(drawn(request)).toHaveLength(3)
  })

  it('shows a pin once where it is kept before the line', async () => {
    const conversation = build().user('task').says('b').says('c')
    const request = await assembled(conversation, { line: 2, keeps: [0], pins: [0] })
    expect(drawn(request).filter((line) => line.includes('task'))).toEqual(['earlier user 0: task'])
    expect(drawn(request).some((line) => line.startsWith('pins'))).toBe(false)
  })

  it('begins and ends with somebody else than the assistant', async () => {
    const request = await assembled(build().says('hello').user('a').says('b'))
    expect(drawn(request)).toEqual([
      'earlier user: the conversation begins]',
      'recent assistant 0: hello',
      'current user 1: a',
      'current assistant 2: b',
      'current user: No new message. Continue.]',
    ])
    expect(request.repairs.map(({ kind }) => kind)).toEqual(['opening-added', 'ending-added'])
    // The ending is gone in the next request.
    expect(request.stable).toBe(4)
  })

  it('adds a user message if there is none, but not to an empty conversation', async () => {
    expect(drawn(await assembled([]))).toEqual([])
    const instructed = await assembled(build().system('Be kind.'))
    expect(drawn(instructed)).toEqual([
      'recent system 0: Be kind.',
      'current user: No new message. Continue.]',
    ])
  })

  it('is the same for the same input, and has the measured size', async () => {
    const conversation = build().user('a').calls('read').user('never mind').says('b').user('c')
    const [one, two] = [await assembled(conversation), await assembled(conversation)]
    expect(one).toEqual(two)
    for (const { message, size } of one.rendered) expect(size).toEqual(meter.size(message))
    expect(new Set(one.rendered.map(({ key }) => key)).size).toBe(one.rendered.length)
  })

  it('begins with the request before it, when a message has come', async () => {
    const before = build().user('a').calls('read').result('x').says('b').user('c')
    const after = before.says('d').user('e')
    const first = await assembled(before)
    const second = await assembled(after)
    const keys = ({ rendered }: RenderedRequest) => rendered.map(({ key }) => key)
    expect(keys(second).slice(0, first.stable)).toEqual(keys(first).slice(0, first.stable))
  })

  it('is valid for any conversation, line and stubs', async () => {
    const step = fc.constantFrom('user', 'says', 'tool', 'open', 'late', 'system')
    const anyConversation = fc.array(step, { maxLength: 14, size: 'max' }).map((steps) => {
      let conversation = build()
      for (const kind of steps) {
        if (kind === 'user') conversation = conversation.user(long)
        if (kind === 'says') conversation = conversation.says('reply')
        if (kind === 'system') conversation = conversation.system('rule')
        if (kind === 'tool') conversation = conversation.calls('read').result(long)
        if (kind === 'open') conversation = conversation.calls('read')
        if (kind === 'late') conversation = conversation.result('late')
      }
      return conversation
    })
    await fc.assert(
      fc.asyncProperty(
        anyConversation,
        fc.nat(12),
        fc.array(fc.nat(12)),
        async (conversation, line, stubbed) => {
          const head = conversation.messages.length
          const given = {
            line: Math.min(line, head),
            stubbed: stubbed.filter((seq) => seq >= line),
          }
          const { rendered } = await assembled(conversation, given)
          if (head > 0) expectValid(rendered.map(({ message }) => message))
        },
      ),
      { numRuns: 60 },
    )
  })
})

describe('text that we made', () => {
  const conversation = build().user('old').calls('read').result('x').says('b').user('now')
  const given = (derivedRole: string) => ({
    line: 3,
    pins: [0, 2],
    policy: readPolicy({ name: derivedRole, advanced: { derivedRole } }),
  })

  it('is the user’s by default', async () => {
    const request = await assembled(conversation, given('user-message'))
    expect(request.rendered.slice(0, 3).map(({ message }) => message.role)).toEqual([
      'user',
      'user',
      'user',
    ])
  })

  it('is the system’s where the policy says so, but never what somebody else supplied', async () => {
    const request = await assembled(conversation, given('system-message'))
    expect(drawn(request).slice(0, 3)).toEqual([
      'pins user: pinned message #0 of the user',
      'pins user: pinned message #2 of the tool',
      'earlier system: Messages #0 to #2 are left out.]',
    ])
  })

  it.each(['system-message', 'merged-into-system'])(
    'never gives a pinned document the authority of the system: %s',
    async (derivedRole) => {
      const excerpt = { resourceId: 'r', title: 'CANARY', text: 'CANARY' }
      const pinned = build()
        .add({ role: 'user', content: [{ type: 'resource-excerpt', ...excerpt }] })
        .add({ role: 'user', content: [{ type: 'opaque', kind: 'x/y', json: '"CANARY"' }] })
        .says('b')
        .user('now')
      const request = await assembled(pinned, { ...given(derivedRole), line: 3, pins: [0, 1] })
      const system = request.rendered.filter(({ message }) => message.role === 'system')
      expect(JSON.stringify([request.system, system])).not.toContain('CANARY')
      expect(JSON.stringify(request.rendered)).toContain('CANARY')
    },
  )

  it('is in the system prompt where the policy says so, and the log’s own rules are not', async () => {
    const ruled = build().user('old').system('rule').says('b').user('now')
    const request = await assembled(ruled, { ...given('merged-into-system'), line: 1, pins: [0] })
    expect(request.system.map(({ text }) => text.slice(0, 10))).toEqual(['Be brief.', '[Message #'])
    expect(drawn(request)).toEqual([
      'pins user: pinned message #0 of the user',
      'recent system 1: rule',
      'recent assistant 2: b',
      'current user 3: now',
    ])
  })

  it('keeps the picture of a pinned message when it is merged into the system prompt', async () => {
    const file = { type: 'file', mediaType: 'image/png', url: 'https://example.org/x.png' } as const
    const shown = build()
      .add({ role: 'user', content: [file] })
      .says('b')
      .user('now')
    const request = await assembled(shown, { ...given('merged-into-system'), line: 1, pins: [0] })
    expect(JSON.stringify(request)).toContain('image/png')
  })
})

/** Calls are answered directly, and neither end is the assistant's. */
function expectValid(messages: readonly ContextMessage[]): void {
  const spoken = messages.filter(({ role }) => role !== 'system')
  expect(spoken.at(0)?.role).toBe('user')
  expect(spoken.at(-1)?.role).not.toBe('assistant')
  const open = new Set<string>()
  let before = 'user'
  for (const { role, parts } of messages) {
    if (role !== 'tool' && !(role === 'assistant' && before === 'assistant'))
      expect([...open]).toEqual([])
    for (const part of parts) {
      if (part.type === 'tool-call') open.add(part.callId)
      if (part.type === 'tool-result') expect(open.delete(part.callId)).toBe(true)
    }
    before = role
  }
  expect([...open]).toEqual([])
}
