/** The same through a store: appended in pieces, pinned, asked with and without a next message. */
import { type Context, type ConversationHandle, createThroughline } from 'throughline'
import { attempt, noteRefusal } from './attempt.ts'
import { bytesOf, checkContext } from './check-context.ts'
import { checkPrefix } from './check-prefix.ts'
import { type Seals, sealsOf } from './check-sealed.ts'
import { cardOf, createOracle, type Oracle, rememberingTokenizer } from './oracle.ts'
import type { Case } from './random-case.ts'
import { grownTo } from './run-growing.ts'
import { createTally, type Report, type Tally } from './tally.ts'
import { type Violation, violation } from './violation.ts'

interface Tools {
  readonly tally: Tally
  readonly oracle: Oracle
  readonly seals: Seals
}

const windowEvery = 4

export async function runStored(made: Case): Promise<Report> {
  const tally = createTally(made.seed)
  const tools = { tally, oracle: createOracle(), seals: sealsOf(made.messages) }
  const windows = made.windows.filter((_, at) => at % windowEvery === 0)
  for (const windowTokens of windows) await runWindow(made, windowTokens, tools)
  return tally.report()
}

/** In thirds; the message behind each is asked with as `next` before it is appended. */
async function runWindow(made: Case, windowTokens: number, tools: Tools): Promise<void> {
  const { policy, compaction, compact, pins = [], ...asked } = made.asked
  const card = cardOf(windowTokens)
  const engine = createThroughline({
    models: [card],
    tokenizer: rememberingTokenizer(),
    clock: { now: () => 0 },
    ...(policy === undefined ? {} : { policy }),
    ...(compaction === undefined ? {} : { compaction }),
  })
  const chat = engine.conversation('prop')
  const third = Math.max(1, Math.ceil(made.messages.length / 3))
  let before: Context | null = null
  for (let from = 0; from < made.messages.length; from += third) {
    const head = Math.min(from + third, made.messages.length)
    await chat.append(made.messages.slice(from, head))
    for (const seq of pins) if (seq < head) await chat.pin(seq)
    if (compact === true) await chat.compact()
    const next = made.messages[head]
    const plain = { ...asked, model: card.id }
    for (const input of next === undefined ? [plain] : [plain, { ...plain, next }]) {
      const shown = grownTo(made, head)
      const messages = 'next' in input ? [...shown.messages, input.next] : shown.messages
      const ask = () => chat.context(input)
      before = await checkAsked({ ...shown, messages }, windowTokens, ask, before, tools)
      if (before !== null) tools.tally.note(windowTokens, await checkExpand(chat, before, head))
    }
  }
  await engine.close()
}

/** Asked twice; answers with what the next context is held against. */
async function checkAsked(
  made: Case,
  windowTokens: number,
  ask: () => Promise<Context>,
  before: Context | null,
  tools: Tools,
): Promise<Context | null> {
  const { tally } = tools
  const first = await attempt(ask)
  if (first.context === null) {
    noteRefusal(first, made, windowTokens, tools)
    return before
  }
  const { written, violations } = checkContext(first.context, made, windowTokens, tools)
  tally.wrote(written.length)
  tally.note(windowTokens, violations)
  if (before !== null)
    tally.note(windowTokens, checkPrefix(before, first.context, made.asked.policy))
  const { context: again } = await attempt(ask)
  // Cache marks move behind the request before, which is another one the second time.
  const unmarked = (context: Context) => bytesOf({ ...context, breakpoints: [] })
  if (again === null || unmarked(again) !== unmarked(first.context))
    tally.note(windowTokens, [violation('same-bytes', 'the second context() gave others')])
  return again ?? first.context
}

/** Whatever is not shown whole stands one `expand` away, message for message. */
async function checkExpand(
  chat: ConversationHandle,
  { omitted }: Context,
  head: number,
): Promise<readonly Violation[]> {
  const found: Violation[] = []
  for (const { span } of omitted) {
    if (span === null || span.from >= head) continue
    const to = Math.min(span.to, head)
    const expanded = await chat.expand({ from: span.from, to }, { limit: to - span.from })
    // Calls of results may come before.
    const given = expanded?.messages.filter(({ seq }) => seq >= span.from)
    if (given?.length !== to - span.from)
      found.push(violation('expand', `#${span.from} to #${to - 1} cannot be read back`))
  }
  return found
}
