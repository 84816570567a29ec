/**
 * A conversation lived through again, call by call, through the public face: what came since is
 * appended, a context is asked for, and of each we keep what there is to see. What is checked,
 * billed and scored beside it is no part of the time that a turn takes.
 */
import type {
  BreakCause,
  Budget,
  Context,
  ConversationHandle,
  Meter,
  Receipt,
} from '../../index.ts'
import { askContext, leastTokens } from '../simulation/ask-context.ts'
import { Bill, type Costs } from '../simulation/bill.ts'
import { createFitChecker, type Recount } from '../simulation/checks.ts'
import { contentText } from '../simulation/content-text.ts'
import { type CostMethod, costMethods, createCostSession } from '../simulation/cost-session.ts'
import { requestPlaces } from '../simulation/recorded-conversation.ts'
import { type Survived, survivalAlong } from '../simulation/survival-along.ts'
import type { ReplayedConversation } from './replay-source.ts'
import { type LogBands, logBandsOf, type WindowBands, windowBandsOf } from './shown-bands.ts'

export interface ReplayStep {
  /** From 0. */
  readonly index: number
  /** The place of the message that the model gave, and so the end of the log when it was asked. */
  readonly place: number
  /** Null where nothing could be asked: the prompt alone is too large, or it failed. */
  readonly asked: AskedStep | null
  readonly isImpossible: boolean
  readonly turnMs: number
  readonly violations: readonly Violation[]
}

export interface AskedStep {
  readonly context: Context
  readonly tokens: number
  readonly budget: Budget
  readonly bands: WindowBands
  readonly log: LogBands
  readonly brokenBy: BreakCause | null
  readonly compaction: ReplayedCompaction | null
  readonly costs: Readonly<Partial<Record<CostMethod, Costs>>>
}

interface ReplayedCompaction {
  readonly receipt: Receipt
  readonly survived: Survived | null
}

interface Violation {
  readonly kind: string
  readonly found: string
}

export interface ReplayInput {
  readonly conversation: ReplayedConversation
  readonly chat: ConversationHandle
  readonly model: string
  readonly windowTokens: number
  readonly meter: Meter
  readonly recount: Recount
  /** Requests at most. */
  readonly most: number
}

export type ReplayBills = Readonly<Record<CostMethod, Bill>>

export interface Replaying {
  /** Requests that there will be. */
  readonly total: number
  readonly bills: ReplayBills
  readonly steps: AsyncIterable<ReplayStep>
}

export function replaying(input: ReplayInput): Replaying {
  const places = requestPlaces(input.conversation).slice(0, input.most)
  // One for each method.
  const bills = Object.fromEntries(
    costMethods.map((method) => [method, new Bill()]),
  ) as unknown as ReplayBills
  return { total: places.length, bills, steps: steps(input, places, bills) }
}

async function* steps(
  input: ReplayInput,
  places: readonly number[],
  bills: ReplayBills,
): AsyncGenerator<ReplayStep> {
  const { conversation, chat, model, windowTokens, meter, recount } = input
  const { system, tools, messages } = conversation
  const prompt = { model, system, tools }
  const promptTokens = leastTokens(system, tools, recount)
  const checker = createFitChecker(recount)
  const costs = createCostSession({ conversation, windowTokens, meter, bills })
  const survival = survivalAlong(messages.map(scored), conversation.workingFolder)
  let appended = 0
  let epoch: number | null = null
  for (const [index, place] of places.entries()) {
    const violations: Violation[] = []
    const report = (kind: string, found: string) => violations.push({ kind, found })
    const fresh = messages.slice(appended, place)
    const started = performance.now()
    await chat.append(fresh)
    const asked = await askContext(chat, prompt, promptTokens, report)
    const turnMs = performance.now() - started
    appended = place
    if (asked === null || asked === 'impossible') {
      yield { index, place, asked: null, isImpossible: asked !== null, turnMs, violations }
      continue
    }
    const { context } = asked
    checker.check(asked, index, report)
    if (checker.isAskedTwice(index))
      checker.checkAgain(asked, await askContext(chat, prompt, promptTokens, report), report)
    const receipt = context.epoch === epoch ? null : await receiptOf(chat, context)
    epoch = context.epoch
    yield {
      index,
      place,
      isImpossible: false,
      turnMs,
      violations,
      asked: {
        context,
        tokens: context.tokens,
        budget: context.budget,
        bands: windowBandsOf(context),
        log: logBandsOf(context, place),
        brokenBy: context.brokenBy,
        costs: costs.add(place, context),
        compaction:
          receipt === null ? null : { receipt, survived: survival.at(place, textOf(context)) },
      },
    }
  }
}

/** Of an epoch that began with less than everything; the first shows all as long as all fits. */
async function receiptOf(chat: ConversationHandle, context: Context): Promise<Receipt | null> {
  const [receipt] = await chat.receipts({ limit: 1 })
  if (receipt === undefined || receipt.epoch !== context.epoch) return null
  const { cause, covered, stubbed } = receipt
  return cause === 'first' && covered.to === covered.from && stubbed === 0 ? null : receipt
}

function scored({ role, content }: ReplayedConversation['messages'][number]) {
  return { isAssistant: role === 'assistant', text: contentText(content) }
}

function textOf({ messages }: Context): string {
  return messages.map(({ parts }) => contentText(parts)).join('\n')
}
