/**
 * Survival at any place of a conversation that is lived through: of the names that the assistant
 * needs next and that stood only before, those that stand in what the model sees now. The names
 * of a message are looked for once, however many places are asked about.
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
  /** Of those, how many stand in as much text right before the place. */
  readonly inTail: number
}

/** Places come in their order. Null where so little is needed that a share of it says nothing. */
type SurvivalAlong = (place: number, replacement: string) => Survived | null

const messagesCounted = 60
const leastNeeded = 5

export function survivalAlong(
  messages: readonly ScoredMessage[],
  workingFolder: string,
): SurvivalAlong {
  const names = new Map<number, ReadonlySet<string>>()
  const namesAt = (place: number): ReadonlySet<string> => {
    const found = names.get(place) ?? identifiersOf(messages[place]?.text ?? '', workingFolder)
    names.set(place, found)
    return found
  }
  const known = new Set<string>()
  let seen = 0
  return (place, replacement) => {
    for (; seen < place; seen += 1) {
      for (const name of namesAt(seen)) known.add(name)
      // It is known now, and never behind a place again.
      names.delete(seen)
    }
    const behind = messages
      .slice(place, place + messagesCounted)
      .map(({ isAssistant }, index) => ({ isAssistant, names: namesAt(place + index) }))
    const needed = neededNames(behind, known)
    if (needed.size < leastNeeded) return null
    const tail = tailOf(messages, place, replacement.length)
    const countIn = (text: string) => [...needed].filter((name) => standsIn(name, text)).length
    return { needed: needed.size, shown: countIn(replacement), inTail: countIn(tail) }
  }
}

/** As many characters as asked for, right before a place. */
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

/** What the assistant uses of what was known, before anybody shows it again. */
export function neededNames(
  behind: readonly { readonly isAssistant: boolean; readonly names: ReadonlySet<string> }[],
  known: { has(name: string): boolean },
): ReadonlySet<string> {
  const needed = new Set<string>()
  const shown = new Set<string>()
  for (const { isAssistant, names } of behind) {
    if (isAssistant)
      for (const name of names) if (known.has(name) && !shown.has(name)) needed.add(name)
    for (const name of names) shown.add(name)
  }
  return needed
}

const identifier = new RegExp(identifierPatterns.join('|'), 'gu')

/** Paths are taken relative to the working folder, which itself is no identifier. */
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

/** A path counts as standing there if its file name does. */
export function standsIn(name: string, text: string): boolean {
  return text.includes(name.slice(name.lastIndexOf('/') + 1))
}

/**
 * What the measures of survival take for the text of a message: what was said and thought,
 * the values of a call's arguments, and what a tool gave back; never JSON, names of fields
 * or names of tools. The same rules hold for messages of a log and of a context.
 *
 * The scorer imports nothing of the engine but types: what is measured must not measure itself.
 */
export function contentText(content: string | readonly (Part | PartInput)[]): string {
  if (typeof content === 'string') return content
  return content.flatMap(partText).join('\n')
}

function partText(part: Part | PartInput): readonly string[] {
  switch (part.type) {
    case 'text':
    case 'reasoning':
    case 'resource-excerpt':
      return [part.text]
    case 'tool-call':
      return [argumentValues(parsedInput(part.input)).join('\n')]
    case 'tool-result':
      return [outputText(part.output)]
    case 'file':
    case 'attachment-ref':
    case 'opaque':
      return []
  }
}

function outputText(output: ToolOutput | ToolOutputInput): string {
  if (typeof output === 'string') return output
  switch (output.kind) {
    case 'text':
      return output.text
    case 'json':
      return argumentValues(parsedInput(output.json)).join('\n')
    case 'parts':
      return contentText(output.parts)
  }
}

/** Arguments stand in the log as JSON text; those that are no JSON are taken as they are. */
export function parsedInput(input: unknown): unknown {
  if (typeof input !== 'string') return input
  try {
    return JSON.parse(input)
  } catch {
    return input
  }
}

/** The texts in a value, at any depth. */
function argumentValues(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value]
  if (typeof value !== 'object' || value === null) return []
  if (Array.isArray(value)) return value.flatMap(argumentValues)
  return Object.entries(value).flatMap(([key, inner]) =>
    workArguments.has(key) ? [] : argumentValues(inner),
  )
}
