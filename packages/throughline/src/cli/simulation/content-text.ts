/**
 * What the measures of survival take for the text of a message: what was said and thought,
 * the values of a call's arguments, and what a tool gave back; never JSON, names of fields
 * or names of tools. The same rules hold for messages of a log and of a context.
 *
 * The scorer imports nothing of the engine but types: what is measured must not measure itself.
 */
import type { Part, PartInput, ToolOutput, ToolOutputInput } from '../../index.ts'

export type ScoredContent = string | readonly (Part | PartInput)[]

/** Arguments that say how to work, not on what. */
const skippedKeys: ReadonlySet<string> = new Set([
  'timeout',
  'offset',
  'limit',
  'taskId',
  'status',
  'output_mode',
  'subagent_type',
])

export function contentText(content: ScoredContent): string {
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
    skippedKeys.has(key) ? [] : argumentValues(inner),
  )
}

/** A file as it is, where a tool has numbered its lines (`   12→text`). */
export function withoutLineNumbers(text: string): string {
  return text.replace(/(?<![^\n])\s*\p{Nd}+→/gu, '')
}
