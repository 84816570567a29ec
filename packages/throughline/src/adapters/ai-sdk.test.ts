import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { buildDeliverable } from '../calls/read-messages.ts'
import type { ContextMessage, Deliverable } from '../domain/context.ts'
import type { JsonObject } from '../domain/json.ts'
import type { Part, Role } from '../domain/message.ts'
import { sha256 } from '../system.ts'
import { prompts } from './ai-sdk/arbitrary.test-support.ts'
import type { AiSdkRequest, AiSdkRequestInput } from './ai-sdk/request.ts'
import { aiSdk } from './ai-sdk.ts'

const read = (options: AiSdkRequestInput) => buildDeliverable(aiSdk.read(options), sha256)
const metadata = null
const words = (text: string): Part => ({ type: 'text', text, metadata })
const msg = (role: Role, ...parts: readonly Part[]): ContextMessage => ({
  role,
  author: null,
  parts,
  meta: null,
  seq: null,
  slot: 'recent',
})
const context = (...messages: readonly ContextMessage[]): Deliverable => ({
  system: [],
  tools: [],
  files: new Map(),
  breakpoints: [],
  messages,
})

describe('a prompt of the AI SDK', () => {
  it('states origins of messages, parts and results with an option of ours', () => {
    const options = (origin: string) => ({ providerOptions: { throughline: { origin } } })
    const output = { type: 'content', value: [{ type: 'text', text: 'a', ...options('agent') }] }
    const result = { type: 'tool-result', toolCallId: 'c', toolName: 't', output }
    const { messages } = aiSdk.read({
      messages: [
        { role: 'user', content: 'a', ...options('application') },
        { role: 'user', content: [{ type: 'text', text: 'a', ...options('person') }] },
        { role: 'tool', content: [{ ...result, ...options('person') }] },
      ] as never,
    })
    expect(messages.map(({ origin }) => origin)).toEqual(['application', undefined, undefined])
    expect(messages[1]?.content).toMatchObject([{ origin: 'person' }])
    expect(messages[2]?.content).toMatchObject([
      { origin: 'person', output: { parts: [{ origin: undefined }] } },
    ])
  })

  it('is restored exactly, for every kind of part', () => {
    fc.assert(
      fc.property(prompts, (prompt) => {
        expect(aiSdk.problems(prompt)).toEqual([])
        expect(aiSdk.write(read(prompt))).toStrictEqual(prompt)
      }),
      { numRuns: 300 },
    )
  })

  it('is restored exactly from an agent with thinking, a provider search and a denial', () => {
    const prompt: AiSdkRequest = {
      instructions: [
        {
          role: 'system',
          content: 'You plan journeys.',
          providerOptions: { anthropic: { cacheControl: { type: 'ephemeral', ttl: '1h' } } },
        },
      ],
      messages: [
        { role: 'user', content: 'Find a train to Lyon and book it.' },
        {
          role: 'assistant',
          content: [
            {
              type: 'reasoning',
              text: 'First the timetable.',
              providerOptions: { anthropic: { signature: 'EqQBCkYIAxgCKkD/+=' } },
            },
            {
              type: 'reasoning',
              text: '',
              providerOptions: { anthropic: { redactedData: 'EmwKAhgBEgy3' } },
            },
            {
              type: 'tool-call',
              toolCallId: 'srvtoolu_01',
              toolName: 'web_search',
              input: { query: 'train Lyon' },
              providerExecuted: true,
            },
            {
              type: 'tool-result',
              toolCallId: 'srvtoolu_01',
              toolName: 'web_search',
              output: { type: 'json', value: [{ url: 'https://example.test', encrypted: 'Eo8B' }] },
            },
            { type: 'text', text: 'There is one at nine.' },
            { type: 'tool-call', toolCallId: 'toolu_02', toolName: 'book', input: { at: 9 } },
            { type: 'tool-approval-request', approvalId: 'approval-1', toolCallId: 'toolu_02' },
          ],
        },
        {
          role: 'tool',
          content: [
            { type: 'tool-approval-response', approvalId: 'approval-1', approved: false },
            {
              type: 'tool-result',
              toolCallId: 'toolu_02',
              toolName: 'book',
              output: { type: 'execution-denied', reason: 'Too early.' },
            },
          ],
        },
      ],
    }
    expect(aiSdk.write(read(prompt))).toStrictEqual(prompt)
  })

  it('keeps a call that waits for the approval in the last message', () => {
    const call = { type: 'tool-call', toolCallId: '1', toolName: 'rm', input: {} } as const
    const prompt: AiSdkRequest = {
      messages: [
        { role: 'user', content: 'Clean up.' },
        {
          role: 'assistant',
          content: [call, { type: 'tool-approval-request', approvalId: 'a', toolCallId: '1' }],
        },
        {
          role: 'tool',
          content: [{ type: 'tool-approval-response', approvalId: 'a', approved: true }],
        },
      ],
    }
    expect(aiSdk.write(read(prompt))).toStrictEqual(prompt)
  })

  it('distinguishes a text from a list of one text, and writes new messages as text', () => {
    const prompt: AiSdkRequest = {
      messages: [
        { role: 'user', content: 'a' },
        { role: 'assistant', content: [{ type: 'text', text: 'b' }] },
        { role: 'user', content: 'c' },
      ],
    }
    expect(aiSdk.write(read(prompt))).toEqual(prompt)
    expect(aiSdk.write(context(msg('user', words('a')))).messages).toEqual([prompt.messages[0]])
  })

  it('returns only plain schemas as tools', () => {
    const messages = [{ role: 'user', content: 'Hello' }]
    const parameters = { type: 'object', properties: { word: { type: 'string' } } }
    const made = { ...parameters, [Symbol('schema')]: true, validate: () => true }
    const tools = {
      lookup: { description: 'Looks up.', inputSchema: parameters, execute: () => 'x' },
      made: { inputSchema: made },
    }
    expect(aiSdk.read({ messages, tools }).tools).toEqual([
      { name: 'lookup', description: 'Looks up.', parameters },
    ])
    expect(aiSdk.read({ messages, tools: [{ name: 'a', inputSchema: {} }] }).tools).toHaveLength(1)
    expect(aiSdk.read({ messages, tools: 7 }).tools).toEqual([])
  })

  it('keeps unknown parts as opaque parts, and omits them if the SDK would throw', () => {
    const unknown = { type: 'hologram', text: 'x' }
    const prompt = {
      messages: [{ role: 'user', content: [unknown, { type: 'text', text: 'Hi' }] }],
    }
    expect(read(prompt).messages[0]?.parts[0]).toMatchObject({
      type: 'opaque',
      kind: 'ai-sdk/hologram',
      json: JSON.stringify(unknown),
    })
    expect(aiSdk.write(read(prompt)).messages).toEqual([{ role: 'user', content: 'Hi' }])
  })

  it('recognizes an image by its first bytes if it has no media type', () => {
    const image = Uint8Array.from([0xff, 0xd8, 0xff, 0xe0])
    const { messages } = read({ messages: [{ role: 'user', content: [{ type: 'image', image }] }] })
    expect(messages[0]?.parts[0]).toMatchObject({ type: 'file', mediaType: 'image/jpeg' })
  })
})

