/**
 * An agent of the AI SDK on a real provider over HTTP, tied to the engine by one of the two
 * ways: its loop reads files two or three at a time, for as many steps as are asked for.
 */
import { createOpenAI } from '@ai-sdk/openai'
import {
  generateText,
  isStepCount,
  jsonSchema,
  type LanguageModel,
  type ModelMessage,
  streamText,
  type ToolSet,
  wrapLanguageModel,
} from 'ai'
import type { Throughline } from 'throughline'
import { type AiSdkOptions, throughlineMiddleware, throughlineStep } from 'throughline/ai-sdk'
import type { ScriptedReply } from './chat-reply.ts'
import type { ModelServer } from './model-server.ts'

Object.assign(globalThis, { AI_SDK_LOG_WARNINGS: false })

export const windowTokens = 16_384

export const modelName = 'agent-16k'

export const task =
  'Find every use of the old ledger format (version 3, magic 0x1edf) in the 412 files under src/billing, and name the file that must be changed first. Never touch src/billing/legacy.'

export type Way = 'middleware' | 'prepareStep'

export interface Tied {
  readonly model: LanguageModel
  readonly prepareStep: ReturnType<typeof throughlineStep> | undefined
}

/** Options of the door beside the engine. */
export type Ties = Pick<AiSdkOptions<unknown>, 'conversation' | 'history' | 'changed'>

export function tie(way: Way, engine: Throughline, server: ModelServer, ties: Ties = {}): Tied {
  const script = typeof ties.conversation === 'string' ? ties.conversation : ''
  const openai = createOpenAI({
    apiKey: 'none',
    baseURL: server.url,
    headers: { 'x-script': script },
  })
  const model = openai.chat(modelName)
  const options = { engine, model: modelName, ...ties }
  return way === 'middleware'
    ? {
        model: wrapLanguageModel({ model, middleware: throughlineMiddleware(options) }),
        prepareStep: undefined,
      }
    : { model, prepareStep: throughlineStep(options) }
}

export const instructions = 'You are a careful engineer. Use the tools; do not guess.'

export const tools: ToolSet = {
  read: {
    description: 'Reads a file of the repository.',
    inputSchema: jsonSchema<{ path: string }>({
      type: 'object',
      properties: { path: { type: 'string', description: 'The path of the file.' } },
      required: ['path'],
      additionalProperties: false,
    }),
    execute: ({ path }: { path: string }) => fileText(path),
  },
  search: {
    description: 'Finds lines in the repository.',
    inputSchema: jsonSchema<{ pattern: string }>({
      type: 'object',
      properties: { pattern: { type: 'string', description: 'A regular expression.' } },
      required: ['pattern'],
      additionalProperties: false,
    }),
    execute: ({ pattern }: { pattern: string }) => ({
      pattern,
      found: Array.from(
        { length: 12 },
        (_, line) => `src/billing/${line}.ts:${line * 7}: ${pattern}`,
      ),
    }),
  },
}

/** Between a few and a few hundred lines, always the same for the same path. */
function fileText(path: string): string {
  const seed = [...path].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 9_973, 7)
  const lines = 5 + (seed % 60)
  return Array.from(
    { length: lines },
    (_, line) =>
      `${line + 1}  export const entry${seed}_${line} = parse(header, ${seed * line}) // ${path}`,
  ).join('\n')
}

/** Two or three calls at once in every step, and a last word. */
export function agentScript(steps: number): (turn: number) => ScriptedReply {
  return (turn) => {
    if (turn >= steps - 1) return { text: 'src/billing/ledger-header.ts must be changed first.' }
    const call = (index: number, name: string, input: object) => ({
      id: `call_${turn}_${index}`,
      name,
      input,
    })
    const calls = [
      call(0, 'read', { path: `src/billing/${turn}.ts` }),
      call(1, 'search', { pattern: `ledger.*v3.*${turn}` }),
    ]
    return {
      ...(turn % 4 === 0 ? { text: `Next I look at file ${turn}.` } : {}),
      calls:
        turn % 3 === 0 ? [...calls, call(2, 'read', { path: `test/billing/${turn}.ts` })] : calls,
    }
  }
}

export interface Run {
  readonly messages: ModelMessage[]
  readonly text: string
  readonly steps: number
}

export async function run(
  { model, prepareStep }: Tied,
  messages: ModelMessage[],
  {
    steps,
    stream = false,
    maxOutputTokens,
  }: { readonly steps: number; readonly stream?: boolean; readonly maxOutputTokens?: number },
): Promise<Run> {
  const settings = {
    model,
    instructions,
    messages,
    tools,
    stopWhen: isStepCount(steps),
    maxRetries: 0,
    ...(maxOutputTokens === undefined ? {} : { maxOutputTokens }),
    ...(prepareStep === undefined ? {} : { prepareStep }),
  }
  if (stream) {
    // A stream ends in silence where it fails, and tells it here.
    const errors: unknown[] = []
    const onError = ({ error }: { readonly error: unknown }) => {
      errors.push(error)
    }
    const result = streamText({ ...settings, onError })
    const [text, made] = await Promise.all([result.text, result.steps])
    if (errors.length > 0) throw errors[0]
    const replied = made.flatMap(({ response }) => response.messages)
    return { messages: [...messages, ...replied], text, steps: made.length }
  }
  const { text, steps: made, responseMessages } = await generateText(settings)
  return { messages: [...messages, ...responseMessages], text, steps: made.length }
}
