/** Condenses a message into one line for the narrative. */
import type { MessageDigest } from '../domain/ledger.ts'
import { type KnownCalls, type Message, textOf } from '../domain/message.ts'
import { describeUse, isWorthReporting } from './describe-tool-use.ts'
import { outcomeIn } from './outcome.ts'
import { fencedCommandIn, readCommand } from './shell-command.ts'
import { taggedReport } from './tool-report.ts'
import { readToolUse, type ToolUse } from './tool-use.ts'

type MessageContent = Pick<Message, 'role' | 'parts'>

export function digestOf(message: MessageContent, calls: KnownCalls): MessageDigest | null {
  const uses = message.parts.flatMap((part) =>
    part.type === 'tool-result' ? [readToolUse(calls.get(part.callId) ?? null, part)] : [],
  )
  return digestOfUses(message, uses)
}

/** For a message whose tool results are already parsed: parsing is most of the work. */
export function digestOfUses(
  message: MessageContent,
  uses: readonly ToolUse[],
): MessageDigest | null {
  if (uses.length > 0) {
    const reports = uses.filter(isWorthReporting).map(describeUse)
    return reports.length === 0
      ? null
      : { by: 'tool', text: reports.join('; ').slice(0, usesCharacters).toWellFormed() }
  }
  const text = textOf(message.parts).trim()
  if (text === '') return null
  switch (message.role) {
    case 'user':
      return (
        commandResultIn(text) ?? { by: 'user', text: text.slice(0, userCharacters).toWellFormed() }
      )
    case 'assistant':
      return { by: 'assistant', text: gistOf(text) }
    case 'tool':
    case 'system':
      return null
  }
}

// Longer text was pasted; its start shows what it is.
const userCharacters = 64_000
const usesCharacters = 8_000
const gistCharacters = 400

/** Agents without tools receive the output of a command as a user message. */
function commandResultIn(text: string): MessageDigest | null {
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
