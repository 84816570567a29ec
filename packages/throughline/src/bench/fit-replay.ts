/**
 * A conversation lived through again, call by call, through the public face: what came
 * since is appended, a context is asked for, and everything that must hold is checked.
 */
import type { ConversationHandle } from '../conversation/handle.ts'
import type { Context, ContextMessage, Deliverable } from '../domain/context.ts'
import type { ToolSchema } from '../domain/tool-schema.ts'
import { isThroughlineError } from '../errors.ts'
import type { ContextInput } from '../flow/request.ts'
import { createThroughline } from '../throughline.ts'
import {
  checkFormat,
  checkPairs,
  checkPrefix,
  checkTokens,
  commonMessages,
  nearlyExact,
  type Report,
  type Sent,
  sentOf,
} from './fit-checks.ts'
import type { RecordedConversation } from './fit-conversations.ts'
import { formats } from './fit-formats.ts'
import type { Recount } from './fit-recount.ts'
import { countOne, type FitTally } from './fit-tally.ts'

export interface Replay {
  readonly conversation: RecordedConversation
  readonly windowTokens: number
  readonly recount: Recount
  readonly tally: FitTally
  /** Told of each violation, with the number of the request. */
  readonly note: (kind: string, found: string, request: number) => void
}

/** Each such request is asked for twice. */
const requestsPerRepetition = 20
/** Each such request is written in every format and counted in one piece; others in one, in turns. */
const requestsPerFullCheck = 50

export async function replay(input: Replay): Promise<void> {
  const { conversation, windowTokens, recount, tally, note } = input
  const { id, system, tools, messages, calls } = conversation
  const model = `window-${windowTokens}`
  const card = { id: model, contextWindowTokens: windowTokens, tokenizer: 'o200k_base' } as const
  const engine = createThroughline({ models: [card] })
  const chat = engine.conversation(id)
  const prompt = { model, system, tools }
  const promptTokens = leastTokens(system, tools, recount)
  let appended = 0
  let before: Asked | null = null
  for (const [index, place] of calls.entries()) {
    const report: Report = (kind, found) => {
      countOne(tally.violations, kind)
      note(kind, found, index)
    }
    await chat.append(messages.slice(appended, place))
    appended = place
    const started = performance.now()
    const asked = await ask(chat, prompt, promptTokens, report)
    tally.contextMs.push(performance.now() - started)
    tally.requests += 1
    if (asked === 'impossible') tally.impossible += 1
    if (asked === null || asked === 'impossible') continue
    add(asked, before, tally)
    check(asked, before, report)
    checkFormats(asked.context, index, recount, report)
    before = asked
    if (index % requestsPerRepetition === 0)
      checkAgain(asked, await ask(chat, prompt, promptTokens, report), report)
  }
  tally.conversations += 1
  await engine.close()
}

/** A note on what is not shown, and the newest message in short: with less nobody can go on. */
const leastSaid = [
  '[earlier messages of this conversation, #0 to #99, are not shown]',
  'so\n[… 100 characters left out; whole in #100 …]\non',
]

/** Of the least that can be asked with that prompt, in the format that takes the most. */
function leastTokens(system: string, tools: readonly ToolSchema[], recount: Recount): number {
  const message = (text: string): ContextMessage => ({
    role: 'user',
    author: null,
    parts: [{ type: 'text', text, metadata: null }],
    meta: null,
    seq: null,
    slot: 'current',
  })
  const least: Deliverable = {
    system: [{ type: 'text', text: system, metadata: null }],
    tools,
    messages: leastSaid.map(message),
    files: new Map(),
    breakpoints: [],
  }
  const counts = formats.map((format) => {
    const request = format.write(least)
    return typeof request === 'string' ? 0 : recount.exact(request)
  })
  return Math.max(...counts)
}

interface Asked {
  readonly context: Context
  readonly sent: Sent
}

/** Null where it failed and should not have. */
async function ask(
  chat: ConversationHandle,
  input: ContextInput,
  promptTokens: number,
  report: Report,
): Promise<Asked | 'impossible' | null> {
  try {
    const context = await chat.context(input)
    return { context, sent: sentOf(context) }
  } catch (error) {
    const overflows = isThroughlineError(error) && error.code === 'CONTEXT_OVERFLOW'
    // Only a prompt that is too large by itself, by our own count, is rightly refused.
    const available = overflows ? Number(error.details?.['availableTokens']) : Number.NaN
    if (promptTokens > available) return 'impossible'
    report(
      overflows ? 'overflow error' : 'other error',
      `system, tools and a note are ${promptTokens} tokens: ${error}`,
    )
    return null
  }
}

function add({ context, sent }: Asked, before: Asked | null, tally: FitTally): void {
  const { brokenBy, epoch, tokens, available } = context
  tally.fills.push(tokens / available)
  if (brokenBy !== null) countOne(tally.breaks, brokenBy)
  if (before !== null && epoch !== before.context.epoch) {
    tally.epochs += 1
    tally.fillsAfterEpoch.push(tokens / available)
  }
  const lengthOf = (messages: readonly string[]) =>
    messages.reduce((sum, message) => sum + message.length, 0)
  tally.characters += sent.head.length + lengthOf(sent.messages)
  if (before === null || before.sent.head !== sent.head) return
  const kept = commonMessages(before.sent, sent)
  tally.repeatedCharacters += sent.head.length + lengthOf(sent.messages.slice(0, kept))
}

function check({ context, sent }: Asked, before: Asked | null, report: Report): void {
  checkTokens(context, report)
  checkPairs(context.messages, report)
  checkPrefix(context, before?.sent ?? null, sent, report)
}

function checkFormats(context: Context, index: number, recount: Recount, report: Report): void {
  if (index % requestsPerFullCheck === 0) {
    for (const format of formats) checkFormat(context, format, recount.exact, report)
    return
  }
  const format = formats[index % formats.length]
  if (format !== undefined) checkFormat(context, format, nearlyExact(recount), report)
}

function checkAgain(first: Asked, second: Asked | 'impossible' | null, report: Report): void {
  if (second === null || second === 'impossible') return
  const bytes = ({ sent }: Asked) => JSON.stringify([sent.fingerprint, sent.head, sent.messages])
  if (bytes(first) !== bytes(second))
    report('not the same bytes twice', `${first.sent.fingerprint}, ${second.sent.fingerprint}`)
}
