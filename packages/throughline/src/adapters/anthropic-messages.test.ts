import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { deliverable } from '../ai-sdk/read-prompt.ts'
import type { OpaquePart, ToolOutput } from '../domain/message.ts'
import { sha256 } from '../system.ts'
import { anthropicRequest } from './anthropic/arbitrary.test-support.ts'
import type { AnthropicMessagesRequestInput } from './anthropic/request.ts'
import {
  anyContext,
  call,
  context,
  openaiShaped,
  result,
  said,
  sdkShaped,
  text,
} from './foreign.test-support.ts'
import { anthropicMessages } from './http-adapters.ts'
import { anyPart, readOrRefused } from './reading.test-support.ts'

const { read, write, problems } = anthropicMessages
const again = (request: AnthropicMessagesRequestInput) => write(deliverable(read(request), sha256))
const blocksOf = (request: AnthropicMessagesRequestInput, index: number) =>
  request.messages[index]?.content as readonly Record<string, unknown>[]
const mark = { type: 'ephemeral' }
const opaque = (block: {
  readonly type: string
  readonly [field: string]: unknown
}): OpaquePart => ({
  type: 'opaque',
  kind: `anthropic/${block.type}`,
  json: JSON.stringify(block),
  metadata: null,
})

describe('reading and writing back', () => {
  it('gives back every request that the service takes', () => {
    fc.assert(
      fc.property(anthropicRequest, (request) => {
        expect(problems(request)).toEqual([])
        expect(again(request)).toEqual(request)
      }),
      { numRuns: 500 },
    )
  })

  it('gives back a turn with thinking, a server tool and parallel calls', () => {
    const request = {
      system: [
        { type: 'text', text: 'Be brief.', cache_control: { type: 'ephemeral', ttl: '1h' } },
      ],
      messages: [
        { role: 'user', content: 'Weather here and in Rome?' },
        {
          role: 'assistant',
          content: [
            { type: 'thinking', thinking: 'Two places.', signature: 'EqQBCkYIBxgC' },
            { type: 'text', text: 'Looking.', citations: [{ type: 'char_location', start: 0 }] },
            { type: 'tool_use', id: 'toolu_1', name: 'weather', input: { place: 'here' } },
            { type: 'tool_use', id: 'toolu_2', name: 'weather', input: { place: 'Rome' } },
          ],
        },
        {
          role: 'user',
          content: [
            {
              type: 'tool_result',
              tool_use_id: 'toolu_2',
              content: [{ type: 'text', text: '31' }],
            },
            { type: 'tool_result', tool_use_id: 'toolu_1', content: 'unknown', is_error: true },
            { type: 'text', text: 'Fahrenheit please', cache_control: mark },
          ],
        },
      ],
    }
    expect(problems(request)).toEqual([])
    expect(again(request)).toEqual(request)
    expect(read(request).messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'user'])
  })

  it('tells one text from a list of one text, and writes what is new as text', () => {
    const listed = [{ type: 'text', text: 'b' }]
    const request = {
      messages: [
        { role: 'user', content: 'a' },
        { role: 'assistant', content: listed },
        { role: 'user', content: 'c' },
      ],
    }
    expect(again(request)).toEqual(request)
    expect(write(context([said('user', 'a')])).messages).toEqual([request.messages[0]])
    const marked = write({ ...deliverable(read(request), sha256), breakpoints: [0] })
    expect(blocksOf(marked, 0)).toEqual([{ type: 'text', text: 'a', cache_control: mark }])
    expect(marked.messages.slice(1)).toEqual(request.messages.slice(1))
  })

  it('reads a message of results alone as the tool’s', () => {
    const content = [{ type: 'tool_result', tool_use_id: 'toolu_1' }]
    expect(read({ messages: [{ role: 'user', content }] }).messages).toMatchObject([
      { role: 'tool', content: [{ type: 'tool-result', callId: 'toolu_1' }] },
    ])
  })

  it('reads whatever it is given, or refuses it with a code', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (messages, system) => {
        const request = { messages, system } as never
        const written = readOrRefused(() => again(request))
        if (written !== null) expect(problems(written)).toEqual([])
      }),
    )
  })

  it('reads blocks of kinds that it does not know, whatever they hold', () => {
    fc.assert(
      fc.property(fc.array(anyPart), (blocks) => {
        const content = blocks.map((block) => ({ ...block, type: 'hologram' }))
        const { messages } = read({ messages: [{ role: 'user', content }] })
        expect(messages[0]?.content).toHaveLength(blocks.length)
        expect(problems(again({ messages: [{ role: 'user', content }] }))).toEqual([])
      }),
    )
  })
})

