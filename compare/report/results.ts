/** The result as it is stored: who was measured where, and each figure. */
import { cpus } from 'node:os'
import { methods } from '../methods.ts'
import type { Plan, Run } from '../plan.ts'
import { metrics } from './metrics.ts'

export interface Results {
  readonly version: string
  readonly policyHash: string
  readonly node: string
  readonly machine: string
  readonly date: string
  readonly versions: Readonly<Record<string, string>>
  readonly full: boolean
  /** By method, then by metric; null where nothing was measured. */
  readonly figures: Readonly<Record<string, Readonly<Record<string, number | null>>>>
  /** Runs that ended without a result. */
  readonly stopped: readonly Stopped[]
}

export interface Stopped {
  readonly method: string
  readonly plan: Plan
  readonly stopped: 'too slow' | 'failed'
  readonly reason: string
}

export function figuresOf(runs: readonly Run[]): Results['figures'] {
  return Object.fromEntries(
    methods.map(({ name }) => {
      const own = runs.filter(({ method }) => method === name)
      return [name, Object.fromEntries(metrics.map(({ key, value }) => [key, rounded(value(own))]))]
    }),
  )
}

export function stoppedIn(runs: readonly Run[]): readonly Stopped[] {
  return runs.flatMap(({ method, plan, stopped, reason }) =>
    stopped === null ? [] : [{ method, plan, stopped, reason }],
  )
}

/** Figures of parts that were not run stay. */
export function merged(before: Results | null, now: Results): Results {
  if (before === null) return now
  return {
    ...now,
    stopped: [
      ...before.stopped.filter(
        (old) => !now.stopped.some((each) => isSame(each, old)) && !isMeasured(old, now),
      ),
      ...now.stopped,
    ],
    figures: Object.fromEntries(
      Object.entries(now.figures).map(([method, figures]) => [
        method,
        Object.fromEntries(
          Object.entries(figures).map(([key, value]) => [
            key,
            value ?? before.figures[method]?.[key] ?? null,
          ]),
        ),
      ]),
    ),
  }
}

function isSame(one: Stopped, other: Stopped): boolean {
  return one.method === other.method && JSON.stringify(one.plan) === JSON.stringify(other.plan)
}

function isMeasured({ method, plan }: Stopped, { figures }: Results): boolean {
  const key =
    plan.part === 'times' ? `mean-${plan.messages}` : plan.part === 'rules' ? 'rules' : 'survival'
  return figures[method]?.[key] != null
}

export function machineName(): string {
  const [first] = cpus()
  return `${cpus().length} cores, ${first?.model.trim() ?? process.arch}, ${process.platform}`
}

function rounded(value: number | null): number | null {
  return value === null ? null : Number(value.toPrecision(6))
}
