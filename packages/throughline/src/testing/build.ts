import type { MessageInput } from '../domain/message.ts'

/** Builds messages for tests, one method call for each. */
export interface Builder extends Iterable<MessageInput> {
  readonly messages: readonly MessageInput[]
  system(text: string): Builder
  user(text: string, author?: string): Builder
  says(text: string): Builder
  /** An assistant message with one call, or several at once. */
  calls(name: string, input?: unknown): Builder
  callsAtOnce(...names: readonly string[]): Builder
  /** Answers the oldest call that has no result yet. */
  result(output: string, options?: { readonly isError?: boolean }): Builder
  add(message: MessageInput): Builder
}

/**
 * Starts a conversation for tests.
 *
 * @example
 * const messages = build().user('Look at it').calls('read', { path: 'a.ts' }).result('…').says('Done')
 */
export function build(): Builder {
  return builder([], 0)
}

function builder(messages: readonly MessageInput[], calls: number): Builder {
  const add = (message: MessageInput, callCount = 0) =>
    builder([...messages, message], calls + callCount)
  const call = (name: string, index: number, input: unknown) =>
    ({ type: 'tool-call', callId: `call-${index}`, name, input }) as const
  return {
    messages,
    [Symbol.iterator]: () => messages[Symbol.iterator](),
    add: (message) => add(message),
    system: (content) => add({ role: 'system', content }),
    user: (content, author) => add({ role: 'user', content, author }),
    says: (content) => add({ role: 'assistant', content }),
    calls: (name, input = {}) => add({ role: 'assistant', content: [call(name, calls, input)] }, 1),
    callsAtOnce: (...names) =>
      add(
        { role: 'assistant', content: names.map((name, index) => call(name, calls + index, {})) },
        names.length,
      ),
    result: (output, { isError = false } = {}) => {
      const callId = `call-${messages.filter(({ role }) => role === 'tool').length}`
      return add({ role: 'tool', content: [{ type: 'tool-result', callId, output, isError }] })
    },
  }
}
