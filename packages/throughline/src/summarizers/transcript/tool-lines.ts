/** One use of a tool as a line of facts. */
import type { ToolCallPart, ToolResultPart } from '../../domain/message.ts'
import { summarizeUse } from '../../extract/tool-summary.ts'
import { readToolUse } from '../../extract/tool-use.ts'

/** `read_file (success): File: /app.ts | Lines: 100`, whatever it did. */
export function toolLine(call: ToolCallPart | null, result: ToolResultPart | null): string {
  return factLine(readToolUse(call, result))
}

/** The same for what is worth a word: a tool that was used on nothing with a name, and went well, is noise. */
export function essentialToolLine(
  call: ToolCallPart | null,
  result: ToolResultPart | null,
): string | null {
  const use = readToolUse(call, result)
  const isNoise = use.subject === null && use.outcome?.status !== 'error'
  return isNoise ? null : factLine(use)
}

function factLine(use: ReturnType<typeof readToolUse>): string {
  const { toolName, status, keyFacts } = summarizeUse(use, { preserveErrorDetails: true })
  const facts = keyFacts.join(' | ')
  return facts === '' ? `${toolName} (${status})` : `${toolName} (${status}): ${facts}`
}
