/**
 * Entries as text: each with who spoke before it, a blank line between.
 */
import { firstCodePoints } from '../code-points.ts'
import { lineOfText } from '../line-of-text.ts'
import type { Entry } from './entry.ts'

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
