/** Marks doubtful passages of a draft without changing it. */
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
  for (const sentence of unprovenActions(text, index)) {
    const end = boundaryBefore(sentence, markCharacters)
    marks.push({ kind: 'proposal-as-done', text: sentence.slice(0, end) })
  }
  return marks.slice(0, maxMarks)
}

const names: ReadonlySet<string> = new Set('file symbol host name id'.split(' '))
const maxQuotes = 20
const quoteWords = 3

function nameMarks(text: string, index: SourceIndex): readonly DraftMark[] {
  const marks = new Map<string, DraftMark>()
  let quotes = 0
  for (const { kind, text: name, at } of literalsInProse(text)) {
    if (kind === 'name' && isLabel(text, at, name)) continue
    const words = wordsOf(name)
    const isKnown = words.every((word) => index.hasWord(word) || index.hasWord(word.toLowerCase()))
    if (names.has(kind) && !isKnown) marks.set(name, { kind: 'unknown-name', text: name })
    if (kind !== 'quoted' || words.length < quoteWords || quotes >= maxQuotes) continue
    quotes += 1
    const bare = name.replace(/^["'“„«]+|["'”“».,]+$/g, '')
    if (!index.sources.some((source) => source.text.includes(bare)))
      marks.set(name, { kind: 'unknown-quote', text: name })
  }
  return [...marks.values()]
}

/** A heading, a label before a colon, or the capital letter at the start of a line. */
function isLabel(text: string, at: number, name: string): boolean {
  const around = text.slice(Math.max(0, at - labelCharacters), at + labelCharacters)
  const nameAt = Math.min(at, labelCharacters)
  const lineAt = around.lastIndexOf('\n', nameAt - 1) + 1
  const line = around.slice(lineAt).split('\n', 1)[0] ?? ''
  if (/^\s*(?:#|\*\*[^*]{1,80}\*\*:?\s*$|.{1,60}:\**\s*$)/.test(line)) return true
  const before = around.slice(lineAt, nameAt)
  const after = text.slice(at + name.length, at + name.length + 3)
  return /^[\s\d.)*_#>-]*$/.test(before) && (!name.includes(' ') || /^\**:/.test(after))
}

const labelCharacters = 120

// Only the newest messages count, because old proposals have been answered.
const maxMessages = 30
const sharedWords = 0.6
const fewWords = 3

/**
 * The sentences that report an action as done although the assistant only proposed it. Pure.
 *
 * For example:
 * unprovenActions('The tests were moved to vitest.', indexOf('I suggest to move the tests to vitest.'))
 * // ['The tests were moved to vitest.']
 */
function unprovenActions(text: string, { sources }: SourceIndex): readonly string[] {
  const proposals = sources
    .filter(({ role }) => role === 'assistant')
    .slice(-maxMessages)
    .flatMap((source) => utterancesOf(source.text, 'assistant'))
    .filter(({ kind }) => kind === 'proposal')
    .map((proposal) => contentWords(proposal.text))
    .filter((words) => words.size >= fewWords)
  if (proposals.length === 0) return []
  return segmentsOfText(text).filter((sentence) => {
    const clause = sentence.toLowerCase()
    if (!isAction(clause) || isOpen(clause)) return false
    const words = contentWords(sentence)
    return proposals.some(
      (proposal) => proposal.intersection(words).size / proposal.size >= sharedWords,
    )
  })
}

const markCharacters = 200

/** Compares words by their first letters, so that `migrate` and `migrated` are equal. */
function contentWords(text: string): ReadonlySet<string> {
  return new Set(
    wordsOf(text.toLowerCase())
      .filter((word) => word.length >= 4 && !proposalWords.has(word))
      .map((word) => word.slice(0, 5)),
  )
}
