/**
 * Simulates a conversation request by request on a temporary store: appends the new messages, builds a
 * context and records it. Checks, bills and scores do not count as time of a turn.
 */
import {
  type Context,
  type ConversationHandle,
  loadGptTokenizer,
  type Meter,
  type Receipt,
} from '../../index.ts'
import { readPolicy } from '../../toolkit/index.ts'
import type { OpenEngine } from '../open-engine.ts'
import { counted, grouped } from '../screen/numbers.ts'
import { liveFrame } from '../screen/progress.ts'
import { createFitChecker, createRecount, type Recount } from '../simulation/checks.ts'
import { createCostSession } from '../simulation/cost-session.ts'
import { requestPlaces } from '../simulation/recorded-conversation.ts'
import { countOne, policyHash } from '../simulation/statistics.ts'
import { contentText, survivalAlong } from '../simulation/survival-along.ts'
import { pause, type World } from '../world.ts'
import { replayPicture } from './replay-picture.ts'
import { countsOf, type ReplayReport, type ReplaySeries, ReplayTally } from './replay-report.ts'
import type { ReplayedConversation } from './replay-source.ts'

interface ReplayRun {
  readonly conversation: ReplayedConversation
  readonly most: number
  /** Null for as many as possible. */
  readonly perSecond: number | null
  readonly quiet: boolean
}

export async function runReplay(
  { conversation, most, perSecond, quiet }: ReplayRun,
  { engine, tl, settings }: OpenEngine,
  world: World,
): Promise<{ readonly report: ReplayReport; readonly series: ReplaySeries }> {
  const { model } = settings
  const meter = await engine.meter(model)
  const windowTokens = meter.card.contextWindowTokens
  const exact = await loadGptTokenizer('o200k_base')
  // Without an exact tokenizer, token counts are not checked.
  const recount = exact === null ? () => 0 : createRecount(exact)
  const policy = readPolicy(settings.policy)
  const { id, title, messages, prompts, others } = conversation
  const about = {
    conversation: { id, title, messages: messages.length, prompts, others },
    policy: { name: policy.name, hash: policyHash(policy) },
    model,
    windowTokens,
    recounted: exact !== null,
  }
  const places = requestPlaces(conversation).slice(0, most)
  const tally = new ReplayTally(about, places.length)
  const chat = tl.conversation(id)
  const request = createReplay(conversation, chat, tally, { meter, recount })
  const watched = watchReplay(tally, quiet, world)
  try {
    for (const [index, place] of places.entries()) {
      await request(index, place)
      world.signal.throwIfAborted()
      await watched.step(index === places.length - 1)
      // Even a pause of 0 lets signals and background work through.
      await pause(perSecond === null ? 0 : 1_000 / perSecond, world.signal)
    }
    await engine.settled()
    return { report: tally.report(await allReceipts(chat), meter), series: tally.series }
  } finally {
    await watched.end()
  }
}

/** Builds the context before the message at a position and adds it to the tally. */
function createReplay(
  conversation: ReplayedConversation,
  chat: ConversationHandle,
  tally: ReplayTally,
  { meter, recount }: { readonly meter: Meter; readonly recount: Recount },
) {
  const { system, tools, messages } = conversation
  const { model, windowTokens } = tally.about
  const checker = createFitChecker(chat, { model, system, tools }, recount)
  const costs = createCostSession({ conversation, windowTokens, meter, bills: tally.bills })
  const scored = messages.map(({ role, content }) => ({
    isAssistant: role === 'assistant',
    text: contentText(content),
  }))
  const survival = survivalAlong(scored, conversation.workingFolder)
  const report = (kind: string) => countOne(tally.violations, kind)
  let appended = 0
  let epoch: number | null = null
  return async (index: number, place: number): Promise<void> => {
    const fresh = messages.slice(appended, place)
    const started = performance.now()
    await chat.append(fresh)
    const asked = await checker.ask(report)
    tally.turnMs.push(performance.now() - started)
    appended = place
    if (asked === 'impossible') tally.impossible += 1
    if (asked === null || asked === 'impossible') return
    const { context } = asked
    await checker.check(asked, index, report)
    const receipt = context.epoch === epoch ? null : await receiptOf(chat, context)
    epoch = context.epoch
    const names = receipt && survival(place, textOf(context))
    const compaction = receipt && { request: index + 1, place, receipt, names }
    tally.add({ place, context, costs: costs.add(place, context), compaction })
  }
}

/** Null for a first epoch that shows all messages. */
async function receiptOf(chat: ConversationHandle, context: Context): Promise<Receipt | null> {
  const [receipt] = await chat.receipts({ limit: 1 })
  if (receipt === undefined || receipt.epoch !== context.epoch) return null
  const { cause, covered, stubbed } = receipt
  return cause === 'first' && covered.to === covered.from && stubbed === 0 ? null : receipt
}

function textOf({ messages }: Context): string {
  return messages.map(({ parts }) => contentText(parts)).join('\n')
}

async function allReceipts(chat: ConversationHandle): Promise<readonly Receipt[]> {
  const receipts: Receipt[] = []
  for (;;) {
    const before = receipts.at(-1)?.version
    const page = await chat.receipts(before === undefined ? {} : { before })
    if (page.length === 0) return receipts
    receipts.push(...page)
  }
}

const betweenLinesMs = 5_000

/** Shows progress: a live picture on a terminal, a line every 5 s elsewhere, nothing with --quiet. */
function watchReplay(tally: ReplayTally, quiet: boolean, world: World) {
  const { stderr, now } = world
  const started = now()
  const frame = liveFrame(world)
  let writtenAt = started
  const writeLine = async () => {
    if (now() - writtenAt < betweenLinesMs) return
    writtenAt = now()
    const { requests, total, causes, violations } = tally
    await stderr.write(
      `replay: ${grouped(requests)} of ${counted(total, 'request')}, ${counted(countsOf(causes).total, 'compaction')}, ${counted(countsOf(violations).total, 'invalid request')}\n`,
    )
  }
  const draw = (isLast: boolean) =>
    frame.draw(() => replayPicture(tally, now() - started, stderr), isLast)
  const show = stderr.redraws ? draw : writeLine
  return { step: quiet ? async () => {} : show, end: () => frame.end() }
}
