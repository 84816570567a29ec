/** Plays one run: the operations of a plan in the order of a scheduler; returns what it observed. */
import type { Scheduler } from 'fast-check'
import { type LiveEvent, type Store, type TenantId, ThroughlineError } from 'throughline'
import { memory } from 'throughline/stores/memory'
import { sqlite } from 'throughline/stores/sqlite'
import { loadSummaries } from '../../packages/throughline/src/derived/rows.ts'
import { loadState } from '../../packages/throughline/src/derived/state.ts'
import { testFolder } from '../../packages/throughline/test/stores/sqlite-file.ts'
import type { ChangeCommit } from '../kernel/planted.ts'
import {
  type AcknowledgedAppend,
  type MadeContext,
  type ModelCall,
  numberedText,
  type Observed,
  type TriedCommit,
} from './observed.ts'
import { chatModels, type Operation, type RacePlan, racePolicies, type Slot } from './plan.ts'
import { type EngineOptions, type RaceEngine, raceEngine } from './race-engine.ts'
import { maxIdleTurns, nextEventLoopTurn, scheduledTime } from './time.ts'

/** A planted bug, which must be found. */
export interface Planted {
  /** In the store … */
  readonly store?: (store: Store) => Store
  /** … or in an engine, in what it commits. */
  readonly commit?: ChangeCommit
  /** Two engines that act as one. */
  readonly twins?: boolean
}

export async function play(
  plan: RacePlan,
  scheduler: Scheduler,
  planted: Planted = {},
): Promise<Observed> {
  const time = scheduledTime(startsAt)
  const opened = openStores(plan, planted)
  try {
    return await playOn(plan, scheduler, { time, opened, planted })
  } finally {
    time.end()
    await opened.close()
  }
}

const startsAt = Date.UTC(2026, 0, 1)

interface Opened {
  open(): Store
  close(): Promise<void>
}

function openStores({ store }: RacePlan, planted: Planted): Opened {
  const plant = planted.store ?? ((store: Store) => store)
  if (store === 'memory') {
    const one = plant(memory())
    return { open: () => one, close: () => one.close() }
  }
  const folder = testFolder()
  const stores: Store[] = []
  return {
    open: () => {
      const next = sqlite(folder.file('race.db'))
      stores.push(next)
      return plant(next)
    },
    close: async () => {
      for (const each of stores) await each.close()
      folder.remove()
    },
  }
}

interface Stage {
  readonly time: ReturnType<typeof scheduledTime>
  readonly opened: Opened
  readonly planted: Planted
}

