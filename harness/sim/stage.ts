/** What all parts of a run share: random choices, the order of events, time, and the trace. */

import { createHash } from 'node:crypto'
import { setTimeout as realDelay } from 'node:timers/promises'
import { type Chance, chanceOf } from '../kernel/chance.ts'
import {
  maxIdleTurns,
  nextEventLoopTurn,
  type ScheduledTime,
  scheduledTime,
} from '../races/time.ts'

export interface Stage {
  readonly chance: Chance
  readonly schedule: Schedule
  readonly time: ScheduledTime
  readonly trace: Trace
  readonly moods: Moods
  /** How often something happened, which shows whether a run covered enough. */
  readonly figures: Map<string, number>
  count(what: string): void
  /** The clock of the engines: it jumps, also backwards, without affecting timers. */
  now(): number
  turnClock(milliseconds: number): void
  /** Runs everything until the work has ended; calls `each` after every draw. */
  drain(work: Promise<unknown>, each: () => void): Promise<'ended' | 'stuck'>
}

/** How much goes wrong in a run. */
interface Moods {
  readonly storeFailsInTimes: number
  readonly modelStrangeInTimes: number
  /** Whether a model writes summaries at all. */
  readonly writes: boolean
}

const startsAt = Date.UTC(2026, 0, 1)
const outsideMs = 10

export function createStage(seed: number, trace: Trace): Stage {
  const chance = chanceOf(`sim ${seed} and so on`)
  const schedule = drawnSchedule(chanceOf(`order of ${seed} and so on`))
  const time = scheduledTime(startsAt)
  const figures = new Map<string, number>()
  let turned = 0
  const moods = {
    storeFailsInTimes: chance.pick([0, 0, 250, 60]),
    modelStrangeInTimes: chance.pick([2, 4, 12]),
    writes: !chance.once(4),
  }
  trace.note(`moods ${JSON.stringify(moods)}`)
  return {
    ...{ chance, schedule, time, trace, moods, figures },
    count: (what) => {
      figures.set(what, (figures.get(what) ?? 0) + 1)
    },
    now: () => time.now() + turned,
    turnClock: (milliseconds) => {
      turned += milliseconds
    },
    drain: async (work, each) => {
      let isDone = false
      const end = () => {
        isDone = true
      }
      work.then(end, end)
      // Long work lets the event loop turn, which no schedule knows of.
      for (let idleTurns = 0; idleTurns < maxIdleTurns; idleTurns += 1) {
        await nextEventLoopTurn()
        // What an answer of another process sets off may take real time.
        if (schedule.hasWorkedOutside() && idleTurns > maxIdleTurns / 2) await realDelay(outsideMs)
        if (isDone) return 'ended'
        if (await schedule.awaited()) {
          // A store may wait by timers, for example to try again.
          time.pass(outsideMs)
          idleTurns = 0
          continue
        }
        const drawn = schedule.draw()
        if (drawn !== null) {
          trace.weigh(drawn)
          time.pass(chance.below(30))
          each()
          idleTurns = 0
        } else if (time.jump()) idleTurns = 0
      }
      return 'stuck'
    },
  }
}

/** Decides what runs next: everything waits in one list, and a random entry is drawn. */
export interface Schedule {
  /** Resolves when it is drawn. */
  wait(label: string): Promise<void>
  /** Resumes one waiting entry and returns its label; null if none waits. */
  draw(): string | null
  /** For work outside of this process, such as a database: nothing is drawn until it has ended. */
  outside<Value>(work: () => Promise<Value>): Promise<Value>
  hasWorkedOutside(): boolean
  /** Waits some milliseconds for such work; false if there is none. */
  awaited(): Promise<boolean>
}

function drawnSchedule(chance: Chance): Schedule {
  const waiting: { readonly label: string; readonly resume: () => void }[] = []
  const working = new Set<Promise<unknown>>()
  let hasWorked = false
  return {
    hasWorkedOutside: () => hasWorked,
    outside: (work) => {
      hasWorked = true
      const running = work()
      const end = () => working.delete(running)
      working.add(running)
      running.then(end, end)
      return running
    },
    awaited: async () => {
      if (working.size === 0) return false
      await Promise.race([Promise.allSettled(working), realDelay(outsideMs)])
      return true
    },
    wait: (label) =>
      new Promise((resume) => {
        waiting.push({ label, resume })
      }),
    draw: () => {
      if (waiting.length === 0) return null
      const [next] = waiting.splice(chance.below(waiting.length), 1)
      next?.resume()
      return next?.label ?? null
    },
  }
}

/** The events of a run, line by line, and a hash that two runs of a seed must share. */
interface Trace {
  note(line: string): void
  /** Hashes a long text like a line, without keeping it. */
  weigh(text: string): void
  hash(): string
}

export function createTrace(print: ((line: string) => void) | null): Trace {
  const sum = createHash('sha256')
  return {
    note: (line) => {
      sum.update(`${line}\n`)
      print?.(line)
    },
    weigh: (text) => {
      sum.update(`${text}\n`)
    },
    hash: () => sum.copy().digest('hex').slice(0, 32),
  }
}
