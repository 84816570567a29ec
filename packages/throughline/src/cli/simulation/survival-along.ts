/**
 * Measures the survival of names along a conversation: of the earlier names that the assistant uses next,
 * how many are in the context. Names of a message are extracted once.
 */
import type { Part, PartInput, ToolOutput, ToolOutputInput } from '../../index.ts'
import { identifierPatterns, workArguments } from './identifiers-data.ts'

export interface ScoredMessage {
  readonly isAssistant: boolean
  readonly text: string
}

export interface Survived {
  readonly needed: number
  readonly shown: number
  /** How many of those are in the last messages, in as much text as the context has. */
  readonly inTail: number
}

const messagesCounted = 60
/** Fewer names make no meaningful share. */
export const leastNeeded = 5

export function survivalAlong(messages: readonly ScoredMessage[], workingFolder: string) {
  const names = new Map<number, ReadonlySet<string>>()
  const namesAt = (place: number): ReadonlySet<string> => {
    const found = names.get(place) ?? identifiersOf(messages[place]?.text ?? '', workingFolder)
    names.set(place, found)
    return found
  }
  const known = new Set<string>()
  let seen = 0
  /** Call with ascending places. Null if too few names are needed for a share. */
  return (place: number, replacement: string): Survived | null => {
    for (; seen < place; seen += 1) {
      for (const name of namesAt(seen)) known.add(name)
      names.delete(seen)
    }
    const following = messages
      .slice(place, place + messagesCounted)
      .map(({ isAssistant }, index) => ({ isAssistant, names: namesAt(place + index) }))
    const needed = neededNames(following, known)
    if (needed.size < leastNeeded) return null
    const tail = tailOf(messages, place, replacement.length)
    const countIn = (text: string) => [...needed].filter((name) => containsName(name, text)).length
    return { needed: needed.size, shown: countIn(replacement), inTail: countIn(tail) }
  }
}

/** The last `characters` before a place. */
function tailOf(messages: readonly ScoredMessage[], place: number, characters: number): string {
  const texts: string[] = []
  let left = characters
  for (let at = place - 1; at >= 0 && left > 0; at -= 1) {
    const text = messages[at]?.text ?? ''
    texts.unshift(text.slice(-left))
    left -= text.length + 1
  }
  return texts.join('\n')
}

/** Known names that the assistant uses before a later message shows them again. */
export function neededNames(
  following: readonly { readonly isAssistant: boolean; readonly names: ReadonlySet<string> }[],
  known: { has(name: string): boolean },
): ReadonlySet<string> {
  const needed = new Set<string>()
  const shown = new Set<string>()
  for (const { isAssistant, names } of following) {
    if (isAssistant)
      for (const name of names) if (known.has(name) && !shown.has(name)) needed.add(name)
    for (const name of names) shown.add(name)
  }
  return needed
}

const identifier = new RegExp(identifierPatterns.join('|'), 'gu')

/** Paths are relative to the working folder, which itself is not an identifier. */
export function identifiersOf(text: string, workingFolder: string): ReadonlySet<string> {
  const folder = workingFolder.replace(/^\/+|\/+$/g, '')
  const found = new Set<string>()
  for (const [match] of text.matchAll(identifier)) {
    const name = match.replace(/^[./]+|[./]+$/g, '')
    const inFolder = folder !== '' && name.startsWith(`${folder}/`)
    const relative = inFolder ? name.slice(folder.length + 1) : name
    if (relative !== folder) found.add(relative)
  }
  return found
}

/** A path is found by its file name. */
export function containsName(name: string, text: string): boolean {
  return text.includes(name.slice(name.lastIndexOf('/') + 1))
}

/**
 * The text of a message for measuring survival: text, reasoning, argument values and tool output, but no
 * JSON syntax and no names of fields or tools. It uses no code of the engine, which it measures.
 */
export function contentText(content: string | readonly (Part | PartInput)[]): string {
  if (typeof content === 'string') return content
  return content.flatMap(partText).join('\n')
}

function partText(part: Part | PartInput): readonly string[] {
  if ('text' in part) return [part.text]
  if (part.type === 'tool-call') return [argumentValues(parsedInput(part.input)).join('\n')]
  return part.type === 'tool-result' ? [outputText(part.output)] : []
}

function outputText(output: ToolOutput | ToolOutputInput): string {
  if (typeof output === 'string') return output
  if (output.kind === 'parts') return contentText(output.parts)
  return output.kind === 'text' ? output.text : argumentValues(parsedInput(output.json)).join('\n')
}

/** Arguments that are not JSON stay text. */
export function parsedInput(input: unknown): unknown {
  if (typeof input !== 'string') return input
  try {
    return JSON.parse(input)
  } catch {
    return input
  }
}

function argumentValues(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value]
  if (typeof value !== 'object' || value === null) return []
  if (Array.isArray(value)) return value.flatMap(argumentValues)
  return Object.entries(value).flatMap(([key, inner]) =>
    workArguments.has(key) ? [] : argumentValues(inner),
  )
}
