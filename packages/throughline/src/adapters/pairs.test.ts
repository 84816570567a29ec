import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { buildDeliverable } from '../calls/read-messages.ts'
import type { Deliverable } from '../domain/context.ts'
import type { MessageInput } from '../domain/message.ts'
import type { Reading, RequestProblem } from '../ports/adapter.ts'
import { sha256 } from '../system.ts'
import { prompts } from './ai-sdk/arbitrary.test-support.ts'
import { aiSdk } from './ai-sdk.ts'
import { anthropicRequest } from './anthropic/arbitrary.test-support.ts'
import { geminiRequest } from './gemini/arbitrary.test-support.ts'
import { anthropicMessages, geminiContents, openaiChat, openaiResponses } from './http-adapters.ts'
import { chatRequest, responsesRequest } from './openai/arbitrary.test-support.ts'
import { type Fields, fieldsOf, isObject } from './unknown-json.ts'

interface Source {
  readonly native: object
  readonly reading: Reading
}

function source<Request extends object>(
  requests: fc.Arbitrary<Request>,
  read: (request: Request) => Reading,
): fc.Arbitrary<Source> {
  return requests.map((native) => ({ native, reading: read(native) }))
}

const sources: Readonly<Record<string, fc.Arbitrary<Source>>> = {
  'openai-chat': source(chatRequest, openaiChat.read),
  'openai-responses': source(responsesRequest, openaiResponses.read),
  'anthropic-messages': source(anthropicRequest, anthropicMessages.read),
  'gemini-contents': source(geminiRequest, geminiContents.read),
  'ai-sdk': source(prompts, aiSdk.read),
}

interface Target {
  readonly format: string
  write(context: Deliverable): object
  problems(request: unknown): readonly RequestProblem[]
}

const targets: readonly Target[] = [
  openaiChat,
  openaiResponses,
  anthropicMessages,
  geminiContents,
  aiSdk,
]

describe.each(Object.entries(sources))('what was read as %s', (_from, requests) => {
  it.each(targets)(
    'is a valid request as $format, the same twice, with its signatures unchanged',
    (target) => {
      fc.assert(
        fc.property(requests, ({ native, reading }) => {
          const context = buildDeliverable(reading, sha256)
          const before = structuredClone(context)
          const request = target.write(context)
          expect(target.problems(request)).toEqual([])
          expect(JSON.stringify(target.write(context))).toBe(JSON.stringify(request))
          expect(context).toEqual(before)
          const given = new Set(sealsIn(native))
          expect(sealsIn(request).filter((seal) => !given.has(seal))).toEqual([])
        }),
        { numRuns: 40 },
      )
    },
  )
})

it.each(targets)(
  'a context without any writable part is still a valid request: $format',
  (target) => {
    const foreign = { type: 'opaque', kind: 'nobody/x', json: '{}' } as const
    const thought = { type: 'reasoning', text: 'Hm.', signature: 'EqQB' } as const
    for (const messages of [
      [],
      [{ role: 'user', content: [foreign] }],
      [{ role: 'assistant', content: [foreign, thought] }],
    ] satisfies readonly MessageInput[][]) {
      const request = target.write(buildDeliverable({ system: [], tools: [], messages }, sha256))
      expect(target.problems(request)).toEqual([])
      expect(JSON.stringify(request)).toContain('…')
      expect(JSON.stringify(request)).not.toContain('EqQB')
    }
  },
)

it.each(targets)(
  'a call that a later message answers keeps its result beside a tool that the provider ran: $format',
  (target) => {
    const providerExecuted = { aiSdk: { providerExecuted: true } }
    const own = { type: 'tool-call', callId: 'own', name: 'read', input: {} } as const
    const searched = [
      { type: 'tool-call', callId: 'web', name: 'web', input: {}, metadata: providerExecuted },
      { type: 'tool-result', callId: 'web', name: 'web', output: 'RESULT OF WEB' },
      { type: 'text', text: 'TEXT AFTER THE SEARCH' },
    ] as const
    const answer: MessageInput = {
      role: 'tool',
      content: [{ type: 'tool-result', callId: 'own', name: 'read', output: 'RESULT OF READ' }],
    }
    for (const calls of [
      [{ role: 'assistant', content: [own, ...searched] }],
      [
        { role: 'assistant', content: [own] },
        { role: 'assistant', content: searched },
      ],
    ] satisfies readonly MessageInput[][]) {
      const messages = [{ role: 'user', content: 'Look.' } as const, ...calls, answer]
      const request = target.write(buildDeliverable({ system: [], tools: [], messages }, sha256))
      expect(target.problems(request)).toEqual([])
      for (const text of ['RESULT OF WEB', 'TEXT AFTER THE SEARCH', 'RESULT OF READ'])
        expect(JSON.stringify(request)).toContain(text)
    }
  },
)

/** Each signature with the text or name that it covers. Google's replacement text is not a signature. */
function sealsIn(request: object): readonly string[] {
  const seals: string[] = []
  JSON.stringify(request, (key, value: unknown) => {
    const [seal, sealed] = isObject(value) ? sealOf(value) : []
    if (typeof seal === 'string' && seal !== replacedSignature)
      seals.push(JSON.stringify([seal, sealed]))
    // `sealOf` reads options together with their part.
    return key === 'providerOptions' ? undefined : value
  })
  return seals
}

const replacedSignature = 'skip_thought_signature_validator'

function sealOf(fields: Fields): readonly unknown[] {
  const { type, providerOptions } = fields
  const { anthropic, google, openai } = fieldsOf(providerOptions) ?? {}
  const call = fieldsOf(fields['functionCall'])
  const sealed = fields['text'] ?? fields['thinking'] ?? fields['toolName'] ?? call?.['name']
  if (type === 'redacted_thinking') return [fields['data']]
  if (type === 'thinking') return [fields['signature'], sealed]
  if (type === 'reasoning' && Array.isArray(fields['summary']))
    return [fields['encrypted_content'], fields['summary']]
  const option =
    fieldsOf(google)?.['thoughtSignature'] ??
    (type === 'reasoning' ? fieldsOf(anthropic)?.['signature'] : undefined) ??
    fieldsOf(openai)?.['reasoningEncryptedContent']
  return [fields['thoughtSignature'] ?? option, sealed]
}
