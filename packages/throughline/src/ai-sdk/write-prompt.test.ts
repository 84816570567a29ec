import { generateText, jsonSchema, type ToolSet } from 'ai'
import { MockLanguageModelV4 } from 'ai/test'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { prompts } from '../adapters/ai-sdk/arbitrary.test-support.ts'
import type { AiSdkRequest } from '../adapters/ai-sdk/request.ts'
import { aiSdk } from '../adapters/ai-sdk.ts'
import { buildDeliverable } from '../calls/read-messages.ts'
import { sha256 } from '../system.ts'
import { readSystem, restoreApprovalFlag, splitPrompt } from './read-prompt.ts'
import { writePrompt } from './write-prompt.ts'

Object.assign(globalThis, { AI_SDK_LOG_WARNINGS: false })

it('writes the same prompt as the SDK', async () => {
  await fc.assert(
    fc.asyncProperty(prompts, async (prompt) => {
      const context = buildDeliverable(aiSdk.read(prompt), sha256)
      const ours = writePrompt(context, 'mock-provider')
      expect(comparable(ours)).toEqual(comparable(await sentBySdk(aiSdk.write(context))))
    }),
    { numRuns: 200 },
  )
})

it('restores a prompt that was read from a call', async () => {
  await fc.assert(
    fc.property(prompts, (prompt) => {
      const sent = writePrompt(buildDeliverable(aiSdk.read(prompt), sha256), 'mock-provider')
      const { system, messages } = splitPrompt(sent)
      const reading = {
        ...aiSdk.read({ messages: messages.map(restoreApprovalFlag) }),
        system: readSystem(system),
      }
      const again = writePrompt(buildDeliverable(reading, sha256), 'mock-provider')
      expect(comparable(again)).toEqual(comparable(sent))
    }),
    { numRuns: 200 },
  )
})

async function sentBySdk(request: AiSdkRequest): Promise<unknown> {
  const model = new MockLanguageModelV4({
    supportedUrls: { '*/*': [/.*/] },
    doGenerate: {
      content: [{ type: 'text', text: 'Fine.' }],
      finishReason: { unified: 'stop', raw: undefined },
      usage: {
        inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
        outputTokens: { total: 1, text: 1, reasoning: 0 },
      },
      warnings: [],
    },
  })
  const experimental_download = async (files: readonly unknown[]) => files.map(() => null)
  await generateText({
    ...request,
    model,
    tools: toolsOf(request),
    maxRetries: 0,
    experimental_download,
  })
  // The SDK runs approved calls, and appends their results to the history.
  return model.doGenerateCalls[0]?.prompt
}

function toolsOf({ messages }: AiSdkRequest): ToolSet {
  const names = messages.flatMap(({ role, content }) =>
    role === 'assistant' && typeof content !== 'string'
      ? content.flatMap((part) => (part.type === 'tool-call' ? [part.toolName] : []))
      : [],
  )
  const tool = { inputSchema: jsonSchema({}), execute: () => 'Done.' }
  return Object.fromEntries(names.map((name) => [name, tool]))
}

/**
 * Makes prompts comparable: bytes and URLs as text, no undefined fields. Drops media types, which
 * the SDK detects again, and original URLs, which it adds.
 */
function comparable(value: unknown): unknown {
  const plain = (name: string, inner: unknown) => {
    if (['note', 'mediaType', 'originalUrl'].includes(name)) return undefined
    return inner instanceof Uint8Array ? Buffer.from(inner).toString('base64') : inner
  }
  return JSON.parse(JSON.stringify(value, plain))
}
