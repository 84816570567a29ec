/** Simulates a transcript, request by request, and reports the result. */
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import {
  type Context,
  type ConversationHandle,
  loadGptTokenizer,
  type Meter,
  type Receipt,
} from '../../index.ts'
import { readPolicy } from '../../toolkit/index.ts'
import type { Arguments, Run } from '../command.ts'
import { done, type ExitResult, failWith, UsageError } from '../exit-result.ts'
import { type OpenEngine, withEngine } from '../open-engine.ts'
import { replayPicture } from '../replay/replay-picture.ts'
import {
  countsOf,
  type ReplayReport,
  type ReplaySeries,
  ReplayTally,
} from '../replay/replay-report.ts'
import { findReplayed, type ReplayedConversation } from '../replay/replay-source.ts'
import { reportLines } from '../replay/report-lines.ts'
import { setWindow } from '../request-options.ts'
import { counted, grouped } from '../screen/numbers.ts'
import { liveFrame } from '../screen/progress.ts'
import { safeLine } from '../screen/safe-text.ts'
import { writeOutcome } from '../screen/write-outcome.ts'
import type { CliSettings } from '../settings/setting-fields.ts'
import { createFitChecker, createRecount, type Recount } from '../simulation/checks.ts'
import { createCostSession } from '../simulation/cost-session.ts'
import { requestPlaces } from '../simulation/recorded-conversation.ts'
import { countOne, policyHash } from '../simulation/statistics.ts'
import { contentText, survivalAlong } from '../simulation/survival-along.ts'
import { pause, type World } from '../world.ts'

export const replay: Run = async (args, world) => {
  const asked = parseReplayOptions(args, world)
  const folder = mkdtempSync(join(tmpdir(), 'throughline-replay-'))
  const change = (settings: CliSettings) => {
    const own = { ...settings, store: join(folder, 'replay.db'), summarizer: null }
    return asked.window === null ? own : setWindow(own, asked.window)
  }
  try {
    const conversation = await findReplayed(args, world, folder)
    if ('exitCode' in conversation) return conversation
    const answer = async (open: OpenEngine) => {
      const { report, series } = await runReplay({ conversation, ...asked }, open, world)
      if (asked.html !== null) {
        const { replayPage } = await import('../replay/page/replay-page.ts')
        writeFileSync(asked.html, replayPage(report, series), { mode: 0o600 })
      }
      const page = asked.html === null ? [] : ['', `HTML report: ${safeLine(asked.html)}`]
      const lines = () => [...reportLines(report, world.stdout), ...page]
      return writeOutcome(args, world, { json: report, lines, exit: replayResult(report) })
    }
    return await withEngine(args, world, answer, { change })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const windowTokens = 32_000

/** `window`: null for the model's own. */
function parseReplayOptions(args: Arguments, { cwd }: World) {
  const ofModel = args.text('window') === 'model'
  const named = args.text('html')
  const html = named === null ? null : resolve(cwd, named)
  if (html !== null && !statSync(dirname(html), { throwIfNoEntry: false })?.isDirectory())
    throw new UsageError(`--html: no such folder "${dirname(html)}"`)
  return {
    window: ofModel ? null : (atLeastOne(args, 'window') ?? windowTokens),
    most: atLeastOne(args, 'calls') ?? Number.POSITIVE_INFINITY,
    perSecond: atLeastOne(args, 'speed'),
    html,
    quiet: args.has('quiet') || args.json,
  }
}

function atLeastOne(args: Arguments, option: string): number | null {
  const value = args.number(option)
  if (value === 0) throw new UsageError(`--${option} must be at least 1`)
  return value
}

function replayResult(report: ReplayReport): ExitResult {
  const { violations, requests, impossible, windowTokens } = report
  const found = `found ${counted(violations.total, 'invalid request')}`
  const exceeds = `system prompt and tools alone exceed a window of ${grouped(windowTokens)} tokens`
  if (violations.total > 0) return failWith('UNSOUND', `${found}; this is a bug, please report it`)
  if (requests === 0 || requests !== impossible) return done
  return failWith('REFUSED', `${exceeds}; use a larger --window`)
}

interface ReplayRun {
  readonly conversation: ReplayedConversation
  readonly most: number
  /** Null for as many as possible. */
  readonly perSecond: number | null
  readonly quiet: boolean
}

/**
 * Appends the new messages, builds a context and records it, request by request, on a temporary store.
 * Checks, bills and scores do not count as time of a turn.
 */
async function runReplay(
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
