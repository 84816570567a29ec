/** A run of an agent, looked at from both ends: what the model's server saw, what the log holds. */
import { createThroughline, type Message, type Throughline } from 'throughline'
import { agentScript, modelName, run, task, tie, type Way, windowTokens } from './agent.ts'
import { type Served, startModelServer } from './model-server.ts'

export interface AgentReport {
  readonly way: Way
  readonly stream: boolean
  readonly steps: number
  readonly requests: number
  /** Requests that broke a rule of the format, and what they broke. */
  readonly refused: number
  readonly problems: readonly string[]
  readonly overflows: number
  readonly mostTokens: number
  readonly epochs: number
  /** Whether every request had the task, word for word. */
  readonly taskShown: boolean
  /** Whether the last one still had it. */
  readonly taskWhole: boolean
  readonly messages: number
  /** Calls and results that the log has more than once, or not. */
  readonly duplicates: number
  readonly missing: number
  /** Reports of usage that the engine took in, and those that it did not. */
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
    const heard = withUsageHeard(engine, (taken) => usage.push(taken))
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

/** The engine, with an ear on what becomes of the usage that is handed in. */
function withUsageHeard(engine: Throughline, hear: (taken: string) => void): Throughline {
  return {
    ...engine,
    conversation: (id) => {
      const chat = engine.conversation(id)
      return {
        ...chat,
        append: async (messages, options) => {
          const result = await chat.append(messages, options)
          if (result.usage !== null) hear(result.usage)
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
