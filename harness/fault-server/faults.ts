/**
 * What can go wrong between a client and a model, each fault with a name. Some come from
 * the service, some from the connection, some are in the bytes of an answer, and some in
 * what the model says, where HTTP has nothing to complain about.
 */
import { ThroughlineError } from 'throughline'
import { sha256 } from 'throughline/stores'
import type { ModelQuestion } from './responder.ts'
import type { FaultPlan, FaultServerOptions } from './settings.ts'

/** The service says no, in its own words. */
const statusFaults = [
  /** 429, `Retry-After` in seconds. */
  'rate-limit',
  /** 429, `Retry-After` as an HTTP date. */
  'rate-limit-date',
  /** 429, `retry-after-ms`. */
  'rate-limit-ms',
  /** 500. */
  'server-error',
  /** 503. */
  'unavailable',
  /** 529 as Anthropic says it; 503 for OpenAI, which has no status of its own for it. */
  'overloaded',
] as const

/** The connection is worth nothing. */
const connectionFaults = [
  /** No byte comes, until the client leaves. */
  'hang',
  /** The headers come, and no byte behind them. */
  'hang-after-headers',
  /** A sound answer, a byte at a time. */
  'slow',
  'reset',
  'reset-after-headers',
  /** The connection is lost in the middle of the body: of the JSON, or of the events. */
  'truncated-stream',
] as const

/** 200, and a body that is not what the format promises. */
const bodyFaults = [
  /** Ends in the middle as if that were all: within the JSON, or within an event. */
  'truncated-json',
  /** 200 with an error: an event amid the others, or the body. */
  'error-event',
  /** JSON of another service. */
  'wrong-shape',
  /** The page of a proxy. */
  'html-body',
  'empty-body',
  /** A sound answer that is far too long. */
  'huge',
] as const

/** A sound answer of a model that did not do what it was asked for. */
const contentFaults = [
  'wrong-schema',
  /** Prose, where JSON was asked for too. */
  'not-json',
  'empty',
  'whitespace',
  /** In the field or with the reason that the service has for it. */
  'refusal',
  /** As text, as if it were an answer. */
  'refusal-text',
  /** What the user said last, word for word. */
  'echo',
  /** Thoughts in their own place, and no answer. */
  'thinking-only',
  /** Thoughts in tags, as open models write them, and no answer. */
  'thinking-text',
  /** Half of the answer; the service says that the limit was reached. */
  'cut-off',
  /** More than twice what was asked for at most, as if there were no limit. */
  'over-limit',
  /** An error of a provider, told as an answer. */
  'error-text',
  /** The answer with exact values that nobody ever wrote: paths, numbers, ids. */
  'lies',
] as const

/**
 * All faults between a client and a model, by name.
 *
 * @example
 * for (const fault of modelFaults)
 *   it(`a conversation goes on after ${fault}`, async () => {
 *     const server = await createFaultServer({ faults: [fault] })
 *     await server.close()
 *   })
 */
export const modelFaults = [
  ...statusFaults,
  ...connectionFaults,
  ...bodyFaults,
  ...contentFaults,
] as const

export type StatusFault = (typeof statusFaults)[number]
export type ContentFault = (typeof contentFaults)[number]
export type ModelFault = (typeof modelFaults)[number]

export function isStatusFault(fault: ModelFault): fault is StatusFault {
  return (statusFaults as readonly ModelFault[]).includes(fault)
}

export function isContentFault(fault: ModelFault): fault is ContentFault {
  return (contentFaults as readonly ModelFault[]).includes(fault)
}

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
