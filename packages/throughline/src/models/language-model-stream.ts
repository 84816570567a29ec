/** Reads a streamed answer up to a limit: a model that never stops is cut off. */
import { type Fields, fieldsIn } from '../domain/json.ts'
import type { Usage } from '../domain/usage.ts'
import type { ModelAnswer, ModelOutcome } from '../ports/language-model.ts'
import { sdkFinishes } from './finish-reasons-data.ts'
import { failed, failureOf } from './language-model-failure.ts'

export interface ReadOptions {
  readonly maxAnswerCharacters: number
  /** The name of the model that the provider reports, or of the one that was asked. */
  readonly nameOf: (modelId: unknown) => string
  readonly now: () => number
  readonly onText?: ((text: string) => void) | undefined
}

export async function readStream(stream: ReadableStream<object>, readOptions: ReadOptions) {
  const reader = stream.getReader()
  try {
    return await readParts(reader, readOptions)
  } finally {
    // Not awaited: a provider may not want to stop.
    reader.cancel().catch(() => undefined)
  }
}

async function readParts(
  reader: ReadableStreamDefaultReader<object>,
  { maxAnswerCharacters, nameOf, now, onText }: ReadOptions,
): Promise<ModelOutcome> {
  const texts: string[] = []
  let characters = 0
  let modelId: unknown = null
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return failed('transport', 'the answer ended before the model had finished')
    const part = fieldsIn(value)
    characters += sizeOf(part)
    if (characters > maxAnswerCharacters) return tooLarge(maxAnswerCharacters)
    switch (part['type']) {
      case 'text-delta':
        if (typeof part['delta'] !== 'string') break
        texts.push(part['delta'])
        onText?.(part['delta'])
        break
      case 'tool-call':
        return callsTool
      case 'response-metadata':
        modelId = part['modelId']
        break
      case 'error':
        return { kind: 'failed', failure: failureOf(part['error'], now()) }
      case 'finish':
        return finished(texts.join(''), part, nameOf(modelId))
    }
  }
}

export function readWhole(result: object, readOptions: ReadOptions): ModelOutcome {
  const fields = fieldsIn(result)
  const { content, structuredOutputText, response } = fields
  const parts = Array.isArray(content) ? content.map(fieldsIn) : []
  if (parts.some(({ type }) => type === 'tool-call')) return callsTool
  const size = parts.reduce((sum, part) => sum + sizeOf(part), 0)
  if (size > readOptions.maxAnswerCharacters) return tooLarge(readOptions.maxAnswerCharacters)
  const texts = parts.flatMap(({ type, text }) =>
    type === 'text' && typeof text === 'string' ? [text] : [],
  )
  const text = typeof structuredOutputText === 'string' ? structuredOutputText : texts.join('')
  return finished(text, fields, readOptions.nameOf(fieldsIn(response)['modelId']))
}

function finished(text: string, { finishReason, usage }: Fields, model: string): ModelOutcome {
  const finish = finishOf(finishReason)
  if (finish === 'broken') return failed('transport', 'the answer broke off')
  return { kind: 'answered', text, finish, usage: usageOf(usage), model }
}

// The request may offer the chat's tools, but a summary must not call them.
const callsTool = failed('invalid', 'the answer calls a tool')

function tooLarge(maxCharacters: number): ModelOutcome {
  return failed('invalid', `the answer is longer than ${maxCharacters} characters`)
}

/** Reasoning, calls and files count too: they stay in memory while the answer is read. */
function sizeOf(part: Fields): number {
  let size = 0
  for (const value of Object.values(part))
    if (typeof value === 'string' || value instanceof Uint8Array) size += value.length
  return size
}

/** `broken`: the answer was not completed. */
function finishOf(reported: unknown): ModelAnswer['finish'] | 'broken' {
  const { unified, raw } = fieldsIn(reported)
  // What version 3 reports until a provider gives a reason.
  if (unified === 'other' && raw === undefined) return 'broken'
  return sdkFinishes.get(typeof reported === 'string' ? reported : unified) ?? 'other'
}

/** Null where nothing is reported. `inputTokens` is all of the input, cached or not. */
function usageOf(reported: unknown): Usage | null {
  const usage = fieldsIn(reported)
  const input = fieldsIn(usage['inputTokens'])
  const output = fieldsIn(usage['outputTokens'])
  const reportedCounts = {
    inputTokens: usage['inputTokens'] === input ? input['total'] : usage['inputTokens'],
    cachedInputTokens: usage['cachedInputTokens'] ?? input['cacheRead'],
    cacheWriteTokens: usage['cacheWriteTokens'] ?? input['cacheWrite'],
    outputTokens: usage['outputTokens'] === output ? output['total'] : usage['outputTokens'],
    reasoningTokens: usage['reasoningTokens'] ?? output['reasoning'],
  }
  const counts = Object.entries(reportedCounts).filter(([, count]) => isCount(count))
  return counts.length === 0 ? null : Object.fromEntries(counts)
}

function isCount(value: unknown): boolean {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0
}
