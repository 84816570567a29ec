/** Runs the cases of consecutive seeds; each seed can be run alone. */
import {
  type Context,
  type ConversationHandle,
  createThroughline,
  type FitInput,
  type Fitted,
  fit as shipped,
  type Tokenizer,
} from 'throughline'
import { thrownDetail } from '../kernel/finding.ts'
import type { SeededRuns } from '../kernel/threads.ts'
import {
  type Attempt,
  attempt,
  bytesOf,
  checkContext,
  checkFill,
  fillOf,
  fixedTokens,
  noteRefusal,
} from './check-budget.ts'
import { checkPrefix } from './check-prefix.ts'
import { type Seals, sealsOf } from './check-sealed.ts'
import { cardOf, createOracle, type Oracle, rememberingTokenizer } from './oracle.ts'
import { type Case, randomCase } from './random-case.ts'
import {
  createTally,
  nothingSeen,
  type Report,
  sumOf,
  type Tally,
  type Violation,
  violation,
} from './tally.ts'

export async function runSeeds({ seed: first, runs }: SeededRuns): Promise<Report> {
  const reports: Report[] = []
  for (let seed = first; seed < first + runs; seed += 1) reports.push(await runSeed(seed))
  return sumOf(reports)
}

async function runSeed(seed: number): Promise<Report> {
  try {
    return await runMade(await randomCase(seed), shipped)
  } catch (cause) {
    // Creating a case also uses adapters: errors they throw are findings.
    const detail = `the case could not be created: ${thrownDetail(cause)}`
    const finding = {
      rule: 'error',
      windowTokens: 0,
      detail,
      rerun: `--seed ${seed} --runs 1`,
    } as const
    return { ...nothingSeen, cases: 1, findings: [finding] }
  }
}

const growingEvery = 7
const storedEvery = 11

/** The seed decides: through a store, as the history grows, or window by window. */
export function runMade(made: Case, fit: Fit): Promise<Report> {
  if (made.seed % storedEvery === 0) return runStored(made)
  return made.seed % growingEvery === 0 ? runGrowing(made, fit) : runCase(made, fit)
}

/**
 * Runs one case in every window: fits, writes, checks. `fit` is a parameter, so that a planted mistake
 * takes the same path as the real function.
 */
export type Fit = (input: FitInput) => Promise<Fitted>

// In one case of this many, every window is requested twice.
const againEvery = 4

export async function runCase(made: Case, fit: Fit): Promise<Report> {
  const tally = createTally(made.seed)
  const tools = { tally, oracle: createOracle(), seals: sealsOf(made.messages) }
  const tokenizer = rememberingTokenizer()
  const held = fixedTokens(made, tools.oracle)
  for (const [index, windowTokens] of made.windows.entries()) {
    const input = inputOf(made, windowTokens, tokenizer)
    const fitted = await attempt(() => fit(input))
    if (fitted.context === null) {
      noteRefusal(fitted, made, windowTokens, tools)
      continue
    }
    const { written, violations } = checkContext(fitted.context, made, windowTokens, tools)
    const fill = fillOf(made, windowTokens, held, written)
    tally.wrote(written.length)
    tally.filled(fill)
    tally.note(windowTokens, [...violations, ...checkFill(fill)])
    if ((index + made.seed) % againEvery !== 0) continue
    const { context: again } = await attempt(() => fit(input))
    if (again === null || bytesOf(again) !== bytesOf(fitted.context))
      tally.note(windowTokens, [violation('same-bytes', 'the second call returned other bytes')])
  }
  return tally.report()
}

function inputOf({ messages, asked }: Case, windowTokens: number, tokenizer: Tokenizer): FitInput {
  const card = cardOf(windowTokens)
  return { ...asked, messages, model: card.id, models: [card], tokenizer }
}

/**
 * Runs a growing history with its state: checks every step, also against the previous one.
 */
export async function runGrowing(made: Case, fit: Fit): Promise<Report> {
  const windowTokens = made.windows[made.seed % made.windows.length] ?? 1_000
  const tally = createTally(made.seed)
  const tools = { tally, oracle: createOracle(), seals: sealsOf(made.messages) }
  const tokenizer = rememberingTokenizer()
  const step = 1 + (made.seed % 2)
  let before: Fitted | null = null
  for (let length = 1; length <= made.messages.length; length += step) {
    const grown = grownTo(made, length)
    const input: FitInput = { ...inputOf(grown, windowTokens, tokenizer), state: before?.state }
    const fitted: Attempt<Fitted> = await attempt(() => fit(input))
    if (fitted.context === null) {
      noteRefusal(fitted, grown, windowTokens, tools)
      continue
    }
    const { written, violations } = checkContext(fitted.context, grown, windowTokens, tools)
    tally.wrote(written.length)
    tally.note(windowTokens, violations)
    if (before !== null)
      tally.note(windowTokens, checkPrefix(before, fitted.context, made.asked.policy))
    before = fitted.context
  }
  return tally.report()
}

function grownTo(made: Case, length: number): Case {
  const pins = made.asked.pins?.filter((seq) => seq < length) ?? []
  const { pins: _, ...asked } = made.asked
  return {
    ...made,
    messages: made.messages.slice(0, length),
    asked: pins.length === 0 ? asked : { ...asked, pins },
  }
}

/** Runs a case through a store: appends in pieces, pins, requests with and without `next`. */
interface Tools {
  readonly tally: Tally
  readonly oracle: Oracle
  readonly seals: Seals
}

const windowEvery = 4

async function runStored(made: Case): Promise<Report> {
  const tally = createTally(made.seed)
  const tools = { tally, oracle: createOracle(), seals: sealsOf(made.messages) }
  const windows = made.windows.filter((_, at) => at % windowEvery === 0)
  for (const windowTokens of windows) await runWindow(made, windowTokens, tools)
  return tally.report()
}

/** Appends in thirds; before each, requests a context with its first message as `next`. */
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
    if (compact === true) await chat.compactNextRequest()
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

/** Requests a context twice; returns the one to compare with the next. */
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
  // Cache marks depend on the previous request, which differs the second time.
  const unmarked = (context: Context) => bytesOf({ ...context, breakpoints: [] })
  if (again === null || unmarked(again) !== unmarked(first.context))
    tally.note(windowTokens, [violation('same-bytes', 'the second context() returned other bytes')])
  return again ?? first.context
}

/** `expand` returns every message that is not shown whole. */
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
    // The calls of results may come first.
    const given = expanded?.messages.filter(({ seq }) => seq >= span.from)
    if (given?.length !== to - span.from)
      found.push(violation('expand', `#${span.from} to #${to - 1} cannot be read back`))
  }
  return found
}