async function playOn(
  plan: RacePlan,
  scheduler: Scheduler,
  { time, opened, planted }: Stage,
): Promise<Observed> {
  const calls: ModelCall[] = []
  const commits: TriedCommit[] = []
  const contexts: MadeContext[] = []
  const appends: AcknowledgedAppend[] = []
  const errors: string[] = []
  const engines: RaceEngine[] = []
  const together: LiveEvent[] = []
  let [messages, steps, asked] = [0, 0, 0]

  const begin = (policy: number): RaceEngine => {
    const options: EngineOptions = {
      number: engines.length,
      store: opened.open(),
      policy: racePolicies[policy % racePolicies.length] ?? 'balanced',
      now: time.now,
      wait: (label) => scheduler.schedule(Promise.resolve(), label),
      behaviour: () => {
        asked += 1
        return plan.behaviours[asked % plan.behaviours.length] ?? 'answers'
      },
      calls,
      commits,
      live: planted.twins === true ? together : [],
      change: planted.commit ?? (async (command) => command),
    }
    const engine = raceEngine(options)
    engines.push(engine)
    return engine
  }
  const current: [RaceEngine, RaceEngine] = [begin(plan.policies[0]), begin(plan.policies[1])]
  const policies: [number, number] = [...plan.policies]

  const drain = async (isDone: () => boolean) => {
    // Long work lets the event loop turn, which no schedule knows of.
    for (let idleTurns = 0; idleTurns < maxIdleTurns; ) {
      await nextEventLoopTurn()
      if (scheduler.count() > 0) {
        await scheduler.waitNext(1)
        time.pass(plan.stepsMs[steps % plan.stepsMs.length] ?? 0)
        steps += 1
        idleTurns = 0
      } else if (time.jump()) idleTurns = 0
      else if (isDone()) return
      else idleTurns += 1
    }
  }

  /** The answer of an engine, as long as it exists. */
  const within = async <Value>(
    engine: RaceEngine,
    work: Promise<Value>,
  ): Promise<Value | 'gone'> => {
    const answered = work.catch((error: unknown) => {
      const isClosed = error instanceof ThroughlineError && error.code === 'STORE_CLOSED'
      if (!isClosed || engine.fate() === 'lives')
        errors.push(`engine ${engine.number}: ${String(error)}`)
      return 'gone' as const
    })
    // A closing engine finishes what it can.
    return engine.fate() === 'closed' ? answered : Promise.race([answered, crashOf(engine)])
  }

  const append = async (actor: number, slot: Slot, words: readonly number[]): Promise<void> => {
    const numbers = words.map(() => {
      messages += 1
      return messages
    })
    const batch = words.map((count, index) => ({
      role: (numbers[index] ?? 0) % 2 === 1 ? ('user' as const) : ('assistant' as const),
      content: numberedText(numbers[index] ?? 0, count),
    }))
    const key = `batch ${numbers[0]}`
    // A discarded engine may have written it, so it is sent again with its key.
    for (let tries = 0; tries < 30; tries += 1) {
      const engine = current[slot]
      if ((await within(engine, engine.chat.append(batch, { key }))) === 'gone') continue
      appends.push({ actor, numbers })
      return
    }
    errors.push(`an append was never acknowledged: ${key}`)
  }

  const context = async (slot: Slot, model: number): Promise<void> => {
    const engine = current[slot]
    const name = chatModels[model % chatModels.length] ?? chatModels[0]
    const acknowledged = appends.reduce((sum, { numbers }) => sum + numbers.length, 0)
    engine.asking.push(name)
    const made = await within(engine, engine.chat.context({ model: name }))
    engine.asking.splice(engine.asking.indexOf(name), 1)
    if (made !== 'gone')
      contexts.push({ engine: engine.number, model: name, acknowledged, context: made })
  }

  const perform = async (actor: number, operation: Operation): Promise<void> => {
    const { slot } = operation
    const engine = current[slot]
    switch (operation.kind) {
      case 'append':
        return append(actor, slot, operation.words)
      case 'turn':
        await append(actor, slot, [operation.words])
        await context(slot, operation.model)
        return append(actor, slot, [operation.words])
      case 'contexts':
        await Promise.all(operation.models.map((model) => context(slot, model)))
        return
      case 'compact':
        await within(engine, engine.chat.compactNextRequest({ afresh: operation.afresh }))
        return
      case 'pin': {
        const { at, pinned } = operation
        await within(engine, pinned ? engine.chat.pin(at) : engine.chat.unpin(at))
        return
      }
      case 'policy':
        policies[slot] = operation.policy
        current[slot] = begin(operation.policy)
        return
      case 'crash':
        engine.crash()
        current[slot] = begin(policies[slot])
        return
      case 'close':
        current[slot] = begin(policies[slot])
        await within(engine, engine.tl.close())
        return
    }
  }

  const finish = async (what: string, work: Promise<unknown>): Promise<void> => {
    let isDone = false
    work.then(
      () => {
        isDone = true
      },
      (error: unknown) => {
        isDone = true
        errors.push(`${what}: ${String(error)}`)
      },
    )
    await drain(() => isDone)
    if (!isDone) errors.push(`${what} never ended`)
  }

  const before = Array.from({ length: plan.exchanges * 2 }, () => 30)
  if (before.length > 0) await finish('the initial append', append(-1, 0, before))
  await finish(
    'the operations',
    Promise.all(
      plan.actors.map(async (operations, actor) => {
        for (const operation of operations) {
          await scheduler.schedule(Promise.resolve(), `actor ${actor}: ${operation.kind}`)
          await perform(actor, operation)
        }
      }),
    ),
  )
  await finish(
    'closing the engines',
    (async () => {
      for (const slot of [0, 1] as const) {
        await within(current[slot], current[slot].tl.settled())
        await context(slot, 0)
        await context(slot, 1)
        await within(current[slot], current[slot].tl.settled())
      }
    })(),
  )
  const reader = opened.open().tenant('default' as TenantId)
  const id = current[0].chat.id
  const states = await Promise.all(chatModels.map((model) => loadState(reader, { id, model })))
  return {
    log: (await reader.read({ id, span: { from: 0, to: 1_000_000 } })) ?? [],
    summaries: (await loadSummaries(reader, { id, limit: 1_000, skip: 0 })) ?? [],
    asking: states[0]?.asking ?? null,
    views: states.flatMap((state) => state?.view ?? []),
    appends,
    contexts,
    commits,
    calls,
    engines: observedEngines(engines, planted),
    errors,
    steps,
  }
}

/** Surviving twins count as one engine. */
function observedEngines(engines: readonly RaceEngine[], { twins }: Planted): Observed['engines'] {
  const seen = engines.map(({ number, fate, live }) => ({ number, fate: fate(), live }))
  return twins === true ? seen.slice(0, 1) : seen
}

const crashOf = async (engine: RaceEngine): Promise<'gone'> => {
  const gone = await engine.gone
  // A closed engine returns its answer, or the error that it is closed.
  return engine.fate() === 'crashed' ? gone : new Promise<never>(() => {})
}
