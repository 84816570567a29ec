/** Runs a replay on a store of its own, which goes with it, and makes the report. */

import { type ConversationHandle, loadGptTokenizer, type Receipt } from '../../index.ts'
import { readPolicy } from '../../toolkit/index.ts'
import type { OpenEngine } from '../open-engine.ts'
import { counted, grouped } from '../screen/numbers.ts'
import { liveFrame } from '../screen/progress.ts'
import { createRecount, type Recount } from '../simulation/checks.ts'
import { policyHash } from '../simulation/statistics.ts'
import { pause, type World } from '../world.ts'
import { replayPicture } from './replay-picture.ts'
import { type ReplayReport, type ReplaySeries, SeriesOfReplay } from './replay-report.ts'
import type { ReplayedConversation } from './replay-source.ts'
import { replaying } from './replay-steps.ts'
import { countsOf, ReplayTally } from './replay-tally.ts'

interface ReplayRun {
  readonly conversation: ReplayedConversation
  /** Requests at most. */
  readonly most: number
  /** Requests in a second at most; null for as many as there can be. */
  readonly perSecond: number | null
  readonly quiet: boolean
}

interface ReplayOutcome {
  readonly report: ReplayReport
  readonly series: ReplaySeries
}

export async function runReplay(
  { conversation, most, perSecond, quiet }: ReplayRun,
  { engine, tl, settings }: OpenEngine,
  world: World,
): Promise<ReplayOutcome> {
  const { model } = settings
  const meter = await engine.meter(model)
  const windowTokens = meter.card.contextWindowTokens
  const exact = await loadGptTokenizer('o200k_base')
  const recount = exact === null ? notCounted : createRecount(exact)
  const chat = tl.conversation(conversation.id)
  const { total, bills, steps } = replaying({
    conversation,
    chat,
    model,
    windowTokens,
    meter,
    recount,
    most,
  })
  // Checked when the engine was made.
  const policy = readPolicy(settings.policy)
  const { id, title, messages, prompts, others } = conversation
  const tally = new ReplayTally(
    {
      conversation: { id, title, messages: messages.length, prompts, others },
      policy: { name: policy.name, hash: policyHash(policy) },
      model,
      windowTokens,
      total,
      recounted: exact !== null,
    },
    bills,
  )
  const series = new SeriesOfReplay()
  const watched = watchReplay(tally, quiet, world)
  try {
    for await (const step of steps) {
      world.signal.throwIfAborted()
      tally.add(step)
      series.add(step)
      await watched.step()
      // Also without a pause a signal has to come through, and what is done in the background.
      await pause(perSecond === null ? 0 : 1_000 / perSecond, world.signal)
    }
    await engine.settled()
    const report = tally.report(await allReceipts(chat), meter)
    return { report, series: series.series }
  } finally {
    await watched.end()
  }
}

/** Where nothing counts exactly, nothing is said about tokens. */
const notCounted: Recount = { exact: () => 0, quick: () => 0 }

async function allReceipts(chat: ConversationHandle): Promise<readonly Receipt[]> {
  const receipts: Receipt[] = []
  for (;;) {
    const before = receipts.at(-1)?.version
    const page = await chat.receipts(before === undefined ? {} : { before })
    if (page.length === 0) return receipts
    receipts.push(...page)
  }
}

/**
 * How people follow a replay: on a terminal a picture that is drawn over itself, elsewhere a line
 * now and then, and nothing where nobody wants to.
 */
interface Watched {
  step(): Promise<void>
  end(): Promise<void>
}

function watchReplay(tally: ReplayTally, quiet: boolean, world: World): Watched {
  if (quiet) return { step: async () => {}, end: async () => {} }
  return world.stderr.redraws ? picture(tally, world) : lines(tally, world)
}

function picture(tally: ReplayTally, world: World): Watched {
  const { stderr, now } = world
  const frame = liveFrame(world)
  const started = now()
  return {
    step: () => frame.draw(() => replayPicture(tally, now() - started, stderr)),
    end: () => frame.end(),
  }
}

const betweenLinesMs = 5_000

function lines(tally: ReplayTally, { stderr, now }: World): Watched {
  let toldAt = now()
  return {
    step: async () => {
      if (now() - toldAt < betweenLinesMs) return
      toldAt = now()
      const { requests, about, causes, violations } = tally
      await stderr.write(
        `replay: ${grouped(requests)} of ${counted(about.total, 'request')}, ${counted(countsOf(causes).total, 'compaction')}, ${counted(countsOf(violations).total, 'violation')}\n`,
      )
    },
    end: async () => {},
  }
}
