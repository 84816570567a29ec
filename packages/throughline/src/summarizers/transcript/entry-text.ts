/**
 * Entries as text: each with who spoke before it, a blank line between.
 */

import type { Seq } from '../../domain/ids.ts'
import type { SourceMessage } from '../../ports/summary-style.ts'
import { firstCodePoints, lineOfText } from '../answer-text.ts'

/** `User (Ada): …` */
export function writtenWithNames(entries: readonly Entry[]): string {
  return written(entries, (entry) => `${names[entry.role]}${detailsOf(entry)}:`)
}

/** `[user]: …` */
export function writtenWithRoles(entries: readonly Entry[]): string {
  return written(entries, (entry) => `[${entry.role}${detailsOf(entry)}]:`)
}

const names: Readonly<Record<Entry['role'], string>> = {
  system: 'System',
  user: 'User',
  assistant: 'Assistant',
  tool: 'Tool',
  segment: 'Segment',
}

function written(entries: readonly Entry[], label: (entry: Entry) => string): string {
  return entries.map((entry) => `${label(entry)} ${entry.text}`).join('\n\n')
}

const authorCharacters = 60

function detailsOf({ author, incomplete, part }: Entry): string {
  const name = author === null ? '' : safeName(author)
  const details = [
    ...(name === '' ? [] : [name]),
    ...(part === null ? [] : [`part ${part.number} of ${part.of}`]),
    ...(incomplete ? ['cut off'] : []),
  ]
  return details.length === 0 ? '' : ` (${details.join(', ')})`
}

function safeName(author: string): string {
  return firstCodePoints(lineOfText(author.replaceAll(/[()[\]:]/g, ' ')), authorCharacters).trim()
}

/** A piece of a conversation as a summarizer reads it. */
export interface Entry {
  readonly seq: Seq
  /** `segment`: what messages have become, told by a model or in excerpts. */
  readonly role: SourceMessage['role'] | 'segment'
  /** The speaker's name, where there are several. */
  readonly author: string | null
  /** The reply broke off while it was written. */
  readonly incomplete: boolean
  readonly text: string
  /** Of a text that was too long for one piece. */
  readonly part: { readonly number: number; readonly of: number } | null
}

/** Words of a message cannot pass for another speaker: a line of theirs that begins as one of ours does is set off. */
export function escapeLabels(text: string): string {
  return text.replaceAll(asLabel, () => '> ')
}

const asLabel = /^(?=[ \t]{0,8}\[?(?:system|user|assistant|tool|segment)\b[^\n:]{0,120}:)/gim
