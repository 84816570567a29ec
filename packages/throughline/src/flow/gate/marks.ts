/** Marks doubtful names, quotes and sentences of a draft without changing it. */
import type { DraftMark } from '../../domain/summary.ts'
import { literalsInProse } from '../../extract/literals/prose-literals.ts'
import { boundaryBefore } from '../../extract/text-cuts.ts'
import { utterancesOf } from '../../extract/utterances.ts'
import { isAction, isOpen } from './action-words.ts'
import { segmentsOfText, wordsOf } from './draft-text.ts'
import { proposalWords } from './draft-words-data.ts'
import type { SourceIndex } from './source-index.ts'
import { doubtThreshold, type Topic } from './topic.ts'

const maxMarks = 40

export function marksOf(text: string, index: SourceIndex, topic: Topic): readonly DraftMark[] {
  const marks: DraftMark[] = []
  if (topic.isOtherLanguage) marks.push({ kind: 'other-language', text: '' })
  else if (topic.evidence < doubtThreshold) marks.push({ kind: 'little-in-common', text: '' })
  marks.push(...nameMarks(text, index))
  for (const sentence of proposalsReportedAsDone(text, index)) {
    const end = boundaryBefore(sentence, maxMarkCharacters)
    marks.push({ kind: 'proposal-as-done', text: sentence.slice(0, end) })
  }
  return marks.slice(0, maxMarks)
}

const nameKinds: ReadonlySet<string> = new Set('file symbol host name id'.split(' '))
const maxQuotes = 20
const minQuoteWords = 3
const maxMarkCharacters = 200

function nameMarks(text: string, index: SourceIndex): readonly DraftMark[] {
  const marks = new Map<string, DraftMark>()
  let quotes = 0
  for (const { kind, text: name, at } of literalsInProse(text)) {
    if (kind === 'name' && isLabel(text, at, name)) continue
    const words = wordsOf(name)
    const isKnown = words.every((word) => index.hasWord(word) || index.hasWord(word.toLowerCase()))
    if (nameKinds.has(kind) && !isKnown) marks.set(name, { kind: 'unknown-name', text: name })
    if (kind !== 'quoted' || words.length < minQuoteWords || quotes >= maxQuotes) continue
    quotes += 1
    const unquoted = name.replace(/^["'“„«]+|["'”“».,]+$/g, '')
    if (!index.sources.some((source) => source.text.includes(unquoted)))
      marks.set(name, { kind: 'unknown-quote', text: name })
  }
  return [...marks.values()]
}

/** In a heading, before a colon, or capitalised only as the first word of a line. */
function isLabel(text: string, at: number, name: string): boolean {
  const around = text.slice(Math.max(0, at - lineCharacters), at + lineCharacters)
  const nameAt = Math.min(at, lineCharacters)
  const lineAt = around.lastIndexOf('\n', nameAt) + 1
  const [line = ''] = around.slice(lineAt).split('\n')
  if (/^\s*(?:#|\*\*[^*]{1,80}\*\*:?\s*$|.{1,60}:\**\s*$)/.test(line)) return true
  const before = around.slice(lineAt, nameAt)
  const isBeforeColon = [':', '*:', '**:'].some((end) => text.startsWith(end, at + name.length))
  return /^[\s\d.)*_#>-]*$/.test(before) && (!name.includes(' ') || isBeforeColon)
}

// Headings and labels are shorter.
const lineCharacters = 120

// Only the newest messages count, because old proposals have been answered.
const maxMessages = 30
const minProposalWords = 3
const minSharedFraction = 0.6

/** The sentences that report an action as done and have most words of an assistant's proposal. */
function proposalsReportedAsDone(text: string, { sources }: SourceIndex): readonly string[] {
  const proposals = sources
    .filter(({ role }) => role === 'assistant')
    .slice(-maxMessages)
    .flatMap((source) => utterancesOf(source.text, 'assistant'))
    .filter(({ kind }) => kind === 'proposal')
    .map((proposal) => contentStems(proposal.text))
    .filter((stems) => stems.size >= minProposalWords)
  if (proposals.length === 0) return []
  return segmentsOfText(text).filter((sentence) => {
    const clause = sentence.toLowerCase()
    if (!isAction(clause) || isOpen(clause)) return false
    const stems = contentStems(sentence)
    return proposals.some(
      (proposal) => proposal.intersection(stems).size / proposal.size >= minSharedFraction,
    )
  })
}

/** The first letters of words with content, so that `migrate` and `migrated` are equal. */
function contentStems(text: string): ReadonlySet<string> {
  const words = wordsOf(text.toLowerCase())
  const isContent = (word: string) => word.length >= 4 && !proposalWords.has(word)
  return new Set(words.filter(isContent).map((word) => word.slice(0, 5)))
}
