/** Renders a message as text for people: tool calls and JSON results as fields, not as raw JSON. */
import type { Message, Part, ToolOutput } from '../../index.ts'
import { messageText, redactMessage } from '../../toolkit/index.ts'

/** As the search sees it: redacted and without reasoning. */
export function readableText(message: Message): string {
  const { marks } = message
  if (marks.some(({ kind }) => kind === 'removed')) return messageText(message)
  return redactMessage(message)
    .filter(({ type }) => type !== 'reasoning')
    .map(readablePart)
    .join('\n')
    .toWellFormed()
}

function readablePart(part: Part): string {
  switch (part.type) {
    case 'tool-call':
      return callText(part.name, fieldLines(part.input))
    case 'tool-result':
      return `${part.isError ? 'error: ' : ''}${outputText(part.output)}`
    case 'opaque':
      return (fieldLines(part.json) ?? [part.json]).join('\n')
    default:
      return messageText({ parts: [part], marks: [] })
  }
}

/** On one line if it fits: `read_file(path: src/a.ts)`. */
function callText(name: string, fields: readonly string[] | null): string {
  if (fields === null) return `${name}()`
  const line = `${name}(${fields.join(', ')})`
  if (line.length <= longestLine && !line.includes('\n')) return line
  return [`${name}(`, ...fields.map((field) => `  ${field}`), ')'].join('\n')
}

const longestLine = 100

function outputText(output: ToolOutput): string {
  if (output.kind === 'text') return output.text
  if (output.kind === 'json') return (fieldLines(output.json) ?? [output.json]).join('\n')
  return output.parts.map(readablePart).join('\n')
}

/** `name: value` for each field of a JSON object; other text as it is; null for an empty text. */
function fieldLines(json: string): readonly string[] | null {
  if (json.trim() === '') return null
  try {
    const value: unknown = JSON.parse(json)
    if (typeof value === 'string') return [value]
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return [json]
    return Object.entries(value).map(([name, field]) => `${name}: ${fieldText(field)}`)
  } catch {
    return [json]
  }
}

function fieldText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}