describe('writing what comes from elsewhere', () => {
  it('writes any context as a request that the service takes, and changes nothing of it', () => {
    fc.assert(
      fc.property(anyContext, (given) => {
        const before = structuredClone(given)
        const request = write(given)
        expect(problems(request)).toEqual([])
        expect(given).toEqual(before)
        expect(JSON.stringify(write(given))).toBe(JSON.stringify(request))
      }),
      { numRuns: 500 },
    )
  })

  it('writes a history of one-by-one tool messages', () => {
    const request = write(openaiShaped)
    expect(request.system).toEqual([{ type: 'text', text: 'Answer in one line.' }])
    expect(request.messages.map(({ role }) => role)).toEqual([
      'user',
      'assistant',
      'user',
      'assistant',
      'user',
    ])
    expect(blocksOf(request, 0).map(({ type }) => type)).toEqual(['text', 'image', 'text'])
    expect(blocksOf(request, 0)[0]).toEqual({ type: 'text', text: 'Ada: What is in these?' })
    expect(blocksOf(request, 1).map(({ type }) => type)).toEqual(['text', 'tool_use', 'tool_use'])
    expect(blocksOf(request, 1)[2]).toMatchObject({ input: { input: 'not json' } })
    expect(blocksOf(request, 2)).toMatchObject([
      { tool_use_id: blocksOf(request, 1)[1]?.['id'], content: 'an article' },
      { tool_use_id: blocksOf(request, 1)[2]?.['id'], content: 'failed', is_error: true },
      { text: expect.stringContaining('[note of the application') },
    ])
    expect(blocksOf(request, 3)).toMatchObject([{ input: { input: [1] } }])
    expect(request.tools).toMatchObject([
      { name: 'lookup' },
      { name: 'now', input_schema: { type: 'object' } },
    ])
  })

  it('writes a history with several results in one message, and merges what leaving out joins', () => {
    const request = write(sdkShaped)
    expect(request.messages.map(({ role }) => role)).toEqual([
      'user',
      'assistant',
      'user',
      'assistant',
      'user',
    ])
    expect(blocksOf(request, 2)[0]).toMatchObject({ content: [{ type: 'image' }] })
    expect(request.messages[3]?.content).toBe('Done.\ufffd')
  })

  it('leaves out what another provider sealed, and keeps its own to the letter', () => {
    const seal = { type: 'reasoning', text: 'x', signature: 'S', metadata: null } as const
    const own = { ...seal, metadata: { anthropic: {} } }
    const request = write(
      context([said('user', 'a'), said('assistant', seal, own, 'b'), said('user', 'c')]),
    )
    expect(blocksOf(request, 1)).toEqual([
      { type: 'thinking', thinking: 'x', signature: 'S' },
      { type: 'text', text: 'b' },
    ])
  })

  it('writes one of several tools that share a name', () => {
    const tools = [{ name: 'a b' }, { name: 'a b', description: 'again' }, { name: 'c' }]
    expect(write(context([said('user', 'a')], { tools })).tools).toHaveLength(2)
  })

  it('says nothing where nothing is left', () => {
    const nothing = [{ role: 'user', content: '…' }]
    expect(write(context([])).messages).toEqual(nothing)
    expect(write(context([said('user', ' '), said('assistant', '')])).messages).toEqual(nothing)
  })

  it('drops an assistant message without words, and merges its neighbours', () => {
    const request = write(context([said('user', 'a'), said('assistant', ' \n'), said('user', 'b')]))
    expect(request.messages).toEqual([
      {
        role: 'user',
        content: [
          { type: 'text', text: 'a' },
          { type: 'text', text: 'b' },
        ],
      },
    ])
  })

  it('keeps what a result says beside a block that cannot stand in one', () => {
    const output = {
      kind: 'parts',
      parts: [opaque({ type: 'redacted_thinking', data: 'x' }), { ...text('found') }],
    } as ToolOutput
    const request = write(
      context([
        said('user', 'a'),
        said('assistant', call('1', 'f')),
        said('tool', result('1', output)),
      ]),
    )
    expect(blocksOf(request, 2)).toMatchObject([{ content: [{ type: 'text', text: 'found' }] }])
  })

  it('answers a call in the next message that another provider answered in its own', () => {
    const request = write(
      context([
        said('user', 'a'),
        said(
          'assistant',
          call('1', 'f'),
          call('2', 'f'),
          result('1', 'one'),
          'said',
          result('2', 'two', true),
        ),
        said('user', 'b'),
      ]),
    )
    expect(request.messages.map(({ role }) => role).join(' ')).toBe(
      'user assistant user assistant user',
    )
    expect(blocksOf(request, 1)).toMatchObject([{ type: 'tool_use' }, { type: 'tool_use' }])
    expect(blocksOf(request, 2)).toMatchObject([{ content: 'one' }, { content: 'two' }])
    expect(request.messages[3]?.content).toBe('said')
  })

  it('puts results before what the user says, and calls behind what the assistant says', () => {
    const request = write(
      context([
        said('user', 'a'),
        said('assistant', call('1', 'f')),
        said('assistant', 'b'),
        said('user', 'c'),
        said('tool', result('1', 'd')),
      ]),
    )
    expect(blocksOf(request, 1).map(({ type }) => type)).toEqual(['text', 'tool_use'])
    expect(blocksOf(request, 2).map(({ type }) => type)).toEqual(['tool_result', 'text'])
  })

  it('names the tool whose schema the service refuses', () => {
    const tools = [{ name: 'f', parameters: { type: 'string' } }]
    expect(() => write(context([said('user', 'a')], { tools }))).toThrow(
      expect.objectContaining({
        code: 'REQUEST_INVALID',
        message: expect.stringContaining('tools[0]'),
      }),
    )
  })
})

