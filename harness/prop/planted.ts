/**
 * Mistakes that libraries of this kind have made, each as a `fit` of its own. The
 * harness is worth what it finds of these.
 */
import { type ContextMessage, type Fitted, fit, type Part, ThroughlineError } from 'throughline'
import { cardOf } from './oracle.ts'
import type { Fit } from './run-case.ts'

/** The newest messages as they are, as many as fit. */
export const newestSlice: Fit = async (input) => {
  const fitted = await fit(input)
  const everything = await fitEverything(input)
  const count = fitted.messages.length
  return { ...fitted, messages: everything.messages.slice(-count) }
}

/** Cut behind the first result of the newest batch of calls. */
export const cutInsideBatch: Fit = async (input) => {
  const fitted = await fit(input)
  const at = fitted.messages.findLastIndex(({ role }) => role === 'tool')
  return at === -1 ? fitted : { ...fitted, messages: fitted.messages.toSpliced(at, 1) }
}

export const forgetsTools: Fit = async (input) => {
  const fitted = await fit({ ...input, tools: [] })
  return { ...fitted, tools: input.tools ?? [] }
}

export const alwaysOverflows: Fit = async () => {
  throw new ThroughlineError('CONTEXT_OVERFLOW', 'it may not fit')
}

/** By code units, wherever that is. */
export const cutsCharacters: Fit = async (input) => {
  const fitted = await fit(input)
  return withParts(fitted, (part) => {
    if (part.type !== 'text') return part
    const at = [...part.text].findIndex((character) => character.length === 2)
    return at === -1 ? part : { ...part, text: part.text.slice(0, unitsBefore(part.text, at) + 1) }
  })
}

export const cutsThinking: Fit = async (input) =>
  withParts(await fit(input), (part) =>
    part.type === 'reasoning' && part.signature !== null && part.text.length > 1
      ? { ...part, text: part.text.slice(0, Math.floor(part.text.length / 2)).toWellFormed() }
      : part,
  )

/** Everything but the newest message is left out, and dutifully listed. */
export const emptiesToBeSafe: Fit = async (input) => {
  const fitted = await fit(input)
  const line = input.messages.length
  const messages: readonly ContextMessage[] = [
    {
      role: 'user',
      author: null,
      parts: [{ type: 'text', text: '[the conversation is not shown]', metadata: null }],
      meta: null,
      seq: null,
      slot: 'current',
    },
  ]
  const omitted = [{ span: { from: 0, to: line }, why: 'left-out', tokens: null }] as const
  return line === 0 ? fitted : { ...fitted, messages, omitted: [...omitted] }
}

export const dropsOmission: Fit = async (input) => {
  const fitted = await fit(input)
  return { ...fitted, omitted: fitted.omitted.slice(1) }
}

const roomyTokens = 4_000_000

function fitEverything(input: Parameters<Fit>[0]): Promise<Fitted> {
  const card = cardOf(roomyTokens)
  return fit({ ...input, model: card.id, models: [card], state: null })
}

function withParts(fitted: Fitted, change: (part: Part) => Part): Fitted {
  const messages = fitted.messages.map((message) => ({
    ...message,
    parts: message.parts.map(change),
  }))
  return { ...fitted, messages }
}

function unitsBefore(text: string, characters: number): number {
  return [...text].slice(0, characters).join('').length
}
