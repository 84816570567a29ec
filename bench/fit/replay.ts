/**
 * Replays a conversation request by request through the public API: appends the new messages, requests
 * a context, and checks everything that must be true of it.
 */
import { createThroughline } from 'throughline'
import { commonLength } from '../../packages/throughline/src/cli/simulation/bill.ts'
import {
  type Asked,
  createFitChecker,
  type Recount,
  type Report,
} from '../../packages/throughline/src/cli/simulation/checks.ts'
import type { RecordedConversation } from '../../packages/throughline/src/cli/simulation/recorded-conversation.ts'
import { countOne } from '../../packages/throughline/src/cli/simulation/statistics.ts'
import type { FitTally } from './tally.ts'

export interface Replay {
  readonly conversation: RecordedConversation
  readonly windowTokens: number
  readonly recount: Recount
  readonly tally: FitTally
  /** Receives each violation, with the number of the request. */
  readonly note: (kind: string, found: string, request: number) => void
}

export async function replay(input: Replay): Promise<void> {
  const { conversation, windowTokens, recount, tally, note } = input
  const { id, system, tools, messages, calls } = conversation
  const model = `window-${windowTokens}`
  const card = { id: model, contextWindowTokens: windowTokens, tokenizer: 'o200k_base' } as const
  const engine = createThroughline({ models: [card] })
  const chat = engine.conversation(id)
  const checker = createFitChecker(chat, { model, system, tools }, recount)
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
    const asked = await checker.ask(report)
    tally.contextMs.push(performance.now() - started)
    tally.requests += 1
    if (asked === 'impossible') tally.impossible += 1
    if (asked === null || asked === 'impossible') continue
    add(asked, before, tally)
    await checker.check(asked, index, report)
    before = asked
  }
  tally.conversations += 1
  await engine.close()
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
  const kept = commonLength(before.sent.messages, sent.messages)
  tally.repeatedCharacters += sent.head.length + lengthOf(sent.messages.slice(0, kept))
}
