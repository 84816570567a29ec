/** Summarizes a message as a few facts: exact names from the whole text, counts of long lists. */
import { textOf } from '../domain/message.ts'
import { typedIn } from '../domain/typed-in.ts'
import { emphasizedNamesOf } from './emphasized-names.ts'
import { labelOfUtterance } from './fact-kinds-data.ts'
import { literalsInOutput, type OutputLiteralKind } from './literals/output-literals.ts'
import { digestOfUses, type MessageContent } from './message-digest.ts'
import { fencedCommandIn } from './shell-command.ts'
import { factValue } from './tool-facts.ts'
import { decisionsOf, type Utterance, utterancesOf } from './utterances.ts'

export interface MessageSummary {
  readonly by: 'user' | 'assistant'
  readonly keyFacts: readonly string[]
  readonly subject: string
}

/** Null without content. Right before a tool call only decisions count; the result has the rest. */
export function summarizeMessage(
  message: MessageContent,
  isBeforeCall = false,
): MessageSummary | null {
  const { role } = message
  if (role !== 'user' && role !== 'assistant') return null
  const text = spokenText(message).slice(0, textCharacters)
  const attached = attachedTo(message)
  const utterances =
    role === 'user' ? userUtterances(text) : decisionsOf(text).slice(0, maxDecisions)
  const announces = isBeforeCall || callsSomething(message, text)
  if (role === 'assistant' && utterances.length === 0 && announces) return null
  const facts = utterances.map(
    ({ kind, text: words }) => `${labelOfUtterance[kind]}: ${short(words)}`,
  )
  const gist = role === 'user' && facts.length > 0 ? null : gistOf(message, text, utterances)
  if (gist !== null) facts.push(`${labelOfUtterance.statement}: ${short(gist)}`)
  if (facts.length + attached.length === 0) return null
  return {
    by: role,
    keyFacts: [...namesIn(text, role, facts), ...facts, ...attached, ...countsOf(text, gist)],
    subject: utterances.map(({ text: words }) => words).join(' ') || (gist ?? attached[0] ?? ''),
  }
}

/** Of a user message, only what a person typed: clients insert text of their own. */
function spokenText(message: MessageContent): string {
  if (message.role !== 'user') return textOf(message.parts)
  return typedIn(message, new Map())
    .map(({ text }) => text)
    .join('\n')
}

// Longer text was pasted.
const textCharacters = 100_000
const maxUtterances = 3
const maxDecisions = 2

const plainKinds: ReadonlySet<Utterance['kind']> = new Set([
  'persistent',
  'statement',
  'confirmation',
])

/** Prefers binding utterances to plain ones, and keeps the order of the text. */
function userUtterances(text: string): readonly Utterance[] {
  const utterances = utterancesOf(text, 'user')
  const binding = utterances.filter(({ kind }) => !plainKinds.has(kind))
  const others = utterances.filter((utterance) => !binding.includes(utterance))
  return [...binding, ...others].slice(0, maxUtterances).sort((left, right) => left.at - right.at)
}

const factCharacters = 160

function short(text: string): string {
  return factValue(text, factCharacters)
}

function callsSomething({ parts }: MessageContent, text: string): boolean {
  return parts.some(({ type }) => type === 'tool-call') || fencedCommandIn(text) !== null
}

function gistOf(message: MessageContent, text: string, utterances: readonly Utterance[]) {
  const prose = countListItems(text) > maxShortList ? text.replaceAll(listItem, '') : text
  const rest = utterances.reduce((left, utterance) => left.replace(utterance.text, () => ''), prose)
  const part = { type: 'text', text: rest.trim(), metadata: null } as const
  if (part.text === '') return null
  const typed = [{ kind: 'message', text: part.text, question: null } as const]
  return digestOfUses({ role: message.role, parts: [part] }, [], typed)?.text ?? null
}

const maxShortList = 3
const listItem = /^[ \t]{0,20}(?:[-*+•]|\d{1,3}[.)])[ \t][^\n]*\n?/gm

function countListItems(text: string): number {
  return text.match(listItem)?.length ?? 0
}

function countsOf(text: string, gist: string | null): readonly string[] {
  const items = gist === null ? 0 : countListItems(text)
  return items > maxShortList ? [`List: ${items} items`] : []
}

const maxNames = 5
const nameKinds: ReadonlySet<OutputLiteralKind> = new Set([
  ...(['path', 'file', 'symbol', 'hash', 'id', 'version', 'url', 'host'] as const),
])

function namesIn(text: string, role: MessageSummary['by'], facts: readonly string[]) {
  const exact = literalsInOutput(text)
    .filter(({ kind }) => nameKinds.has(kind))
    .map((literal) => literal.text)
  const emphasized = role === 'assistant' ? emphasizedNamesOf(text) : []
  const shown = facts.join('\n')
  const names = [...new Set([...exact, ...emphasized])].filter((name) => !shown.includes(name))
  return listFact('Names', names, maxNames)
}

function listFact(label: string, names: readonly string[], max: number): readonly string[] {
  if (names.length === 0) return []
  const more = names.length > max ? ` +${names.length - max}` : ''
  return [`${label}: ${names.slice(0, max).join(', ')}${more}`]
}

const maxAttached = 3

function attachedTo({ parts }: MessageContent): readonly string[] {
  const names = parts.flatMap((part) => {
    if (part.type === 'file') return [part.name ?? part.mediaType]
    if (part.type === 'attachment-ref') return [part.title ?? part.attachmentId]
    return part.type === 'resource-excerpt' ? [part.title ?? part.resourceId] : []
  })
  return listFact('Attached', names.map(short), maxAttached)
}
