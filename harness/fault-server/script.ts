/** Which fault and which answer a question gets. */
import { ThroughlineError } from 'throughline'
import { sha256 } from 'throughline/stores'
import type { ModelQuestion } from './api.ts'
import { type ModelFault, modelFaults } from './faults.ts'
import type { FaultPlan, FaultServerOptions } from './options.ts'

/** `number` counts from where the plan began. */
export function faultFor(
  plan: FaultPlan | null,
  question: ModelQuestion,
  number: number,
): ModelFault | null {
  if (plan === null) return null
  if (typeof plan === 'function') return plan(question)
  if (!('seed' in plan)) return plan[number] ?? null
  const { seed, chance, among = modelFaults } = plan
  // By number and not by the state of a generator: the order of arrival is enough to repeat it.
  const digest = sha256(`${seed}\n${number}`)
  if (fraction(digest.slice(0, 12)) >= chance) return null
  return among[Math.floor(fraction(digest.slice(12, 24)) * among.length)] ?? null
}

function fraction(hexadecimal: string): number {
  return Number.parseInt(hexadecimal, 16) / 16 ** hexadecimal.length
}

export function answerFor(answers: FaultServerOptions['answers'], question: ModelQuestion): string {
  if (answers === undefined) return question.schema === null ? 'Yes.' : '{}'
  if (typeof answers === 'string') return answers
  if (typeof answers === 'function') return answers(question)
  return answers[Math.min(question.number, answers.length - 1)] ?? ''
}

/** A misspelt fault would be no fault, and a test would pass for nothing. */
export function checkPlan(plan: FaultPlan | null): void {
  if (plan === null || typeof plan === 'function') return
  const named = 'seed' in plan ? (plan.among ?? []) : plan
  const unknown = named.find((fault) => fault !== null && !modelFaults.includes(fault))
  if (unknown !== undefined)
    throw new ThroughlineError('CONFIG_INVALID', `fault server: there is no fault "${unknown}"`)
  if ('seed' in plan && !(plan.chance >= 0 && plan.chance <= 1))
    throw new ThroughlineError(
      'CONFIG_INVALID',
      `fault server: chance (${plan.chance}) must be from 0 to 1`,
    )
}
