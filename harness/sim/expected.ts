/**
 * What should be, kept beside the engine and made from what was asked for and acknowledged
 * alone: a log for each conversation, its pins, and the words that are gone from it.
 */
import type { BreakCause, CompactionMode, Context, MessageInput, PolicyInput } from 'throughline'
import type { AskedBefore } from './break-causes.ts'
import { wordsIn } from './step-append.ts'

export interface ExpectedMessage {
  readonly input: MessageInput
  /** One symbol, one content: conversations that share a message have the same one. */
  readonly content: symbol
  /** What stood there before it was edited or removed: whoever purges it means that too. */
  readonly former: readonly symbol[]
  readonly removed: boolean
}

export interface ExpectedLog {
  readonly id: string
  readonly isFork: boolean
  /** By place. */
  readonly messages: ExpectedMessage[]
  pins: ReadonlySet<number>
  /** Words that nobody may find in it any more. */
  readonly gone: Set<string>
  /** Calls whose results are to come. */
  readonly openCalls: string[]
  /** Contexts that were handed out, by their fingerprint. */
  readonly contexts: Map<string, { readonly context: Context; readonly policy: PolicyInput }>
  /** The models of which one was asked for that nobody got: the next may go on from it. */
  readonly unheard: Set<string>
  /** Appends of which nobody has heard whether they were written. */
  doubtful: (readonly MessageInput[])[]
  /** What has happened that may break the prefix, for each model, by its cause. */
  readonly causes: Map<string, Set<BreakCause>>
  /** The policy and the extras of the last context of each model. */
  readonly asked: Map<string, AskedBefore>
  /** As the conversation says; undefined where nobody knows. */
  mode: CompactionMode | null | undefined
  /** Places that somebody pins or unpins now. */
  readonly pinning: Set<number>
  /** Something was acknowledged that moves the version. */
  moved: boolean
  /** As it was seen last. */
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
      unheard: new Set<string>(),
      doubtful: [],
      causes: new Map(),
      asked: new Map(),
    },
    ...{ mode: null, pinning: new Set<number>(), moved: false },
    ...{ version: 0, events: [], remembered: 0 },
  }
}

/** A fork has the messages before its point and their pins; what was gone by then was never there. */
export function forkedLog(source: ExpectedLog, at: number, id: string): ExpectedLog {
  const fork = emptyLog(id, true)
  fork.messages.push(...source.messages.slice(0, at))
  fork.pins = new Set([...source.pins].filter((seq) => seq < at))
  for (const word of source.gone) fork.gone.add(word)
  return fork
}

/** What a message says, part by part, in a form that what was handed in and what is stored share. */
export function saidIn(content: MessageInput['content']): readonly (readonly string[])[] {
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

/** What is there, and what was. */
export function contentsOf({ content, former, removed }: ExpectedMessage): readonly symbol[] {
  return removed ? former : [...former, content]
}
