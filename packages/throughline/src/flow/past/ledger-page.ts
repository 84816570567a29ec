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
  const sections = new Map<SectionName, Map<string, SharedLine>>()
  const headOf = (section: SectionName) => `${titleOf(section, root)}${behindTitle(section)}`
  return {
    costOf: (entry) => {
      const lines = sections.get(entry.section)
      const shared = lines?.get(entry.line)
      const length = Math.min(lengthAsLine(shared, entry), lengthAlone(shared, entry))
      if (shared !== undefined) return length - Math.min(shared.asLine, shared.alone)
      if (lines !== undefined) return length
      // A line end comes before all but the first line of the text.
      return length + headOf(entry.section).length + (sections.size === 0 ? 0 : 1)
    },
    add: (entry) => {
      const { section, line } = entry
      const lines = sections.get(section) ?? new Map<string, SharedLine>()
      sections.set(section, lines)
      const shared = lines.get(line)
      const lengths = { asLine: lengthAsLine(shared, entry), alone: lengthAlone(shared, entry) }
      if (shared === undefined) lines.set(line, { entries: [entry], ...lengths })
      else {
        shared.entries.push(entry)
        Object.assign(shared, lengths)
      }
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

/** Entries that share a line, and how long they are, as a line or each alone, with what ends it. */
interface SharedLine {
  readonly entries: EntryText[]
  asLine: number
  alone: number
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

function lengthAsLine(shared: SharedLine | undefined, { section, line, text }: EntryText): number {
  return shared === undefined
    ? line.length + text.length + 1
    : shared.asLine + between(section).length + text.length
}

function lengthAlone(shared: SharedLine | undefined, { alone }: EntryText): number {
  const length = (alone?.length ?? Number.POSITIVE_INFINITY) + betweenAlone.length
  return (shared?.alone ?? 0) + length
}

function linesText(section: SectionName, lines: ReadonlyMap<string, SharedLine>): string {
  const inOrder = section === 'Files' ? [...lines] : [...lines].sort(byPlace)
  const isLine = ({ asLine, alone }: SharedLine) => asLine <= alone
  const told = inOrder
    .filter(([, shared]) => isLine(shared))
    .map(
      ([line, { entries }]) => `${line}${entries.map(({ text }) => text).join(between(section))}`,
    )
  const alone = inOrder
    .filter(([, shared]) => !isLine(shared))
    .flatMap(([, { entries }]) => entries.map((entry) => entry.alone ?? entry.text))
  return (alone.length === 0 ? told : [...told, alone.join(betweenAlone)]).join('\n')
}

/** Lines that begin with an anchor stand in the order of the log. */
function byPlace([left]: readonly [string, unknown], [right]: readonly [string, unknown]): number {
  return Number.parseInt(left.slice(1), 10) - Number.parseInt(right.slice(1), 10)
}
