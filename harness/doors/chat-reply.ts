/** What a scripted model says, in the forms of OpenAI's chat: whole, and as events of a stream. */
export type ScriptedReply =
  | {
      readonly text?: string
      readonly calls?: readonly ScriptedCall[]
      /** After so many events of a stream the connection is lost. */
      readonly cutAfterEvents?: number
      /** The connection stays open after the last event. */
      readonly hangs?: boolean
    }
  | { readonly status: number; readonly error: object }

interface ScriptedCall {
  readonly id: string
  readonly name: string
  readonly input: object
}

type Said = Exclude<ScriptedReply, { readonly error: object }>

export function chatReply({ text, calls = [] }: Said, promptTokens: number): object {
  const message = {
    role: 'assistant',
    content: text ?? null,
    ...(calls.length === 0 ? {} : { tool_calls: calls.map(callOf) }),
  }
  const finish_reason = calls.length === 0 ? 'stop' : 'tool_calls'
  return {
    id: 'chatcmpl-1',
    object: 'chat.completion',
    created: 0,
    model: 'scripted',
    choices: [{ index: 0, message, finish_reason }],
    usage: usageOf(promptTokens),
  }
}

/** Words one by one, each call with its arguments in two halves. */
export function chatEvents(
  { text = '', calls = [] }: Said,
  promptTokens: number,
): readonly object[] {
  const words = text === '' ? [] : text.split(/(?<= )/)
  return [
    event({ role: 'assistant', content: '' }),
    ...words.map((content) => event({ content })),
    ...calls.flatMap((call, index) => {
      const { function: made, ...fields } = callOf(call)
      const half = Math.ceil(made.arguments.length / 2)
      const [first, second] = [made.arguments.slice(0, half), made.arguments.slice(half)]
      return [
        event({ tool_calls: [{ index, ...fields, function: { ...made, arguments: first } }] }),
        event({ tool_calls: [{ index, function: { arguments: second } }] }),
      ]
    }),
    event({}, calls.length === 0 ? 'stop' : 'tool_calls'),
    { ...event({}), choices: [], usage: usageOf(promptTokens) },
  ]
}

function event(delta: object, finish_reason: string | null = null): object {
  const choices = [{ index: 0, delta, finish_reason }]
  return {
    id: 'chatcmpl-1',
    object: 'chat.completion.chunk',
    created: 0,
    model: 'scripted',
    choices,
  }
}

function callOf({ id, name, input }: ScriptedCall) {
  return { id, type: 'function', function: { name, arguments: JSON.stringify(input) } }
}

function usageOf(promptTokens: number): object {
  return { prompt_tokens: promptTokens, completion_tokens: 20, total_tokens: promptTokens + 20 }
}
