import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { buildDeliverable } from '../calls/read-messages.ts'
import type { Part } from '../domain/message.ts'
import { sha256 } from '../system.ts'
import { aiSdk } from './ai-sdk.ts'
import { anthropicRequest } from './anthropic/arbitrary.test-support.ts'
import {
  anyContext,
  call,
  context,
  msg,
  openaiShaped,
  result,
  sdkShaped,
} from './foreign.test-support.ts'
import { geminiRequest } from './gemini/arbitrary.test-support.ts'
import type { GeminiContentsRequestInput } from './gemini/request.ts'
import { anthropicMessages, geminiContents } from './http-adapters.ts'
import { anyPart, readOrRefused } from './reading.test-support.ts'

const { read, write, problems } = geminiContents
const again = (request: GeminiContentsRequestInput) =>
  write(buildDeliverable(read(request), sha256))
const partsOf = (request: GeminiContentsRequestInput, index: number) =>
  (request.contents[index]?.parts ?? []) as readonly Record<string, never>[]
const replacedSignature = 'skip_thought_signature_validator'

describe('the snake_case that the REST API also accepts', () => {
  const bytes = { mime_type: 'image/png', data: 'AAAA' }
  const snake = {
    system_instruction: { parts: [{ text: 'Be brief.' }] },
    tools: [
      { function_declarations: [{ name: 'look', parameters_json_schema: { type: 'object' } }] },
    ],
    contents: [
      {
        role: 'user',
        parts: [{ inline_data: bytes }, { file_data: { file_uri: 'https://a.example/b.png' } }],
      },
      {
        role: 'model',
        parts: [
          { function_call: { name: 'look', args: { mime_type: 'a' } }, thought_signature: 'EvQB' },
        ],
      },
      {
        role: 'user',
        parts: [
          {
            function_response: {
              name: 'look',
              response: { file_uri: 'kept' },
              parts: [{ inline_data: bytes }],
            },
          },
        ],
      },
    ],
  }
  const data = { mimeType: 'image/png', data: 'AAAA' }
  const camel = {
    systemInstruction: { parts: [{ text: 'Be brief.' }] },
    tools: [{ functionDeclarations: [{ name: 'look', parametersJsonSchema: { type: 'object' } }] }],
    contents: [
      {
        role: 'user',
        parts: [{ inlineData: data }, { fileData: { fileUri: 'https://a.example/b.png' } }],
      },
      {
        role: 'model',
        parts: [
          { functionCall: { name: 'look', args: { mime_type: 'a' } }, thoughtSignature: 'EvQB' },
        ],
      },
      {
        role: 'user',
        parts: [
          {
            functionResponse: {
              name: 'look',
              response: { file_uri: 'kept' },
              parts: [{ inlineData: data }],
            },
          },
        ],
      },
    ],
  }

  it('is read like camelCase, and written in camelCase', () => {
    expect(read(snake)).toEqual(read(camel))
    expect(again(snake)).toEqual(camel)
  })

  it('appears in errors as the caller wrote it', () => {
    const request = { contents: [], system_instruction: { parts: [{ text: 7 }] } }
    expect(() => read(request)).toThrow('system_instruction.parts[0].text must be text')
  })

  it('stays unchanged beside the same field in camelCase, and in parts of unknown types', () => {
    const both = { function_call: { name: 'a' }, functionCall: { name: 'b' } }
    const unknown = { new_part: { mime_type: 'a' } }
    const [message] = read({ contents: [{ role: 'model', parts: [both, unknown] }] }).messages
    expect(message?.content).toEqual([
      { type: 'opaque', kind: 'google/part', json: JSON.stringify(both) },
      { type: 'opaque', kind: 'google/new_part', json: JSON.stringify(unknown) },
    ])
  })
})

