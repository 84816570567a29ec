/**
 * The text of the ledger as it grows: sections with a title, lines that entries share. What
 * an entry would add is known to the character before it is added.
 */
import { type EntryText, type SectionName, sectionNames } from './entry-text.ts'

export interface LedgerPage {
  /** How many characters longer the text would be with it. */
  costOf(entry: EntryText): number
  add(entry: EntryText): void
  text(): string
}

export function ledgerPage(root: string): LedgerPage {
  const sections = new Map<SectionName, Map<string, string[]>>()
  const headOf = (section: SectionName) => `${titleOf(section, root)}${behindTitle(section)}`
  return {
    costOf: ({ section, line, text }) => {
      const lines = sections.get(section)
      const head = lines === undefined ? headOf(section).length : 0
      const sharing = lines?.get(line)
      if (sharing !== undefined) return between(section).length + text.length
      // A line end comes before all but the first line of the text.
      const lineEnd = sections.size === 0 ? 0 : 1
      return lineEnd + head + line.length + text.length
    },
    add: ({ section, line, text }) => {
      const lines = sections.get(section) ?? new Map<string, string[]>()
      sections.set(section, lines)
      const sharing = lines.get(line)
      if (sharing === undefined) lines.set(line, [text])
      else sharing.push(text)
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
  return section === 'Names, by the message that has them' ? ' ' : ' · '
}

function linesText(section: SectionName, lines: ReadonlyMap<string, readonly string[]>): string {
  const inOrder = section === 'Files' ? [...lines] : [...lines].sort(byPlace)
  return inOrder.map(([line, texts]) => `${line}${texts.join(between(section))}`).join('\n')
}

/** Lines that begin with an anchor stand in the order of the log. */
function byPlace([left]: readonly [string, unknown], [right]: readonly [string, unknown]): number {
  return Number.parseInt(left.slice(1), 10) - Number.parseInt(right.slice(1), 10)
}
