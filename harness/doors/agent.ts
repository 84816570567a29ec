/**
 * An AI SDK agent on a real provider over HTTP, connected to the engine by the middleware or by
 * `prepareStep`. Its loop reads two or three files at a time, for the requested number of steps.
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
import { createThroughline, type Message, type Throughline } from 'throughline'
import { type CallOptions, throughlineMiddleware, throughlineStep } from 'throughline/ai-sdk'
import {
  type ModelServer,
  type ScriptedReply,
  type Served,
  startModelServer,
} from './model-server.ts'

Object.assign(globalThis, { AI_SDK_LOG_WARNINGS: false })

export const windowTokens = 16_384

export const modelName = 'agent-16k'

export const task =
  'Find every use of the old ledger format (version 3, magic 0x1edf) in the 412 files under src/billing, and name the file that must be changed first. Never touch src/billing/legacy.'

export type Way = 'middleware' | 'prepareStep'

interface Tied {
  readonly model: LanguageModel
  readonly prepareStep: ReturnType<typeof throughlineStep> | undefined
}

/** Options of the AI SDK integration other than the engine. */
type Ties = Pick<CallOptions<unknown>, 'conversation' | 'history' | 'changed'>

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

/** Two or three calls in every step, and a final text. */
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

interface Run {
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
    // A failed stream ends silently and reports its error only here.
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

/** The result of a run, from both sides: requests at the model server, messages in the log. */
export interface AgentReport {
  readonly way: Way
  readonly stream: boolean
  readonly steps: number
  readonly requests: number
  /** Requests that broke a rule of the format, and which rule. */
  readonly refused: number
  readonly problems: readonly string[]
  readonly overflows: number
  readonly mostTokens: number
  readonly epochs: number
  /** Whether every request contained the task word for word. */
  readonly taskShown: boolean
  /** Whether the last request still contained it. */
  readonly taskWhole: boolean
  readonly messages: number
  /** Calls and results that are in the log more than once, or not at all. */
  readonly duplicates: number
  readonly missing: number
  /** Usage reports that the engine accepted, and those that it did not. */
  readonly usageTaken: number
  readonly usageOther: number
  readonly seconds: number
}

export async function agentReport(options: {
  readonly way: Way
  readonly steps: number
  readonly stream: boolean
}): Promise<AgentReport> {
  const { way, steps, stream } = options
  const server = await startModelServer({ windowTokens, script: agentScript(steps) })
  const engine = createThroughline({
    models: [{ id: modelName, contextWindowTokens: windowTokens, tokenizer: 'o200k_base' }],
  })
  const started = performance.now()
  try {
    const usage: string[] = []
    const heard = withUsageCallback(engine, (taken) => usage.push(taken))
    const tied = tie(way, heard, server, { conversation: 'agent' })
    const done = await run(tied, [{ role: 'user', content: task }], { steps, stream })
    const chat = engine.conversation('agent')
    const log = await Array.fromAsync(chat.messages())
    const { requests } = await chat.status()
    const { served } = server
    return {
      way,
      stream,
      steps: done.steps,
      requests: served.length,
      refused: served.filter(({ status }) => status === 422).length,
      problems: served.flatMap(({ problems }) => problems).slice(0, 5),
      overflows: served.filter(({ status }) => status === 400).length,
      mostTokens: Math.max(...served.map(({ tokens }) => tokens)),
      epochs: new Set(requests.map(({ epoch }) => epoch)).size,
      taskShown: served.every(showsTask),
      taskWhole: served.at(-1) !== undefined && showsTask(served.at(-1) as Served),
      messages: log.length,
      ...countsOf(log, callsMade(steps)),
      usageTaken: usage.filter((taken) => taken === 'taken').length,
      usageOther: usage.filter((taken) => taken !== 'taken').length,
      seconds: Math.round((performance.now() - started) / 100) / 10,
    }
  } finally {
    await server.close()
    await engine.close()
  }
}

/** The engine, with a callback for how it handles each usage report. */
function withUsageCallback(engine: Throughline, onUsage: (taken: string) => void): Throughline {
  return {
    ...engine,
    conversation: (id) => {
      const chat = engine.conversation(id)
      return {
        ...chat,
        append: async (messages, options) => {
          const result = await chat.append(messages, options)
          if (result.usage !== null) onUsage(result.usage)
          return result
        },
      }
    },
  }
}

function showsTask({ body }: Served): boolean {
  return body.messages.some(({ role, content }) => role === 'user' && content === task)
}

function callsMade(steps: number): readonly string[] {
  const script = agentScript(steps)
  return Array.from({ length: steps }, (_, turn) => script(turn)).flatMap((reply) =>
    'error' in reply ? [] : (reply.calls ?? []).map(({ id }) => id),
  )
}

/** Each call once, and each result once. */
export function countsOf(
  log: readonly Message[],
  calls: readonly string[],
): Pick<AgentReport, 'duplicates' | 'missing'> {
  const found = log.flatMap(({ parts }) =>
    parts.flatMap((part) =>
      part.type === 'tool-call' || part.type === 'tool-result'
        ? [`${part.type} ${part.callId}`]
        : [],
    ),
  )
  const wanted = calls.flatMap((id) => [`tool-call ${id}`, `tool-result ${id}`])
  const known = new Set(found)
  return {
    duplicates: found.length - known.size,
    missing: wanted.filter((name) => !known.has(name)).length,
  }
}
