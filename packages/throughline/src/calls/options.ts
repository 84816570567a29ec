/** Options that every integration has: which engine, which conversation, and how prompts relate to its log. */
import type { TenantHandle } from '../conversation/tenant-handle.ts'
import { describe } from '../domain/text.ts'
import { checkOptions, invalidOption } from '../flow/check/check-options.ts'

/** The options of an integration: engine, conversation, and how prompts relate to its log. */
export interface CallOptions<Call> {
  /** `createThroughline(…)`, or a tenant of it. */
  readonly engine: Pick<TenantHandle, 'conversation' | 'list'>
  /** The conversation of a call: its id, or a function that returns it. */
  readonly conversation?: string | ((call: Call) => string | Promise<string>) | undefined
  /** The name of the model card to count with; by default `provider/modelId`. */
  readonly model?: string | undefined
  /**
   * What your prompts contain. `whole` (the default): the whole conversation, as you store it. `recent`:
   * its end or only new messages; the log has the rest.
   */
  readonly history?: 'whole' | 'recent' | undefined
  /**
   * What to do when a prompt does not continue the log: a message was edited or removed, or it is another
   * conversation. `fork` (the default): fork at the last position where both agree; the fork's id ends in
   * `~2`, `~3` …. `refuse`: throw an error with the code HISTORY_CHANGED.
   */
  readonly changed?: 'fork' | 'refuse' | undefined
}

export type Settings<Call> = CallOptions<Call> & {
  readonly history: 'whole' | 'recent'
  readonly changed: 'fork' | 'refuse'
}

const fields = ['engine', 'conversation', 'model', 'history', 'changed'] as const

export function checkCallOptions<Call>(options: CallOptions<Call>, where: string) {
  const { engine, conversation, model, history, changed } = checkOptions(options, fields, where)
  const wrong = (field: string, what: string, got: unknown) =>
    invalidOption(`${where}: ${field} must be ${what}, got ${describe(got)}`)
  if (typeof engine?.conversation !== 'function' || typeof engine.list !== 'function')
    throw invalidOption(`${where}: engine must be the result of createThroughline`)
  if (!['undefined', 'string', 'function'].includes(typeof conversation))
    throw wrong('conversation', 'an id or a function that returns one', conversation)
  if (model !== undefined && typeof model !== 'string')
    throw wrong('model', 'the name of a model', model)
  if (!['whole', 'recent', undefined].includes(history))
    throw wrong('history', '"whole" or "recent"', history)
  if (!['fork', 'refuse', undefined].includes(changed))
    throw wrong('changed', '"fork" or "refuse"', changed)
  const settings = { history: history ?? 'whole', changed: changed ?? 'fork' }
  return { ...options, ...settings } satisfies Settings<Call>
}

export async function conversationOf<Call>(
  { conversation }: Settings<Call>,
  call: Call,
  /** Takes precedence over the option. */
  namedByCall: unknown,
  /** How else a call can name one, for the error. */
  orElse: string,
): Promise<string> {
  const id =
    namedByCall ?? (typeof conversation === 'function' ? await conversation(call) : conversation)
  if (typeof id === 'string' && id !== '') return id
  throw invalidOption(
    `no conversation for this call: set the option "conversation"${orElse}; got ${describe(id)}`,
  )
}