describe('cache breakpoints', () => {
  const noted = (words: string) => text(words, { anthropic: { fields: { cache_control: mark } } })
  const messages = [
    said('user', noted('a')),
    said('assistant', 'b'),
    said('user', noted('c')),
    said('user', 'd'),
  ]
  const system = [{ type: 'text' as const, text: 's', metadata: { anthropic: { string: true } } }]

  it('stand where the context says, and nowhere else', () => {
    const request = write(context(messages, { system, breakpoints: [0, 2] }))
    expect(request.system).toEqual([{ type: 'text', text: 's', cache_control: mark }])
    expect(blocksOf(request, 0)).toEqual([{ type: 'text', text: 'a', cache_control: mark }])
    expect(blocksOf(request, 2)).toEqual([
      { type: 'text', text: 'c', cache_control: mark },
      { type: 'text', text: 'd' },
    ])
  })

  it('stand on the last tool where there is no system text', () => {
    const request = write(
      context(messages, { tools: [{ name: 'f' }, { name: 'g' }], breakpoints: [1] }),
    )
    expect(request.tools).toMatchObject([{ name: 'f' }, { name: 'g', cache_control: mark }])
    expect(request.tools?.[0]).not.toHaveProperty('cache_control')
  })

  it('never stand on thinking', () => {
    const own = {
      type: 'reasoning',
      text: 'x',
      signature: 'S',
      metadata: { anthropic: {} },
    } as const
    const request = write(
      context([said('user', 'a'), said('assistant', own), said('user', 'b')], { breakpoints: [1] }),
    )
    expect(blocksOf(request, 0)).toEqual([{ type: 'text', text: 'a', cache_control: mark }])
  })

  it('leave blocks that we do not know as they came, and are fewer for each mark on those', () => {
    const kept = { type: 'newer', cache_control: { type: 'ephemeral' }, list: [1] }
    const inside = { type: 'search_result', content: [{ type: 'text', cache_control: mark }] }
    const request = write(
      context(
        [
          said('user', 'a', opaque(kept)),
          said('assistant', call('1', 'f')),
          said('tool', result('1', { kind: 'parts', parts: [opaque(inside)] })),
          said('assistant', 'b'),
          said('user', noted('c'), opaque({ type: 'newer' })),
        ],
        { system, breakpoints: [0, 2, 4] },
      ),
    )
    expect(blocksOf(request, 0)).toEqual([{ type: 'text', text: 'a' }, kept])
    expect(blocksOf(request, 2)).toMatchObject([{ content: [inside] }])
    expect(blocksOf(request, 4)).toEqual([
      { type: 'text', text: 'c', cache_control: mark },
      { type: 'newer' },
    ])
    expect(JSON.stringify(request).split('cache_control')).toHaveLength(1 + 4)
  })

  it('leave out blocks that we do not know where their marks are too many, the oldest first', () => {
    const many = [1, 2, 3, 4, 5, 6].map((id) =>
      said('user', opaque({ type: 'newer', id, cache_control: mark })),
    )
    const request = write(context([...many, said('user', 'a')], { system, breakpoints: [6] }))
    expect(blocksOf(request, 0).map(({ id }) => id)).toEqual([3, 4, 5, 6, undefined])
    expect(request.system).toBe('s')
  })

  it('stand behind a mark that lives longer, never before it', () => {
    const long = { type: 'newer', cache_control: { type: 'ephemeral', ttl: '1h' } }
    const request = write(
      context([said('user', 'a'), said('user', opaque(long)), said('user', 'b')], {
        system,
        breakpoints: [0, 2],
      }),
    )
    expect(request.system).toBe('s')
    expect(blocksOf(request, 0)).toEqual([
      { type: 'text', text: 'a' },
      long,
      { type: 'text', text: 'b', cache_control: mark },
    ])
  })

  it('leave out a block whose mark lives longer than that of a result put before it', () => {
    const long = { type: 'newer', cache_control: { type: 'ephemeral', ttl: '1h' } }
    const short = { type: 'search_result', cache_control: mark }
    const request = write(
      context([
        said('user', 'a'),
        said('assistant', call('1', 'f')),
        said('user', opaque(long), 'b'),
        said('tool', result('1', { kind: 'parts', parts: [opaque(short)] })),
      ]),
    )
    expect(blocksOf(request, 2)).toMatchObject([
      { content: [short] },
      { type: 'text', text: 'b', cache_control: mark },
    ])
  })

  it('are taken from inside of what was noted, too', () => {
    const inner = [0, 1, 2, 3, 4].map(() => ({ type: 'text', cache_control: mark }))
    const fields = { content: inner, source: { content: inner } }
    const tool = { name: 'f', type: 'newer', content: inner }
    const request = write(
      context([said('user', text('a', { anthropic: { fields } })), said('user', 'b')], {
        tools: [{ name: 'f', metadata: { anthropic: { tool } } }],
        breakpoints: [1],
      }),
    )
    expect(JSON.stringify(request).split('cache_control')).toHaveLength(1 + 2)
  })

  it('are made few where a log has gathered many', () => {
    const many = [0, 1, 2, 3, 4, 5].map((index) => said('user', noted(`${index}`)))
    const [only] = write(context(many)).messages
    expect(JSON.stringify(only).split('cache_control')).toHaveLength(2)
  })
})