describe('a context of another provider', () => {
  it('restores Anthropic’s signature, and omits signatures of other providers', () => {
    const sealed = (signature: string | null, note: JsonObject | null): Part => ({
      type: 'reasoning',
      text: 'Hm.',
      signature,
      metadata: note,
    })
    const { messages } = aiSdk.write(
      context(
        msg('user', words('Hello')),
        msg(
          'assistant',
          sealed('EqQB', { anthropic: {} }),
          sealed('EqQC', null),
          sealed('gAAA', { openai: {} }),
          sealed(null, null),
          {
            type: 'opaque',
            kind: 'anthropic/redacted_thinking',
            json: '{"type":"redacted_thinking","data":"x"}',
            metadata,
          },
        ),
        msg('user', words('Go on')),
      ),
    )
    expect(messages[1]).toEqual({
      role: 'assistant',
      content: [
        { type: 'reasoning', text: 'Hm.', providerOptions: { anthropic: { signature: 'EqQB' } } },
      ],
    })
  })

  it('has leading system messages in the instructions and later ones in data blocks', () => {
    const { instructions, messages } = aiSdk.write(
      context(
        msg('system', words('Be brief.')),
        msg('user', words('Hello')),
        msg('system', words('The user is in a hurry.')),
      ),
    )
    expect(instructions).toBe('Be brief.')
    expect(messages.map(({ role }) => role)).toEqual(['user', 'user'])
    expect(messages[1]?.content).toContain('note of the application')
  })

  it('has names and ids that every provider accepts, the same for call and result', () => {
    const call: Part = { type: 'tool-call', callId: 'a b', name: 'ns.find', input: '', metadata }
    const output = { kind: 'text', text: 'x' } as const
    const { messages } = aiSdk.write(
      context(
        msg('user', words('Hello')),
        msg('assistant', call),
        msg('tool', {
          type: 'tool-result',
          callId: 'a b',
          name: null,
          output,
          isError: true,
          metadata,
        }),
      ),
    )
    const [made, result] = [messages[1]?.content[0], messages[2]?.content[0]]
    expect(made).toMatchObject({ toolName: expect.stringMatching(/^[\w-]+$/), input: {} })
    expect(result).toMatchObject({ output: { type: 'error-text', value: 'x' } })
    for (const field of ['toolCallId', 'toolName'])
      expect(result).toHaveProperty(field, Reflect.get(Object(made), field))
  })

  it('is valid after parts were omitted: no empty message, no unpaired part, no assistant message at the end', () => {
    const foreign: Part = { type: 'opaque', kind: 'google/x', json: '{}', metadata }
    const call: Part = { type: 'tool-call', callId: '1', name: 'a', input: 'not json', metadata }
    const { messages } = aiSdk.write(
      context(msg('user', foreign), msg('assistant', words('Hello'), call), msg('user', foreign)),
    )
    expect(messages).toEqual([
      { role: 'user', content: '…' },
      { role: 'assistant', content: 'Hello' },
      { role: 'user', content: '…' },
    ])
  })

  it('moves text and files among results after them', () => {
    const call: Part = { type: 'tool-call', callId: '1', name: 'a', input: '{}', metadata }
    const output = { kind: 'json', json: '{"a":1}' } as const
    const result: Part = {
      type: 'tool-result',
      callId: '1',
      name: null,
      output,
      isError: false,
      metadata,
    }
    const { messages } = aiSdk.write(
      context(msg('user', words('Hi')), msg('assistant', call), msg('tool', words('And?'), result)),
    )
    expect(messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'user'])
  })

  it('is written without lone surrogates, and does not change itself', () => {
    const before = context({ ...msg('user', words('Hi \ud800')), author: 'Ada L.' })
    const copy = structuredClone(before)
    const first = aiSdk.write(before)
    expect(first.messages[0]?.content).toBe('Hi \ufffd')
    expect(first.messages[0]?.providerOptions?.['openai']?.['name']).toMatch(/^[\w-]+$/)
    expect(before).toEqual(copy)
    expect(JSON.stringify(aiSdk.write(before))).toBe(JSON.stringify(first))
  })
})