describe('reading and writing back', () => {
  it('restores every request that the service accepts', () => {
    fc.assert(
      fc.property(geminiRequest, (request) => {
        expect(problems(request)).toEqual([])
        expect(again(request)).toEqual(request)
      }),
      { numRuns: 500 },
    )
  })

  it('restores a turn of several steps with signatures', () => {
    const request = {
      systemInstruction: { parts: [{ text: 'Be brief.' }] },
      contents: [
        { role: 'user', parts: [{ text: 'Is train IC100 late? Then book a taxi.' }] },
        {
          role: 'model',
          parts: [
            { text: 'First the train.', thought: true },
            {
              functionCall: { name: 'check_train', args: { train: 'IC100' } },
              thoughtSignature: 'EvQB',
            },
          ],
        },
        {
          role: 'user',
          parts: [{ functionResponse: { name: 'check_train', response: { status: 'delayed' } } }],
        },
        {
          role: 'model',
          parts: [
            { functionCall: { name: 'book_taxi', args: { time: '10' } }, thoughtSignature: 'EvQC' },
            { functionCall: { name: 'book_taxi', args: { time: '11' } } },
          ],
        },
        {
          role: 'user',
          parts: [
            { functionResponse: { name: 'book_taxi', response: { output: 'ok' } } },
            { functionResponse: { name: 'book_taxi', response: { error: 'none free' } } },
          ],
        },
      ],
    }
    expect(problems(request)).toEqual([])
    expect(again(request)).toEqual(request)
    expect(read(request).messages[4]).toMatchObject({
      role: 'tool',
      content: [
        { callId: 'call_3_0_book_taxi', output: { kind: 'text', text: 'ok' }, isError: false },
        {
          callId: 'call_3_1_book_taxi',
          output: { kind: 'text', text: 'none free' },
          isError: true,
        },
      ],
    })
  })

  it('reads any value, or refuses it with an error code', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (contents, systemInstruction) => {
        const request = { contents, systemInstruction } as never
        const written = readOrRefused(() => again(request))
        if (written !== null) expect(problems(written)).toEqual([])
      }),
    )
  })

  it('reads parts of unknown types with any content', () => {
    fc.assert(
      fc.property(fc.array(anyPart), (held) => {
        const parts = held.map((hologram) => ({ hologram }))
        const { messages } = read({ contents: [{ role: 'user', parts }] })
        expect(messages[0]?.content).toHaveLength(parts.length)
        expect(problems(again({ contents: [{ role: 'user', parts }] }))).toEqual([])
      }),
    )
  })

  it('reads type names in capitals as JSON schema, and restores them', () => {
    const parameters = {
      type: 'OBJECT',
      properties: { type: { type: 'STRING', enum: ['OBJECT'] } },
    }
    const tools = [{ functionDeclarations: [{ name: 'f', parameters }] }]
    const request = { contents: [{ role: 'user', parts: [{ text: 'a' }] }], tools }
    expect(read(request).tools[0]?.parameters).toEqual({
      type: 'object',
      properties: { type: { type: 'string', enum: ['OBJECT'] } },
    })
    expect(again(request)).toEqual(request)
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

  it('writes requests of Anthropic, and Anthropic’s adapter writes those of Gemini', () => {
    fc.assert(
      fc.property(anthropicRequest, geminiRequest, (theirs, ours) => {
        const given = buildDeliverable(anthropicMessages.read(theirs), sha256)
        expect(problems(write(given))).toEqual([])
        const back = anthropicMessages.write(buildDeliverable(read(ours), sha256))
        expect(anthropicMessages.problems(back)).toEqual([])
      }),
    )
  })

  it('restores signatures that were read through the AI SDK, and writes them to it', () => {
    const request = {
      contents: [
        { role: 'user', parts: [{ text: 'Hello' }] },
        {
          role: 'model',
          parts: [
            { text: 'Hm.', thought: true, thoughtSignature: 'EvQA' },
            { text: 'Looking.', thoughtSignature: 'EvQB' },
            { functionCall: { id: '1', name: 'look', args: {} }, thoughtSignature: 'EvQC' },
          ],
        },
        {
          role: 'user',
          parts: [{ functionResponse: { id: '1', name: 'look', response: { output: 'x' } } }],
        },
      ],
    }
    const prompt = aiSdk.write(buildDeliverable(read(request), sha256))
    const sealed = (thoughtSignature: string) => ({
      providerOptions: { google: { thoughtSignature } },
    })
    expect(prompt.messages[1]?.content).toMatchObject(['EvQA', 'EvQB', 'EvQC'].map(sealed))
    expect(write(buildDeliverable(aiSdk.read(prompt), sha256))).toEqual(request)
  })

  it('writes a history with one tool message per result', () => {
    const request = write(openaiShaped)
    expect(request.systemInstruction).toEqual({ parts: [{ text: 'Answer in one line.' }] })
    expect(request.contents.map(({ role }) => role)).toEqual([
      'user',
      'model',
      'user',
      'model',
      'user',
    ])
    expect(partsOf(request, 0)).toMatchObject([
      { text: 'Ada: What is in these?' },
      { inlineData: { mimeType: 'image/png', data: 'AQID' } },
      { inlineData: { mimeType: 'audio/wav' } },
    ])
    expect(partsOf(request, 1)).toEqual([
      { text: 'Looking.' },
      {
        functionCall: { id: 'call|1', name: 'lookup', args: { word: 'a' } },
        thoughtSignature: replacedSignature,
      },
      { functionCall: { id: 'call|2', name: 'functions.lookup', args: { input: 'not json' } } },
    ])
    expect(partsOf(request, 2)).toMatchObject([
      { functionResponse: { id: 'call|1', name: 'lookup', response: { output: 'an article' } } },
      { functionResponse: { id: 'call|2', name: 'functions.lookup', response: { error: '' } } },
      { text: expect.stringContaining('[note of the application') },
    ])
    expect(request.tools).toMatchObject([
      { functionDeclarations: [{ name: 'lookup', parametersJsonSchema: {} }, { name: 'now' }] },
    ])
  })

  it('writes a history with several results in one message', () => {
    const request = write(sdkShaped)
    expect(partsOf(request, 2)[0]).toMatchObject({
      functionResponse: { response: { output: ' \n[file a.bin (image/png)]' } },
    })
  })

  it('moves results from the assistant’s own message to the next content', () => {
    const { contents } = write(
      context([
        msg('user', 'a'),
        msg('assistant', call('1', 'f'), result('1', 'one'), 'said'),
        msg('user', 'b'),
      ]),
    )
    expect(contents.map(({ role }) => role).join(' ')).toBe('user model user model user')
    expect(contents[1]?.parts).toMatchObject([{ functionCall: { name: 'f' } }])
    expect(contents[2]?.parts).toMatchObject([
      { functionResponse: { response: { output: 'one' } } },
    ])
    expect(contents[3]?.parts).toMatchObject([{ text: 'said' }])
  })

  it('writes filler text if nothing is left', () => {
    const nothing = [{ role: 'user', parts: [{ text: '…' }] }]
    expect(write(context([])).contents).toEqual(nothing)
    expect(write(context([msg('user', ''), msg('assistant', '')])).contents).toEqual(nothing)
  })
})

