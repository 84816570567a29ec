/**
 * Everything that can fail between a client and a model, each fault with a name. Faults are in the
 * service, in the connection, in the bytes of an answer, or in the model's text, where HTTP reports
 * no problem.
 */
import { ThroughlineError } from 'throughline'
import { sha256 } from 'throughline/stores'
import type { ModelQuestion, ScriptedAnswer } from './responder.ts'
import type { FaultPlan, FaultServerOptions } from './settings.ts'

/** The service refuses the request. */
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
  /** 529 from Anthropic; 503 from OpenAI, which has no separate status for it. */
  'overloaded',
] as const

/** The connection fails. */
const connectionFaults = [
  /** Sends nothing until the client leaves. */
  'hang',
  /** Sends the headers and nothing after them. */
  'hang-after-headers',
  /** A valid answer, one byte at a time. */
  'slow',
  'reset',
  'reset-after-headers',
  /** The connection is lost in the middle of the body: of the JSON, or of the events. */
  'truncated-stream',
] as const

/** Status 200 with a body that breaks the format. */
const bodyFaults = [
  /** Ends in the middle as if it were complete: within the JSON, or within an event. */
  'truncated-json',
  /** Status 200 with an error: an event among the others, or the body. */
  'error-event',
  /** JSON of another service. */
  'wrong-shape',
  /** An HTML page of a proxy. */
  'html-body',
  'empty-body',
  /** A valid answer that is far too long. */
  'huge',
] as const

/** A valid answer from a model that did not do what was asked. */
const contentFaults = [
  'wrong-schema',
  /** Prose, even if JSON was requested. */
  'not-json',
  'empty',
  'whitespace',
  /** A refusal marked with the service's own field or reason. */
  'refusal',
  /** A refusal as plain text, as if it were an answer. */
  'refusal-text',
  /** The last user message, word for word. */
  'echo',
  /** Only reasoning, in its own field, and no answer. */
  'thinking-only',
  /** Only reasoning, in tags as open models write them, and no answer. */
  'thinking-text',
  /** Half of the answer; the service reports that the limit was reached. */
  'cut-off',
  /** More than twice the requested limit. */
  'over-limit',
  /** A provider's error message as the answer. */
  'error-text',
  /** The answer with exact values that are in no source: paths, numbers, ids. */
  'lies',
] as const

/**
 * All faults between a client and a model, by name.
 *
 * @example
 * for (const fault of modelFaults)
 *   it(`a conversation continues after ${fault}`, async () => {
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

/** `number` counts from the start of the plan. */
export function faultFor(
  plan: FaultPlan | null,
  question: ModelQuestion,
  number: number,
): ModelFault | null {
  if (plan === null) return null
  if (typeof plan === 'function') return plan(question)
  if (!('seed' in plan)) return plan[number] ?? null
  const { seed, chance, among = modelFaults } = plan
  // Depends on the number alone, so the order of arrival is enough to repeat a run.
  const digest = sha256(`${seed}\n${number}`)
  if (fraction(digest.slice(0, 12)) >= chance) return null
  return among[Math.floor(fraction(digest.slice(12, 24)) * among.length)] ?? null
}

function fraction(hexadecimal: string): number {
  return Number.parseInt(hexadecimal, 16) / 16 ** hexadecimal.length
}

export function answerFor(
  answers: FaultServerOptions['answers'],
  question: ModelQuestion,
): ScriptedAnswer {
  const answer = scripted(answers, question)
  return typeof answer === 'string' ? { text: answer, calls: [] } : answer
}

function scripted(
  answers: FaultServerOptions['answers'],
  question: ModelQuestion,
): string | ScriptedAnswer {
  if (answers === undefined) return question.schema === null ? 'Yes.' : '{}'
  if (typeof answers === 'string') return answers
  if (typeof answers === 'function') return answers(question)
  return answers[Math.min(question.number, answers.length - 1)] ?? ''
}

/** A misspelled fault would never happen, and its test would pass for no reason. */
export function checkPlan(plan: FaultPlan | null): void {
  if (plan === null || typeof plan === 'function') return
  const named = 'seed' in plan ? (plan.among ?? []) : plan
  const unknown = named.find((fault) => fault !== null && !modelFaults.includes(fault))
  if (unknown !== undefined)
    throw new ThroughlineError('CONFIG_INVALID', `fault server: unknown fault "${unknown}"`)
  if ('seed' in plan && !(plan.chance >= 0 && plan.chance <= 1))
    throw new ThroughlineError(
      'CONFIG_INVALID',
      `fault server: chance (${plan.chance}) must be from 0 to 1`,
    )
}
