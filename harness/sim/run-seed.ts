/** Runs one seed: takes random steps and compares everything with the expected state after each. */

import { createThroughline } from 'throughline'
import type { Finding } from '../kernel/finding.ts'
import { lateModules } from '../kernel/late-modules.ts'
import { auditEngine } from '../races/audit.ts'
import { checkDerived, checkLog } from './check-log.ts'
import type { ExpectedLog } from './expected.ts'
import type { Planted, SimDatabase } from './sim-store.ts'
import { createStage, createTrace } from './stage.ts'
import type { Step } from './step.ts'
import { append } from './step-append.ts'
import { context } from './step-context.ts'
import {
  changePolicy,
  compact,
  editSummary,
  fork,
  overflowed,
  restore,
  settle,
  switchCompaction,
  turnClock,
  undo,
} from './step-control.ts'
import { expand, pin, recall, turn } from './step-recall.ts'
import { edit, purge, purgeMessage, remove } from './step-rewrite.ts'
import { createWorld, type Slot, type World } from './world.ts'

interface SeedOptions {
  readonly seed: number
  readonly steps: number
  readonly planted?: Planted | undefined
  /** Instead of a store in memory or in a file. */
  readonly database?: SimDatabase | undefined
  /** Receives a line for each event. */
  readonly print?: ((line: string) => void) | undefined
}

interface SeedReport {
  readonly seed: number
  /** The step after which something was found; null if nothing was. */
  readonly step: number | null
  readonly findings: readonly Finding[]
  /** How often something happened. */
  readonly figures: ReadonlyMap<string, number>
  /** Equal hashes mean equal runs. */
  readonly hash: string
}

export async function runSeed(options: SeedOptions): Promise<SeedReport> {
  const { seed, planted = {}, database = null, print = null } = options
  // Loads all modules first: file reads would take unscheduled time.
  await Promise.all([createThroughline().settled(), ...lateModules()])
  const trace = createTrace(print)
  const stage = createStage(seed, trace)
  const world = createWorld(stage, planted, database)
  const { figures } = stage
  try {
    for (let step = 1; step <= options.steps; step += 1) {
      await takeStep(world, step)
      const { findings } = world
      if (findings.length > 0) return { seed, step, findings, figures, hash: trace.hash() }
    }
    await settleAll(world)
    const { findings } = world
    const step = findings.length === 0 ? null : options.steps
    return { seed, step, findings, figures, hash: trace.hash() }
  } finally {
    stage.time.end()
    await world.close()
  }
}

/** At the end, everything that was started has ended (invariant 9). */
async function settleAll(world: World): Promise<void> {
  const { stage, findings } = world
  for (const slot of [0, 1] as const) {
    const engine = world.engine(slot)
    const ended = await stage.drain(engine.tl.settled(), () => {})
    if (ended === 'stuck')
      findings.push({ rule: 'stuck', detail: `${engine.name} does not settle` })
  }
  for (const slot of [0, 1] as const) {
    const { live, name } = world.engine(slot)
    for (const [, events] of Map.groupBy(live, ({ conversation }) => conversation)) {
      const seen = { number: 0, fate: 'lives' as const, live: events }
      const ends = auditEngine(seen).filter(({ rule }) => rule === 'ends')
      findings.push(...ends.map(({ rule, detail }) => ({ rule, detail: `${name}: ${detail}` })))
    }
  }
}

async function takeStep(world: World, number: number): Promise<void> {
  const { stage, logs, findings } = world
  const { chance, trace } = stage
  const doing = drawnSteps(world)
  const first = drawnLog(world)
  const scenes = doing.map((step) => {
    const log = chance.once(4) ? drawnLog(world) : first
    const slot: Slot = chance.once(2) ? 0 : 1
    return { step, scene: { world, log, slot, alone: doing.length === 1 } }
  })
  trace.note(
    `${number}: ${scenes.map(({ step, scene }) => `${step.name} "${scene.log.id}" e${scene.slot}`).join(' and ')}`,
  )
  for (const { name } of doing) stage.count(`step: ${name}`)
  const hazard = drawnHazard(world)
  const ended = await stage.drain(
    Promise.all(scenes.map(({ step, scene }) => step.run(scene))).catch((error: unknown) => {
      findings.push({ rule: 'error', detail: String((error as Error).stack ?? error) })
    }),
    hazard,
  )
  world.killIn(null)
  world.store.failWith(null)
  if (ended === 'stuck')
    findings.push({ rule: 'stuck', detail: 'no task can run, and no timer is pending' })
  for (const log of logs) {
    const chat = world.look(log.id)
    findings.push(...(await checkLog(chat, log)))
    if (findings.length === 0)
      findings.push(...(await checkDerived(chat, world.store.looking(), log)))
  }
}

function drawnLog({ logs, stage: { chance } }: World): ExpectedLog {
  return logs[chance.below(logs.length)] as ExpectedLog
}

const concurrentOnceIn = 4

/** One step, or several concurrent ones. */
function drawnSteps({ stage: { chance } }: World): readonly Step[] {
  const first = drawnStep(chance.below, steps)
  if (!first.together || !chance.once(concurrentOnceIn)) return [first]
  // Two equal steps are the most likely to conflict.
  if (chance.once(3)) return [first, first]
  const others = steps.filter(({ together }) => together)
  return [first, ...chance.times(chance.between(1, 2), () => drawnStep(chance.below, others))]
}

function drawnStep(below: (bound: number) => number, among: readonly Step[]): Step {
  let left = below(among.reduce((sum, { weight }) => sum + weight, 0))
  for (const step of among) {
    left -= step.weight
    if (left < 0) return step
  }
  return among[0] as Step
}

const crashInTimes = 7

/**
 * Sometimes discards an engine in the middle, kills the process (between commands or within a
 * database call), or lets such a call fail. Called with every draw.
 */
function drawnHazard(world: World): () => void {
  const { chance, trace } = world.stage
  if (!chance.once(crashInTimes)) return () => {}
  const kind = chance.pick(['engine', 'process', 'call', 'statement'])
  // An append takes a draw or two, a context many.
  let left = chance.pick([1, 1, 2, 3, 5, 9, 16])
  trace.note(`  hazard: ${kind} in ${left}`)
  if (kind === 'statement') {
    const when = chance.pick(['before', 'after'] as const)
    world.store.failWith({
      at: left * 2,
      when,
      resultCode: chance.pick([5, 10, 13]),
    })
    return () => {}
  }
  if (kind === 'call') {
    world.killIn(left * 3)
    return () => {}
  }
  const slot: Slot = chance.once(2) ? 0 : 1
  return () => {
    left -= 1
    if (left !== 0) return
    trace.note(`  ${kind} is gone`)
    if (kind === 'engine') world.replace(slot)
    else world.kill()
  }
}

/** Every kind of step. */
const steps: readonly Step[] = [
  ...[append, turn, context, compact, overflowed, switchCompaction],
  ...[recall, expand, pin, undo, restore, editSummary],
  ...[edit, remove, purgeMessage, purge, fork],
  ...[changePolicy, turnClock, settle],
]
