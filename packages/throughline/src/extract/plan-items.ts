/** Reads the steps of a plan from the arguments of a tool that keeps one: to-do lists, plan updates. */
import { isObject, parsedJson } from '../domain/json.ts'
import { oneLine } from './one-line.ts'

/** `in progress: …; open: …; 3 done`; null if the arguments have no list of steps with a state. */
export function planIn(input: string): string | null {
  if (input.length > maxInputCharacters) return null
  const items = stepsIn(parsedJson(input), 2)
  if (items === null || items.length === 0) return null
  const groups = Map.groupBy(items, ({ state }) => state)
  return states
    .flatMap((state) => {
      const steps = groups.get(state) ?? []
      if (steps.length === 0) return []
      // What is done is in the messages and in other entries.
      if (state === 'done') return [`${steps.length} done`]
      const shown = steps.slice(0, maxSteps).map(({ text }) => text)
      const more = steps.length - shown.length
      return [`${state}: ${[...shown, ...(more > 0 ? [`${more} more`] : [])].join(', ')}`]
    })
    .join('; ')
}

const maxInputCharacters = 50_000
const maxSteps = 8
const stepCharacters = 80

const states = ['in progress', 'open', 'done'] as const

interface Step {
  readonly text: string
  readonly state: (typeof states)[number]
}

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

const textFields = ['content', 'step', 'title', 'description', 'text', 'task', 'name']

function stepOf(value: unknown): Step | null {
  if (!isObject(value)) return null
  const text = textFields.map((field) => value[field]).find((each) => typeof each === 'string')
  const state = stateOf(value['status'] ?? value['state'] ?? value['done'] ?? value['completed'])
  if (typeof text !== 'string' || text.trim() === '' || state === null) return null
  return { text: oneLine(text).slice(0, stepCharacters).toWellFormed(), state }
}

function stateOf(state: unknown): Step['state'] | null {
  if (typeof state === 'boolean') return state ? 'done' : 'open'
  if (typeof state !== 'string') return null
  if (/progress|active|doing|current|running/i.test(state)) return 'in progress'
  return /complete|done|finish|cancel|skip/i.test(state) ? 'done' : 'open'
}
