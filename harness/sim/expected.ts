/**
 * The expected state, derived only from what was requested and acknowledged: a log per conversation,
 * its pins, and the words that are gone from it.
 */
import type { BreakCause, CompactionMode, Context, MessageInput, PolicyInput } from 'throughline'
import type { AskedBefore } from './break-causes.ts'
import { wordsIn } from './step-append.ts'

export interface ExpectedMessage {
  readonly input: MessageInput
  /** One symbol per content: conversations that share a message share its symbol. */
  readonly content: symbol
  /** Earlier contents before edits or removals: a purge must erase them too. */
  readonly former: readonly symbol[]
  readonly removed: boolean
}

export interface ExpectedLog {
  readonly id: string
  readonly isFork: boolean
  /** By position. */
  readonly messages: ExpectedMessage[]
  pins: ReadonlySet<number>
  /** Words that must not be found in it any more. */
  readonly gone: Set<string>
  /** Calls whose results are still to come. */
  readonly openCalls: string[]
  /** Returned contexts, by fingerprint. */
  readonly contexts: Map<string, { readonly context: Context; readonly policy: PolicyInput }>
  /** Models with a request whose answer was lost: the next request may extend it. */
  readonly unanswered: Set<string>
  /** Appends whose outcome is unknown. */
  doubtful: (readonly MessageInput[])[]
  /** Events that may break the prefix, by model and cause. */
  readonly causes: Map<string, Set<BreakCause>>
  /** The policy and the inputs of the last context of each model. */
  readonly asked: Map<string, AskedBefore>
  /** The compaction mode of the conversation; undefined if unknown. */
  mode: CompactionMode | null | undefined
  /** Positions that a concurrent step pins or unpins. */
  readonly pinning: Set<number>
  /** An acknowledged change moves the version. */
  moved: boolean
  /** The version seen last. */
  version: number
  events: readonly string[]
  remembered: number
}

export function emptyLog(id: string, isFork = false): ExpectedLog {
  return {
    ...{
      id,
      isFork,
      messages: [],
      pins: new Set<number>(),
      gone: new Set<string>(),
      openCalls: [],
    },
    ...{
      contexts: new Map(),
      unanswered: new Set<string>(),
      doubtful: [],
      causes: new Map(),
      asked: new Map(),
    },
    ...{ mode: null, pinning: new Set<number>(), moved: false },
    ...{ version: 0, events: [], remembered: 0 },
  }
}

/** A fork has the messages before its point and their pins, and never the text gone by then. */
export function forkedLog(source: ExpectedLog, at: number, id: string): ExpectedLog {
  const fork = emptyLog(id, true)
  fork.messages.push(...source.messages.slice(0, at))
  fork.pins = new Set([...source.pins].filter((seq) => seq < at))
  for (const word of source.gone) fork.gone.add(word)
  return fork
}

/** The text of a message, part by part, in a form shared by inputs and stored messages. */
export function partTexts(content: MessageInput['content']): readonly (readonly string[])[] {
  if (typeof content === 'string') return content === '' ? [] : [['text', content]]
  return content.map((part) => {
    if (part.type === 'text') return ['text', part.text]
    if (part.type === 'tool-call') return ['call', part.callId, part.name, asJson(part.input)]
    if (part.type === 'tool-result')
      return ['result', part.callId, asText(part.output), String(part.isError ?? false)]
    throw new Error(`no message here has a ${part.type}`)
  })
}

function asJson(input: unknown): string {
  return typeof input === 'string' ? input : JSON.stringify(input)
}

function asText(output: unknown): string {
  if (typeof output === 'string') return output
  const { text } = output as { readonly text: string }
  return text
}

export function wordsOf({ input, removed }: ExpectedMessage): readonly string[] {
  return removed ? [] : wordsIn(input)
}

export function newMessage(input: MessageInput, former: readonly symbol[] = []): ExpectedMessage {
  return { input, content: Symbol('content'), former, removed: false }
}

export function removedMessage(old: ExpectedMessage, isPurged: boolean): ExpectedMessage {
  const { input } = old
  return {
    ...{ input: { role: input.role, content: [] }, content: Symbol('removed'), removed: true },
    former: isPurged ? [] : contentsOf(old),
  }
}

/** The current and the earlier contents. */
export function contentsOf({ content, former, removed }: ExpectedMessage): readonly symbol[] {
  return removed ? former : [...former, content]
}
