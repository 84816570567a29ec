/** Messages as lines of a rule digest, without secrets, in log order. */
import { defaults } from '../../defaults-data.ts'
import type { ToolSummary } from '../../domain/ledger.ts'
import {
  type KnownCalls,
  type Message,
  type Part,
  type ToolCallPart,
  type ToolResultPart,
  textOf,
} from '../../domain/message.ts'
import type { DigestLine } from '../../domain/view.ts'
import {
  type ErrorDetails,
  formatFacts,
  formatSummary,
  safeToolName,
  summarizeUse,
} from '../../extract/describe-tool-use.ts'
import { fencedCommandIn } from '../../extract/shell-command.ts'
import { summarizeMessage } from '../../extract/summarize-message.ts'
import { factValue } from '../../extract/tool-facts.ts'
import { taggedReport } from '../../extract/tool-report.ts'
import { readToolUse } from '../../extract/tool-use.ts'
import { fitToTokens } from '../measure/fit-to-tokens.ts'
import type { TextMeter } from '../measure/measure.ts'
import { type Redact, redactor, redactStrings } from '../redact/redact-message.ts'
import { cutText } from '../text/excerpt.ts'
import { textResult } from '../text/sanitize-message.ts'

type DroppedMessage = Pick<Message, 'seq' | 'role' | 'parts'> & {
  readonly author?: Message['author']
}

export interface DroppedMessages {
  readonly messages: readonly DroppedMessage[]
  /** Calls of results whose call is not among the messages. */
  readonly calls: KnownCalls
}

export function digestLines({ messages, calls }: DroppedMessages, details: ErrorDetails) {
  const { redact } = redactor()
  const callsById = new Map(calls)
  const unanswered = callsWithoutResult(messages)
  const lines: DigestLine[] = []
  let fencedCall: ToolCallPart | null = null
  for (const [at, message] of messages.entries()) {
    const results = resultsOf(message)
    // A message whose whole text is the output of a tool has no line of its own.
    const isOutput = results.some(({ callId }) => callId === '')
    const messageLine = isOutput ? null : lineOfMessage(message, messages[at + 1] ?? null, redact)
    if (messageLine?.by === 'assistant') lines.push(messageLine)
    for (const part of message.parts) {
      if (part.type !== 'tool-call') continue
      callsById.set(part.callId, part)
      if (unanswered.has(part)) lines.push(lineOfUse(part, null, details, redact))
    }
    for (const result of results) {
      const call = callsById.get(result.callId) ?? (result.callId === '' ? fencedCall : null)
      lines.push(lineOfUse(call, result, details, redact))
    }
    if (messageLine?.by === 'user') lines.push(messageLine)
    fencedCall = fencedCallOf(message)
  }
  return lines
}

export function summaryOfUse(
  call: ToolCallPart | null,
  result: ToolResultPart | null,
  details: ErrorDetails,
): ToolSummary {
  return summarizeRedacted(call, result, details, redactor().redact).summary
}

function summarizeRedacted(
  call: ToolCallPart | null,
  result: ToolResultPart | null,
  details: ErrorDetails,
  redact: Redact,
) {
  const use = readToolUse(redactPart(call, redact), redactPart(result, redact))
  const summary = summarizeUse(use, details)
  // Combined text may look like a secret although its parts do not.
  const keyFacts = summary.keyFacts.map(redact)
  return { use, summary: { ...summary, keyFacts } }
}

function redactPart<AnyPart extends Part>(part: AnyPart | null, redact: Redact): AnyPart | null {
  if (part === null) return null
  const { parts } = redactStrings({ seq: 0, role: 'tool', parts: [part] }, redact)
  // Redacting keeps the type of a part.
  return (parts[0] as AnyPart | undefined) ?? null
}

const maxFactCharacters = 500
const maxSubjectCharacters = 60
const maxMessageCharacters = 140

