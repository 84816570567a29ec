/**
 * The text of the ledger as it grows: sections with a title, lines that entries share. What
 * an entry would add is known to the character before it is added.
 */
import { type EntryText, type SectionName, sectionNames } from './entry-text.ts'

export interface LedgerPage {
  /** How many characters longer the text would be with it, at most. */
  costOf(entry: EntryText): number
  add(entry: EntryText): void
  text(): string
}

export function ledgerPage(root: string): LedgerPage {
  const sections = new Map<SectionName, Map<string, EntryText[]>>()
  const headOf = (section: SectionName) => `${titleOf(section, root)}${behindTitle(section)}`
  return {
    costOf: (entry) => {
      const { section, line } = entry
      const lines = sections.get(section)
      // A line end comes before all but the first line of the text.
      const head = lines === undefined ? headOf(section).length + (sections.size === 0 ? 0 : 1) : 0
      const sharing = lines?.get(line) ?? []
      return head + lengthOf([...sharing, entry]) - lengthOf(sharing)
    },
    add: (entry) => {
      const { section, line } = entry
      const lines = sections.get(section) ?? new Map<string, EntryText[]>()
      sections.set(section, lines)
      const sharing = lines.get(line)
      if (sharing === undefined) lines.set(line, [entry])
      else sharing.push(entry)
    },
    text: () =>
      sectionNames
        .flatMap((section) => {
          const lines = sections.get(section)
          return lines === undefined ? [] : [`${headOf(section)}${linesText(section, lines)}`]
        })
        .join('\n'),
  }
}

function titleOf(section: SectionName, root: string): string {
  return section === 'Files' && root !== '' ? `${section} in ${root}` : section
}

const hasLines: ReadonlySet<SectionName> = new Set(['Files', 'Names, by the message that has them'])

function behindTitle(section: SectionName): string {
  return hasLines.has(section) ? ':\n' : ': '
}

function between(section: SectionName): string {
  return section === 'Names, by the message that has them' ? ' ' : betweenAlone
}

const betweenAlone = ' · '

/** Of entries that share a line, with what ends it: as a line, or each alone where that is shorter. */
function lengthOf(sharing: readonly EntryText[]): number {
  return Math.min(lengthAsLine(sharing), lengthAlone(sharing))
}

function lengthAsLine(sharing: readonly EntryText[]): number {
  const [first] = sharing
  if (first === undefined) return 0
  const texts = sharing.reduce((sum, { text }) => sum + text.length, 0)
  return first.line.length + texts + (sharing.length - 1) * between(first.section).length + 1
}

function lengthAlone(sharing: readonly EntryText[]): number {
  return sharing.reduce(
    (sum, { alone }) => sum + (alone?.length ?? Number.POSITIVE_INFINITY) + betweenAlone.length,
    0,
  )
}

function linesText(section: SectionName, lines: ReadonlyMap<string, readonly EntryText[]>): string {
  const inOrder = section === 'Files' ? [...lines] : [...lines].sort(byPlace)
  const isLine = (sharing: readonly EntryText[]) => lengthAsLine(sharing) <= lengthAlone(sharing)
  const told = inOrder
    .filter(([, sharing]) => isLine(sharing))
    .map(([line, sharing]) => `${line}${sharing.map(({ text }) => text).join(between(section))}`)
  const alone = inOrder
    .filter(([, sharing]) => !isLine(sharing))
    .flatMap(([, sharing]) => sharing.map((entry) => entry.alone ?? entry.text))
  return (alone.length === 0 ? told : [...told, alone.join(betweenAlone)]).join('\n')
}

/** Lines that begin with an anchor stand in the order of the log. */
function byPlace([left]: readonly [string, unknown], [right]: readonly [string, unknown]): number {
  return Number.parseInt(left.slice(1), 10) - Number.parseInt(right.slice(1), 10)
}
