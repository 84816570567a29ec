/** Condenses a message into one line for the narrative. */
import type { MessageLine } from '../domain/ledger.ts'
import { type KnownCalls, type Message, textOf } from '../domain/message.ts'
import { originOf } from '../domain/origin.ts'
import { type TypedText, typedIn } from '../domain/typed-in.ts'
import { planTools, summaryEndings, summaryStarts } from '../domain/typed-markers-data.ts'
import { describeUse, isWorthReporting } from './describe-tool-use.ts'
import { oneLine } from './one-line.ts'
import { outcomeIn } from './outcome.ts'
import { fencedCommandIn, readCommand } from './shell-command.ts'
import { taggedReport } from './tool-report.ts'
import { readToolUse, type ToolUse } from './tool-use.ts'

export type MessageContent = Pick<Message, 'role' | 'parts'> & Partial<Pick<Message, 'origin'>>

export function digestOf(message: MessageContent, calls: KnownCalls): MessageLine | null {
  const uses = message.parts.flatMap((part) =>
    part.type === 'tool-result' ? [readToolUse(calls.get(part.callId) ?? null, part)] : [],
  )
  return digestOfUses(message, uses, typedIn(message, calls))
}

/** For a message whose tool results are already parsed: parsing is most of the work. */
export function digestOfUses(
  message: MessageContent,
  uses: readonly ToolUse[],
  typed: readonly TypedText[],
): MessageLine | null {
  const text = textOf(message.parts).trim()
  if (message.role === 'assistant')
    return text === '' ? null : { by: 'assistant', text: gistOf(text) }
  const report = message.role === 'user' ? commandResultIn(text) : null
  if (report !== null) return report
  if (typed.length > 0) return typedDigest(typed, uses)
  if (uses.length > 0) {
    const reports = uses.filter(isWorthReporting).map(describeUse)
    return reports.length === 0
      ? null
      : { by: 'tool', text: reports.join('; ').slice(0, usesCharacters).toWellFormed() }
  }
  const origin = message.role === 'user' ? originOf(message) : null
  if (origin === 'summary') return { by: 'summary', text: summaryText(text) }
  if (origin === 'agent' || origin === 'developer') return { by: 'assistant', text: gistOf(text) }
  return text.startsWith(interrupted) ? { by: 'tool', text: 'the user interrupted the work' } : null
}

/** A client's summary without the words that the client puts around it. */
function summaryText(text: string): string {
  const starts = summaryStarts.flatMap((heading) => {
    const at = text.indexOf(heading)
    return at < 0 ? [] : [at + heading.length]
  })
  const from = Math.max(0, ...starts)
  const ends = summaryEndings.map((ending) => text.indexOf(ending, from)).filter((at) => at >= 0)
  return text
    .slice(from, Math.min(text.length, from + userCharacters, ...ends))
    .trim()
    .toWellFormed()
}

const interrupted = '[Request interrupted by user'

function typedDigest(typed: readonly TypedText[], uses: readonly ToolUse[]): MessageLine {
  const text = typed
    .map((each) => each.text)
    .join('\n')
    .slice(0, userCharacters)
    .toWellFormed()
  const questions = typed.flatMap(({ question }) => question ?? [])
  const rejected = uses.find(({ ending }) => ending !== null)
  const isPlan = typed.some(({ kind }) => kind === 'plan')
  const about = isPlan
    ? 'changed in the approved plan'
    : questions.length > 0
      ? // Each question is cut for itself, so that none is lost; the answers are in their order.
        `answer to: ${questions.map(shortNote).join('; ')}`
      : rejected && shortNote(`on rejecting ${rejectedThing(rejected)}`)
  return about === undefined ? { by: 'user', text } : { by: 'user', text, about }
}

function rejectedThing({ tool, subject }: ToolUse): string {
  return planTools.includes(tool) ? 'the plan' : `${tool} ${subject ?? ''}`
}

const noteCharacters = 120

/** Without brackets, which end the note. */
function shortNote(text: string): string {
  return oneLine(text.replace(/[[\]]/g, ' ')).slice(0, noteCharacters).trim().toWellFormed()
}

// Longer text was pasted; its start shows what it is.
const userCharacters = 64_000
const usesCharacters = 8_000
const gistCharacters = 400

/** Agents without tools receive the output of a command as a user message. */
function commandResultIn(text: string): MessageLine | null {
  const report = taggedReport(text)
  if (report === null) return null
  const { exitCode, error } = outcomeIn(report, false)
  const end = [`exit ${exitCode}`, ...(error === null ? [] : [error])].join('; ')
  return { by: 'tool', text: `the command ended (${end})` }
}

function gistOf(text: string): string {
  const command = fencedCommandIn(text)
  if (command !== null) {
    const words = text.slice(0, text.lastIndexOf('```', text.lastIndexOf('```') - 1)).trim()
    const label = `[command: ${readCommand(command).gist}]`
    return words === '' ? label : `${firstAndLastParagraph(words)} ${label}`
  }
  return firstAndLastParagraph(text)
}

function firstAndLastParagraph(text: string): string {
  if (text.length <= gistCharacters) return text.toWellFormed()
  const half = gistCharacters / 2
  const first = firstProse(text.slice(0, paragraphCharacters).split(blankLine))
  const last = firstProse(text.slice(-paragraphCharacters).split(blankLine).reverse())
  if (first === last) return `${first.slice(0, half)} … ${last.slice(-half)}`.toWellFormed()
  return `${first.slice(0, half)} … ${last.slice(0, half)}`.toWellFormed()
}

const blankLine = /\n[ \t\r]{0,200}\n/
const paragraphCharacters = 8_000

function firstProse(paragraphs: readonly string[]): string {
  const isProse = (paragraph: string) => !/^\s*(?:```|\||$)/.test(paragraph)
  return (paragraphs.find(isProse) ?? paragraphs[0] ?? '').trim()
}
