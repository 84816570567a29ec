/** The triggers of a caller's own policy, checked. */
import type { Trigger } from '../domain/trigger.ts'
import { isCount, isFields, isRatio } from './field-checks.ts'

const triggerFields: Readonly<Record<Trigger['kind'], readonly string[]>> = {
  tokenRatio: ['at', 'reset', 'of'],
  tokens: ['at', 'of'],
  messages: ['since'],
  turns: ['since'],
  onTrim: [],
  periodic: ['messages'],
  all: ['of'],
  any: ['of'],
}

export function triggersProblem(triggers: unknown, where: string): string | null {
  if (!Array.isArray(triggers)) return `${where} must be an array of triggers`
  for (const [index, trigger] of triggers.entries()) {
    const wrong = triggerProblem(trigger, `${where}[${index}]`)
    if (wrong !== null) return wrong
  }
  return null
}

function triggerProblem(trigger: unknown, where: string): string | null {
  const kind = isFields(trigger) ? trigger['kind'] : undefined
  if (!isFields(trigger) || typeof kind !== 'string' || !Object.hasOwn(triggerFields, kind))
    return `${where}.kind must be one of ${Object.keys(triggerFields).join(', ')}`
  const known = triggerFields[kind as Trigger['kind']]
  const other = Object.keys(trigger).find((field) => field !== 'kind' && !known.includes(field))
  if (other !== undefined) return `has no field "${where}.${other}"`
  // Its kind is one of ours; what else it holds is looked at here.
  const given = trigger as unknown as Trigger
  switch (given.kind) {
    case 'tokenRatio':
      if (!isRatio(given.at) || !isRatio(given.reset) || given.reset >= given.at)
        return `${where} needs ratios reset < at`
      return ['window', 'available', 'free'].includes(given.of)
        ? null
        : `${where}.of must be window, available or free`
    case 'tokens':
      if (!isCount(given.at) || given.at === 0) return `${where}.at must be a whole number from 1`
      return [undefined, 'request', 'conversation'].includes(given.of)
        ? null
        : `${where}.of must be request or conversation`
    case 'messages':
    case 'turns':
      return isCount(given.since) && given.since > 0
        ? null
        : `${where}.since must be a whole number from 1`
    case 'periodic':
      return isCount(given.messages) && given.messages > 0
        ? null
        : `${where}.messages must be a whole number from 1`
    case 'onTrim':
      return null
    case 'all':
    case 'any':
      if (Array.isArray(given.of) && given.of.length === 0) return `${where}.of must not be empty`
      return triggersProblem(given.of, `${where}.of`)
  }
}
