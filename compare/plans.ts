/** The runs of the comparison, interleaved: each round takes every method once before the next begins. */
import { globSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { methods } from './methods.ts'
import type { Plan } from './plan.ts'
import type { Step } from './run-plans.ts'

export const parts = ['work', 'rules', 'faults', 'times'] as const
export type Part = (typeof parts)[number]

export interface Choice {
  readonly only: readonly Part[]
  readonly methods: readonly string[]
  readonly full: boolean
  /** A folder of transcripts to play beside the made conversations. */
  readonly data: string | null
}

const faults = ['rate-limit-ms', 'empty', 'lies'] as const

export function stepsOf({ only, methods: chosen, full, data }: Choice): readonly Step[] {
  const among = methods.filter(({ name }) => chosen.length === 0 || chosen.includes(name))
  const each = (plans: readonly Plan[]) =>
    plans.flatMap((plan) => among.map(({ name }) => ({ method: name, plan })))
  const size = full ? { turns: 60, questions: 16 } : { turns: 36, questions: 12 }
  const seeds = full ? ['1', '2', '3', '4', '5'] : ['1', '2']
  return [
    ...(only.includes('work')
      ? each(seeds.map((seed) => ({ part: 'work', seed, ...size, fault: null })))
      : []),
    ...(data === null || !only.includes('work') ? [] : each(filesIn(data, full))),
    ...(only.includes('rules')
      ? each(
          ['agent, held-out wordings', 'chat, second held-out wordings'].flatMap((source) =>
            (full ? ['1', '2', '3'] : ['1']).map((seed) => ({
              part: 'rules' as const,
              source,
              seed,
            })),
          ),
        )
      : []),
    ...(only.includes('faults')
      ? each(faults.map((fault) => ({ part: 'work', seed: '1', ...size, fault }))).filter(
          ({ method }) => methods.find(({ name }) => name === method)?.asksModel,
        )
      : []),
    ...(only.includes('times') ? each(timePlans(full)) : []),
  ]
}

function timePlans(full: boolean): readonly Plan[] {
  const rounds = full ? 5 : 3
  const turns = full ? 40 : 20
  const round = [100, 1_000, 10_000].map((messages) => ({ messages, turns }))
  const largest = { messages: 100_000, turns }
  // The largest takes most of the time, so it has one round unless everything is wanted.
  return Array.from({ length: rounds }, (_, index) =>
    full || index === 0 ? [...round, largest] : round,
  )
    .flat()
    .map((plan) => ({ part: 'times', ...plan }))
}

const filesPerFolder = 2

/** A few of each folder, unless everything is wanted. */
function filesIn(folder: string, full: boolean): readonly Plan[] {
  const names = globSync('**/*.{json,jsonl}', { cwd: folder }).sort()
  return [...Map.groupBy(names, dirname)].flatMap(([source, files]) =>
    (full ? files : files.slice(0, filesPerFolder)).map((name) => ({
      part: 'data' as const,
      file: join(folder, name),
      source: source === '.' ? basename(folder) : source,
    })),
  )
}
