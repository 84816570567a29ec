import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { buildDeliverable } from '../calls/read-messages.ts'
import type { OpaquePart, ToolOutput } from '../domain/message.ts'
import { sha256 } from '../system.ts'
import { anthropicRequest } from './anthropic/arbitrary.test-support.ts'
import type { AnthropicMessagesRequestInput } from './anthropic/request.ts'
import {
  anyContext,
  call,
  context,
  msg,
  openaiShaped,
  result,
  sdkShaped,
  text,
} from './foreign.test-support.ts'
import { anthropicMessages } from './http-adapters.ts'
import { anyPart, readOrRefused } from './reading.test-support.ts'

const { read, write, problems } = anthropicMessages
const again = (request: AnthropicMessagesRequestInput) =>
  write(buildDeliverable(read(request), sha256))
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
  it('restores every request that the service accepts', () => {
    fc.assert(
      fc.property(anthropicRequest, (request) => {
        expect(problems(request)).toEqual([])
        expect(again(request)).toEqual(request)
      }),
      { numRuns: 500 },
    )
  })

  it('restores a turn with thinking, a server tool and parallel calls', () => {
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

  it('distinguishes a text from a list of one text, and writes new messages as text', () => {
    const listed = [{ type: 'text', text: 'b' }]
    const request = {
      messages: [
        { role: 'user', content: 'a' },
        { role: 'assistant', content: listed },
        { role: 'user', content: 'c' },
      ],
    }
    expect(again(request)).toEqual(request)
    expect(write(context([msg('user', 'a')])).messages).toEqual([request.messages[0]])
    const marked = write({ ...buildDeliverable(read(request), sha256), breakpoints: [0] })
    expect(blocksOf(marked, 0)).toEqual([{ type: 'text', text: 'a', cache_control: mark }])
    expect(marked.messages.slice(1)).toEqual(request.messages.slice(1))
  })

  it('reads a message with only results as a tool message', () => {
    const content = [{ type: 'tool_result', tool_use_id: 'toolu_1' }]
    expect(read({ messages: [{ role: 'user', content }] }).messages).toMatchObject([
      { role: 'tool', content: [{ type: 'tool-result', callId: 'toolu_1' }] },
    ])
  })

  it('reads any value, or refuses it with an error code', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (messages, system) => {
        const request = { messages, system } as never
        const written = readOrRefused(() => again(request))
        if (written !== null) expect(problems(written)).toEqual([])
      }),
    )
  })

  it('reads blocks of unknown types with any content', () => {
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

describe('writing contexts of other providers', () => {
  it('writes any context as a valid request, and does not change the context', () => {
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

  it('writes a history with one tool message per result', () => {
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

  it('writes a history with several results in one message, and merges messages that omitting made neighbours', () => {
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

  it('omits sealed parts of other providers, and keeps its own unchanged', () => {
    const seal = { type: 'reasoning', text: 'x', signature: 'S', metadata: null } as const
    const own = { ...seal, metadata: { anthropic: {} } }
    const request = write(
      context([msg('user', 'a'), msg('assistant', seal, own, 'b'), msg('user', 'c')]),
    )
    expect(blocksOf(request, 1)).toEqual([
      { type: 'thinking', thinking: 'x', signature: 'S' },
      { type: 'text', text: 'b' },
    ])
  })

  it('writes only the first of several tools with one name', () => {
    const tools = [{ name: 'a b' }, { name: 'a b', description: 'again' }, { name: 'c' }]
    expect(write(context([msg('user', 'a')], { tools })).tools).toHaveLength(2)
  })

  it('writes filler text if nothing is left', () => {
    const nothing = [{ role: 'user', content: '…' }]
    expect(write(context([])).messages).toEqual(nothing)
    expect(write(context([msg('user', ' '), msg('assistant', '')])).messages).toEqual(nothing)
  })

  it('omits an assistant message without text, and merges its neighbours', () => {
    const request = write(context([msg('user', 'a'), msg('assistant', ' \n'), msg('user', 'b')]))
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

  it('keeps the text of a result beside a block that is not allowed there', () => {
    const output = {
      kind: 'parts',
      parts: [opaque({ type: 'redacted_thinking', data: 'x' }), { ...text('found') }],
    } as ToolOutput
    const request = write(
      context([
        msg('user', 'a'),
        msg('assistant', call('1', 'f')),
        msg('tool', result('1', output)),
      ]),
    )
    expect(blocksOf(request, 2)).toMatchObject([{ content: [{ type: 'text', text: 'found' }] }])
  })

  it('moves results from the assistant’s own message to the next message', () => {
    const request = write(
      context([
        msg('user', 'a'),
        msg(
          'assistant',
          call('1', 'f'),
          call('2', 'f'),
          result('1', 'one'),
          'said',
          result('2', 'two', true),
        ),
        msg('user', 'b'),
      ]),
    )
    expect(request.messages.map(({ role }) => role).join(' ')).toBe(
      'user assistant user assistant user',
    )
    expect(blocksOf(request, 1)).toMatchObject([{ type: 'tool_use' }, { type: 'tool_use' }])
    expect(blocksOf(request, 2)).toMatchObject([{ content: 'one' }, { content: 'two' }])
    expect(request.messages[3]?.content).toBe('said')
  })

  it('puts results before the user’s text, and calls after the assistant’s text', () => {
    const request = write(
      context([
        msg('user', 'a'),
        msg('assistant', call('1', 'f')),
        msg('assistant', 'b'),
        msg('user', 'c'),
        msg('tool', result('1', 'd')),
      ]),
    )
    expect(blocksOf(request, 1).map(({ type }) => type)).toEqual(['text', 'tool_use'])
    expect(blocksOf(request, 2).map(({ type }) => type)).toEqual(['tool_result', 'text'])
  })

  it('names the tool if the service refuses its schema', () => {
    const tools = [{ name: 'f', parameters: { type: 'string' } }]
    expect(() => write(context([msg('user', 'a')], { tools }))).toThrow(
      expect.objectContaining({
        code: 'REQUEST_INVALID',
        message: expect.stringContaining('tools[0]'),
      }),
    )
  })
})

describe('cache breakpoints', () => {
  const marked = (words: string) => text(words, { anthropic: { fields: { cache_control: mark } } })
  const messages = [
    msg('user', marked('a')),
    msg('assistant', 'b'),
    msg('user', marked('c')),
    msg('user', 'd'),
  ]
  const system = [{ type: 'text' as const, text: 's', metadata: { anthropic: { string: true } } }]

  it('are set at the breakpoints of the context, and nowhere else', () => {
    const request = write(context(messages, { system, breakpoints: [0, 2] }))
    expect(request.system).toEqual([{ type: 'text', text: 's', cache_control: mark }])
    expect(blocksOf(request, 0)).toEqual([{ type: 'text', text: 'a', cache_control: mark }])
    expect(blocksOf(request, 2)).toEqual([
      { type: 'text', text: 'c', cache_control: mark },
      { type: 'text', text: 'd' },
    ])
  })

  it('are set on the last tool if there is no system prompt', () => {
    const request = write(
      context(messages, { tools: [{ name: 'f' }, { name: 'g' }], breakpoints: [1] }),
    )
    expect(request.tools).toMatchObject([{ name: 'f' }, { name: 'g', cache_control: mark }])
    expect(request.tools?.[0]).not.toHaveProperty('cache_control')
  })

  it('are never set on thinking', () => {
    const own = {
      type: 'reasoning',
      text: 'x',
      signature: 'S',
      metadata: { anthropic: {} },
    } as const
    const request = write(
      context([msg('user', 'a'), msg('assistant', own), msg('user', 'b')], { breakpoints: [1] }),
    )
    expect(blocksOf(request, 0)).toEqual([{ type: 'text', text: 'a', cache_control: mark }])
  })

  it('leave unknown blocks unchanged, and are one fewer for each mark on those', () => {
    const kept = { type: 'newer', cache_control: { type: 'ephemeral' }, list: [1] }
    const inside = { type: 'search_result', content: [{ type: 'text', cache_control: mark }] }
    const request = write(
      context(
        [
          msg('user', 'a', opaque(kept)),
          msg('assistant', call('1', 'f')),
          msg('tool', result('1', { kind: 'parts', parts: [opaque(inside)] })),
          msg('assistant', 'b'),
          msg('user', marked('c'), opaque({ type: 'newer' })),
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

  it('omit unknown blocks if their marks are too many, the oldest first', () => {
    const many = [1, 2, 3, 4, 5, 6].map((id) =>
      msg('user', opaque({ type: 'newer', id, cache_control: mark })),
    )
    const request = write(context([...many, msg('user', 'a')], { system, breakpoints: [6] }))
    expect(blocksOf(request, 0).map(({ id }) => id)).toEqual([3, 4, 5, 6, undefined])
    expect(request.system).toBe('s')
  })

  it('are set after a mark with a longer ttl, never before it', () => {
    const long = { type: 'newer', cache_control: { type: 'ephemeral', ttl: '1h' } }
    const request = write(
      context([msg('user', 'a'), msg('user', opaque(long)), msg('user', 'b')], {
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

  it('omit a block whose mark has a longer ttl than that of a result moved before it', () => {
    const long = { type: 'newer', cache_control: { type: 'ephemeral', ttl: '1h' } }
    const short = { type: 'search_result', cache_control: mark }
    const request = write(
      context([
        msg('user', 'a'),
        msg('assistant', call('1', 'f')),
        msg('user', opaque(long), 'b'),
        msg('tool', result('1', { kind: 'parts', parts: [opaque(short)] })),
      ]),
    )
    expect(blocksOf(request, 2)).toMatchObject([
      { content: [short] },
      { type: 'text', text: 'b', cache_control: mark },
    ])
  })

  it('are also removed from fields kept in metadata', () => {
    const inner = [0, 1, 2, 3, 4].map(() => ({ type: 'text', cache_control: mark }))
    const fields = { content: inner, source: { content: inner } }
    const tool = { name: 'f', type: 'newer', content: inner }
    const request = write(
      context([msg('user', text('a', { anthropic: { fields } })), msg('user', 'b')], {
        tools: [{ name: 'f', metadata: { anthropic: { tool } } }],
        breakpoints: [1],
      }),
    )
    expect(JSON.stringify(request).split('cache_control')).toHaveLength(1 + 2)
  })

  it('are reduced if a log has collected many', () => {
    const many = [0, 1, 2, 3, 4, 5].map((index) => msg('user', marked(`${index}`)))
    const [only] = write(context(many)).messages
    expect(JSON.stringify(only).split('cache_control')).toHaveLength(2)
  })
})