function lineOfUse(
  call: ToolCallPart | null,
  result: ToolResultPart | null,
  details: ErrorDetails,
  redact: Redact,
): DigestLine {
  const { use, summary } = summarizeRedacted(call, result, details, redact)
  const keyFacts = summary.keyFacts.map((fact) => cutText(fact, maxFactCharacters))
  return {
    by: 'tool',
    tool: safeToolName(summary.toolName),
    failed: summary.status === 'error',
    subject: factValue(redact(use.subject ?? ''), maxSubjectCharacters),
    text: formatSummary({ ...summary, keyFacts }),
  }
}

function lineOfMessage(
  message: DroppedMessage,
  next: DroppedMessage | null,
  redact: Redact,
): DigestLine | null {
  if (message.role === 'tool' || message.role === 'system') return null
  // Some clients write a text and the tool call after it as two messages.
  const isBeforeCall =
    next?.role === 'assistant' && next.parts.some(({ type }) => type === 'tool-call')
  const summary = summarizeMessage(redactStrings(message, redact), isBeforeCall)
  if (summary === null) return null
  const { by, keyFacts, subject } = summary
  return {
    by,
    tool: '',
    failed: false,
    subject: factValue(redact(subject), maxMessageCharacters),
    text: formatFacts(by, keyFacts.map(redact)),
  }
}

/** Also reads a tool message that is plain text, and command output that a user pasted. */
export function resultsOf({ role, author = null, parts }: DroppedMessage) {
  const results = parts.filter((part) => part.type === 'tool-result')
  if (results.length > 0) return results
  const text = textOf(parts)
  // A result without a call has an empty id.
  if (role === 'tool') return [textResult('', author, text)]
  return role === 'user' && taggedReport(text) !== null ? [textResult('', 'shell', text)] : []
}

/** Agents without tools write their command in the text. */
function fencedCallOf({ role, parts }: DroppedMessage): ToolCallPart | null {
  if (role !== 'assistant') return null
  const command = fencedCommandIn(textOf(parts))
  if (command === null) return null
  const input = JSON.stringify({ command })
  return { type: 'tool-call', callId: '', name: 'shell', input, metadata: null }
}

/** Call ids may repeat, so a call belongs to the nearest result after it. */
function callsWithoutResult(messages: readonly DroppedMessage[]): ReadonlySet<ToolCallPart> {
  const unanswered = new Set<ToolCallPart>()
  const answeredIds = new Set<string>()
  for (const { parts } of messages.toReversed())
    for (const part of parts.toReversed()) {
      if (part.type === 'tool-result') answeredIds.add(part.callId)
      if (part.type === 'tool-call' && !answeredIds.delete(part.callId)) unanswered.add(part)
    }
  return unanswered
}

export function summaryHeader(items: number): string {
  return `--- Summarized Context (${items} items) ---`
}

/** Without a limit; see `safeSummarize`. */
export function summarizeDropped(dropped: DroppedMessages, options: ErrorDetails): string {
  const lines = digestLines(dropped, options)
  return [summaryHeader(lines.length), ...lines.map(({ text }) => text)].join('\n')
}

export const omittedNote = '[Summary omitted - insufficient budget]'

/** At most a tenth of the available tokens. */
export function safeSummaryTokens(maxSummaryTokens: number, availableTokens: number): number {
  return Math.min(maxSummaryTokens, Math.floor(availableTokens * defaults.summaryRatio))
}

/** Summarizes by rules (no LLM), so no call can fail; empty if even the note does not fit. */
export function safeSummarize(
  dropped: DroppedMessages,
  availableTokens: number,
  { maxSummaryTokens, preserveErrorDetails }: ErrorDetails & { readonly maxSummaryTokens: number },
  meter: TextMeter,
): string {
  const maxTokens = safeSummaryTokens(maxSummaryTokens, availableTokens)
  if (maxTokens < defaults.summaryLeastTokens)
    return meter.text(omittedNote) <= availableTokens ? omittedNote : ''
  return fitToTokens(summarizeDropped(dropped, { preserveErrorDetails }), maxTokens, meter)
}