describe('cache breakpoints', () => {
  const hint = { anthropic: { cacheControl: { type: 'ephemeral' } } }
  const prompt: AiSdkRequestInput = {
    instructions: 'Be brief.',
    messages: [
      {
        role: 'user',
        content: [
          { type: 'text', text: 'Hi', providerOptions: { ...hint, openai: { itemId: 'a' } } },
        ],
      },
      { role: 'assistant', content: 'Hello' },
      { role: 'user', content: 'Bye' },
    ],
  }

  it('replace those that were read, and keep other options', () => {
    expect(aiSdk.write({ ...read(prompt), breakpoints: [0, 1] })).toEqual({
      instructions: { role: 'system', content: 'Be brief.', providerOptions: hint },
      messages: [
        {
          role: 'user',
          content: [{ type: 'text', text: 'Hi', providerOptions: { openai: { itemId: 'a' } } }],
          providerOptions: hint,
        },
        { role: 'assistant', content: 'Hello', providerOptions: hint },
        { role: 'user', content: 'Bye' },
      ],
    })
  })

  it('are at most four', () => {
    fc.assert(
      fc.property(
        prompts,
        fc.array(fc.nat(12), { minLength: 1, maxLength: 6 }),
        (one, breakpoints) => {
          let count = 0
          JSON.stringify(aiSdk.write({ ...read(one), breakpoints }), (key, value) => {
            if (key === 'anthropic' && value?.cacheControl !== undefined) count += 1
            return value
          })
          expect(count).toBeLessThanOrEqual(4)
        },
      ),
    )
  })
})

describe('metadata that other programs set or changed', () => {
  const anyNotes = fc.dictionary(
    fc.constantFrom(
      ...['text', 'system', 'blank', 'apart', 'field', 'shape', 'providerOptions', 'fields'],
      ...['type', 'data', 'mediaType', 'output', 'named', 'anyInput', 'providerExecuted'],
    ),
    fc.oneof(
      fc.jsonValue({ maxDepth: 2 }),
      fc.constantFrom(true, 'image', 'file-url', { form: 'text', tagged: true }, { form: 'bytes' }),
      fc.constantFrom({ type: 'execution-denied' }, { form: 'url-text', header: 'data:x' }),
    ),
  )

  it('never lead to a request that breaks the rules', () => {
    fc.assert(
      fc.property(prompts, fc.infiniteStream(anyNotes), (prompt, notes) => {
        const next = () => ({ aiSdk: notes.next().value }) as JsonObject
        const whole = read(prompt)
        const messages = whole.messages.map((message) => ({
          ...message,
          meta: next(),
          parts: message.parts.map((part) => ({ ...part, metadata: next() })),
        }))
        expect(aiSdk.problems(aiSdk.write({ ...whole, messages }))).toEqual([])
      }),
      { numRuns: 300 },
    )
  })

  it('have no effect on a message whose parts became plain text', () => {
    fc.assert(
      fc.property(prompts, fc.infiniteStream(fc.boolean()), (prompt, chance) => {
        const whole = read(prompt)
        const messages = whole.messages.map((message) =>
          chance.next().value ? { ...message, parts: [words('[left out]')] } : message,
        )
        expect(aiSdk.problems(aiSdk.write({ ...whole, messages }))).toEqual([])
      }),
      { numRuns: 300 },
    )
  })
})
