/**
 * Finds sentences that matter later by cue words of several languages. A user's statement counts
 * without one.
 */

import { lazy } from '../domain/lazy.ts'
import { cueWords, isOpinion, isPastTense, refersToContext } from './cue-words-data.ts'
import { sentencesOf } from './sentences.ts'

type BindingKind = 'constraint' | 'preference' | 'correction' | 'decision' | 'commitment'
type OtherKind = 'proposal' | 'confirmation' | 'question' | 'task' | 'persistent' | 'statement'
type UtteranceKind = BindingKind | OtherKind

export interface Utterance {
  readonly kind: UtteranceKind
  readonly text: string
  readonly at: number
}

type Speaker = 'user' | 'assistant'

// Longer text was pasted.
const maxUtterances = 200
/** In a longer text, a statement depends on the text around it and means little alone. */
const briefCharacters = 1_200

export function utterancesOf(text: string, speaker: Speaker): readonly Utterance[] {
  const utterances: Utterance[] = []
  const isBrief = text.length <= briefCharacters
  for (const { text: sentence, at } of sentencesOf(text)) {
    const plain = plainSentence(sentence)
    const kind = speaker === 'user' ? kindByUser(plain) : kindByAssistant(plain)
    const isFragment = kind === 'persistent' && !isBrief
    if (kind !== null)
      utterances.push({ kind: isFragment ? 'statement' : kind, text: sentence, at })
    if (utterances.length >= maxUtterances) break
  }
  return utterances
}

/** Few sentences decide anything, so the whole text is searched for a cue before it is split. */
export function decisionsOf(text: string): readonly Utterance[] {
  // A sentence may continue on the next line.
  if (!hasWords('decision', plainSentence(text.replaceAll('\n', ' ')))) return []
  return utterancesOf(text, 'assistant').filter(({ kind }) => kind === 'decision')
}

interface PlainSentence {
  readonly text: string
  readonly isWide: boolean
}

function plainSentence(sentence: string): PlainSentence {
  const text = sentence.toLowerCase().replaceAll('’', "'")
  return { text, isWide: wide.test(text) }
}

const wide = /[\u1100-\u11ff\u2e80-\uffff]/

function hasWords(name: CueName, { text, isWide }: PlainSentence): boolean {
  const cue = cues()[name]
  if (cue.first?.test(text) === true) return true
  if (cue.anywhere?.test(text) === true) return true
  return isWide && cue.unspaced?.test(text) === true
}

function kindByUser(sentence: PlainSentence): UtteranceKind | null {
  if (isQuestion(sentence.text)) return hasWords('request', sentence) ? 'task' : 'question'
  if (hasWords('correction', sentence)) return 'correction'
  const agreed = agreement(sentence)
  if (agreed !== null) {
    // In "Yes, and never touch the other one" the part after the yes decides.
    const text = sentence.text.slice(agreed.length).replace(/^[\s,.!;:—-]+/, '')
    const more = text.length < minStatementCharacters ? null : bindingKind(plainSentence(text))
    return more ?? 'confirmation'
  }
  const binding = bindingKind(sentence)
  if (binding !== null || !isStatement(sentence)) return binding
  return isPersistent(sentence.text) ? 'persistent' : 'statement'
}

function agreement({ text, isWide }: PlainSentence): string | null {
  const { first, unspaced } = cues().confirmation
  const found = first?.exec(text) ?? (isWide ? unspaced?.exec(text) : null)
  return found?.[0] ?? null
}

function bindingKind(sentence: PlainSentence): UtteranceKind | null {
  if (hasWords('strongConstraint', sentence)) return 'constraint'
  // "I need you to fix it" is a task; other needs are preferences.
  if (hasWords('task', sentence)) return 'task'
  if (hasWords('preference', sentence)) return 'preference'
  if (hasWords('decision', sentence)) return 'decision'
  return hasWords('statedRule', sentence) ? 'constraint' : null
}

function kindByAssistant(sentence: PlainSentence): UtteranceKind | null {
  if (hasWords('proposal', sentence)) return 'proposal'
  if (isQuestion(sentence.text)) return 'question'
  if (hasWords('decision', sentence)) return 'decision'
  return hasWords('commitment', sentence) ? 'commitment' : null
}

function isQuestion(sentence: string): boolean {
  return /[?？؟]["')\]*_”’]{0,3}$/.test(sentence)
}

/** Starts with a number that no sentence follows. */
const countedLine = /^\d(?![\d.,]{0,12} \p{L}{2,40}(?: [^\s]{1,60}){3})/u
const minStatementCharacters = 12
const minWideCharacters = 5

function isStatement(sentence: PlainSentence): boolean {
  const { text, isWide } = sentence
  const hasShortWords = isWide && /[\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}]/u.test(text)
  const minCharacters = hasShortWords ? minWideCharacters : minStatementCharacters
  return text.length >= minCharacters && !countedLine.test(text) && !hasWords('greeting', sentence)
}

const maxPersistentCharacters = 120

/** Short, needs no context, is about the present and is no opinion: "Tabs, not spaces". */
function isPersistent(sentence: string): boolean {
  return (
    sentence.length <= maxPersistentCharacters &&
    !sentence.endsWith(':') &&
    !refersToContext.test(sentence) &&
    !isOpinion.test(sentence) &&
    !isPastTense.test(sentence)
  )
}

type CueName = keyof typeof cueWords
type CuePosition = 'first' | 'anywhere' | 'unspaced'
type Cue = Readonly<Record<CuePosition, RegExp | null>>
type CueSources = Partial<Readonly<Record<CuePosition, readonly string[]>>>

// Unicode classes make a pattern several times slower than ranges.
const letter = '[a-z\\u00df-\\u024f\\u0400-\\u04ff]'
const inWord = 'a-z0-9_\\u00df-\\u024f\\u0400-\\u04ff'

function cueFrom({ first = [], anywhere = [], unspaced = [] }: CueSources): Cue {
  return {
    first: patternOf(first, `^[¿¡"“(]?(?:${first.join('|')})(?![${inWord}])`),
    anywhere: patternOf(anywhere, anywhereSource(anywhere)),
    unspaced: patternOf(unspaced, unspaced.join('|')),
  }
}

// The match includes the character before a word, because a lookbehind at each position would
// take longer than everything else.
function anywhereSource(sources: readonly string[]): string {
  return `(?:^|[^${inWord}])(?:${sources.join('|')})(?![${inWord}])`
}

function patternOf(sources: readonly string[], source: string): RegExp | null {
  return sources.length === 0 ? null : new RegExp(source.replaceAll('\\p{L}', letter))
}

const cues = lazy(
  () =>
    Object.fromEntries(
      Object.entries(cueWords).map(([name, words]) => [name, cueFrom(words)]),
    ) as Readonly<Record<CueName, Cue>>,
)
