/** Reads the steps of a plan from the arguments of a tool that keeps one: to-do lists, plan updates. */
import { type Fields, isObject, parsedJson } from '../domain/json.ts'
import { oneLine } from './one-line.ts'

/** `in progress: …; open: …; done: …`; null if the arguments have no list of steps with a state. */
export function planIn(input: string): string | null {
  if (input.length > maxInputCharacters) return null
  const steps = stepsIn(parsedJson(input), 2)
  return steps === null || steps.length === 0 ? null : planText(steps)
}

const maxInputCharacters = 50_000

export interface PlanStep {
  readonly text: string
  readonly state: string
}

/** In the order of the plan; with fewer names where there is little room. */
export function planText(steps: readonly PlanStep[], characters = maxPlanCharacters): string {
  const texts = stepLimits.map((limit) => planWithin(steps, limit))
  return texts.find((text) => text.length <= characters) ?? texts.at(-1) ?? ''
}

const stepLimits = [8, 4, 2, 1, 0]
const maxPlanCharacters = 320
const stepCharacters = 80

function planWithin(steps: readonly PlanStep[], limit: number): string {
  const groups = Map.groupBy(steps, ({ state }) => state)
  return states
    .flatMap((state) => {
      const all = groups.get(state) ?? []
      if (all.length === 0) return []
      if (limit === 0 && state !== 'in progress') return [`${all.length} ${state}`]
      // What was done last says where the work is.
      const named =
        state === 'done' ? all.slice(-Math.ceil(limit / 2)) : all.slice(0, Math.max(1, limit))
      const more = all.length - named.length
      const names = named.map(({ text }) => text)
      return [`${state}: ${[...names, ...(more > 0 ? [`${more} more`] : [])].join(', ')}`]
    })
    .join('; ')
}

const states = ['in progress', 'open', 'done'] as const

type State = (typeof states)[number]

interface Step extends PlanStep {
  readonly state: State
}

/**
 * One step of a plan that a tool keeps step by step: the call that adds it, whose result names it, or the
 * call that changes its state. `text` is null where only the state changes.
 */
export interface StepChange {
  readonly id: string
  readonly text: string | null
  readonly state: State | 'removed'
}

export function stepChangeIn(input: string, result: string): StepChange | null {
  if (input.length > maxInputCharacters) return null
  const fields = parsedJson(input)
  if (!isObject(fields)) return null
  const idField = Object.keys(fields).find((name) => idFields.test(name))
  const given = idField === undefined ? null : String(fields[idField])
  const id = given ?? namedId.exec(result.slice(0, resultCharacters))?.[1] ?? null
  const text = textIn(fields)
  const status = fields['status'] ?? fields['state']
  const state =
    typeof status === 'string' && /delete|remove/i.test(status) ? 'removed' : stateOf(status)
  if (id === null || !shortId.test(id) || (text === null && state === null)) return null
  // A new step is open; a step whose text alone changes keeps its state.
  if (state === null && given !== null) return null
  return { id, text, state: state ?? 'open' }
}

const idFields = /^(?:(?:task|step|item|todo)_?)?id$/i
const namedId = /#(\d{1,9})\b/
const shortId = /^[\w.-]{1,40}$/
const resultCharacters = 400

/** Some clients pass the list as JSON in a string. */
function stepsIn(value: unknown, depth: number): readonly Step[] | null {
  if (typeof value === 'string') return depth === 0 ? null : stepsIn(parsedJson(value), depth - 1)
  if (Array.isArray(value)) {
    const steps = value.flatMap((each) => stepOf(each) ?? [])
    return steps.length === value.length ? steps : null
  }
  if (!isObject(value) || depth === 0) return null
  for (const field of Object.values(value)) {
    const steps = stepsIn(field, depth - 1)
    if (steps !== null && steps.length > 0) return steps
  }
  return null
}

const textFields = ['subject', 'content', 'step', 'title', 'description', 'text', 'task', 'name']

function textIn(fields: Fields): string | null {
  const text = textFields.map((field) => fields[field]).find((each) => typeof each === 'string')
  if (typeof text !== 'string' || text.trim() === '') return null
  return oneLine(text).slice(0, stepCharacters).toWellFormed()
}

function stepOf(value: unknown): Step | null {
  if (!isObject(value)) return null
  const text = textIn(value)
  const state = stateOf(value['status'] ?? value['state'] ?? value['done'] ?? value['completed'])
  return text === null || state === null ? null : { text, state }
}

function stateOf(state: unknown): State | null {
  if (typeof state === 'boolean') return state ? 'done' : 'open'
  if (typeof state !== 'string') return null
  if (/progress|active|doing|current|running/i.test(state)) return 'in progress'
  return /complete|done|finish|cancel|skip/i.test(state) ? 'done' : 'open'
}