describe('signatures', () => {
  const steps = (metadata: Part['metadata']) => {
    const step = (id: string): Part => ({ ...call(id, 'f'), metadata })
    return context([
      msg('user', 'a'),
      msg('assistant', step('1')),
      msg('tool', result('1', 'x')),
      msg('assistant', 'b'),
      msg('user', 'c'),
      msg('assistant', step('2'), step('3')),
      msg('tool', result('2', 'x'), result('3', 'x')),
      msg('assistant', step('4')),
      msg('tool', result('4', 'x')),
    ])
  }
  const sealsIn = (request: GeminiContentsRequestInput) =>
    request.contents
      .flatMap((_content, index) => partsOf(request, index))
      .filter(({ functionCall }) => functionCall !== undefined)
      .map(({ thoughtSignature }) => thoughtSignature)

  it('are replaced on the first call of each step, also in earlier turns', () => {
    expect(sealsIn(write(steps(null)))).toEqual([
      replacedSignature,
      replacedSignature,
      undefined,
      replacedSignature,
    ])
  })

  it('do not change on earlier calls after the next user message', () => {
    const asked = steps(null)
    const next = context([...asked.messages, msg('assistant', 'd'), msg('user', 'e')])
    const { contents } = write(asked)
    expect(write(next).contents.slice(0, contents.length)).toEqual(contents)
  })

  it('are not replaced on calls that were read from the service', () => {
    const none = [undefined, undefined, undefined, undefined]
    expect(sealsIn(write(steps({ google: { own: true } })))).toEqual(none)
  })

  it('are restored on their own part', () => {
    const kept = { google: { thoughtSignature: 'EvQB' } }
    expect(sealsIn(write(steps(kept)))).toEqual(['EvQB', 'EvQB', 'EvQB', 'EvQB'])
  })

  it('are not restored on a part that had to be changed', () => {
    const own = { google: { own: true, thoughtSignature: 'EvQB' } }
    const changed: Part = { ...call('1', 'no name'), metadata: own }
    const half: Part = { type: 'text', text: 'a\ud800', metadata: own }
    const request = write(
      context([msg('user', 'a'), msg('assistant', half, changed), msg('tool', result('1', 'x'))]),
    )
    expect(partsOf(request, 1)).toMatchObject([
      { text: 'a\ufffd' },
      { thoughtSignature: replacedSignature },
    ])
    expect(partsOf(request, 1)[0]).not.toHaveProperty('thoughtSignature')
  })

  it('of another provider are omitted with their part', () => {
    const seal = {
      type: 'reasoning',
      text: 'x',
      signature: 'EvQB',
      metadata: { anthropic: {} },
    } as const
    const request = write(
      context([msg('user', 'a'), msg('assistant', seal, 'b'), msg('user', 'c')]),
    )
    expect(partsOf(request, 1)).toEqual([{ text: 'b' }])
  })
})

it('answers calls without ids in the order of the calls, for any order of results', () => {
  const fromGemini = (part: Part): Part => ({
    ...part,
    metadata: { google: { own: true, id: false } },
  })
  const request = write(
    context([
      msg('user', 'a'),
      msg('assistant', fromGemini(call('1', 'f')), fromGemini(call('2', 'f'))),
      msg('tool', result('2', 'second'), fromGemini(result('1', 'first'))),
    ]),
  )
  expect(partsOf(request, 2)).toEqual([
    { functionResponse: { name: 'f', response: { output: 'first' } } },
    { functionResponse: { name: 'f', response: { output: 'second' } } },
  ])
})
