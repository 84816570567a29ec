/**
 * Finds sentences that matter later by cue words of several languages. A user's statement counts
 * without one.
 */

import { lazy } from '../domain/lazy.ts'
import { cueWords, isOpinion, isPastTense, refersToContext } from './cue-words-data.ts'
import { sentencesOf } from './sentences.ts'

type BindingKind = 'constraint' | 'retraction' | 'preference' | 'correction' | 'decision'
type OtherKind =
  | ('proposal' | 'confirmation' | 'question' | 'task')
  | ('persistent' | 'statement' | 'passage')
type UtteranceKind = BindingKind | OtherKind | 'commitment'

export interface Utterance {
  readonly kind: UtteranceKind
  readonly text: string
  readonly at: number
}

type Speaker = 'user' | 'assistant'

// Longer text was pasted.
const maxUtterances = 200
/** In a longer text, a sentence depends on the text around it and means less alone. */
const briefCharacters = 1_200

function isShortLine(text: string): boolean {
  const line = text.trim()
  return line.length <= maxPersistentCharacters && /^\p{L}/u.test(line) && !line.includes('\n')
}

/** Two headings. */
const isDocument = /^#{1,6} [\s\S]*?\n#{1,6} /m

function kindInDocument(kind: UtteranceKind): UtteranceKind {
  if (kind === 'persistent') return 'statement'
  return kind === 'constraint' || kind === 'preference' ? 'passage' : kind
}

export function utterancesOf(text: string, speaker: Speaker): readonly Utterance[] {
  const utterances: Utterance[] = []
  const sentences = [...sentencesOf(text)]
  // "Option 2." is too short for prose, but not for an answer.
  if (sentences.length === 0 && speaker === 'user' && isShortLine(text))
    sentences.push({ text: text.trim(), at: 0 })
  // Logs and code that were pasted into a message are no sentences.
  const characters = sentences.reduce((sum, each) => sum + each.text.length, 0)
  const isBrief = characters <= briefCharacters && !isDocument.test(text)
  for (const { text: sentence, at } of sentences) {
    const plain = plainSentence(sentence)
    const kind = speaker === 'user' ? kindByUser(plain) : kindByAssistant(plain)
    if (kind !== null)
      utterances.push({ kind: isBrief ? kind : kindInDocument(kind), text: sentence, at })
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
  const text = withoutEmphasis(sentence.toLowerCase().replaceAll('’', "'"))
  return { text, isWide: wide.test(text) }
}

/** Cue words may be emphasized: `**Never** push`. */
function withoutEmphasis(sentence: string): string {
  return sentence.replace(/^(?:\*\*|__)([^*_]{1,300})(?:\*\*|__)/, '$1')
}

const wide = /[\u1100-\u11ff\u2e80-\uffff]/

function hasWords(name: CueName, { text, isWide }: PlainSentence): boolean {
  const cue = cues()[name]
  if (cue.first?.test(text) === true) return true
  if (cue.anywhere?.test(text) === true) return true
  return isWide && cue.unspaced?.test(text) === true
}

function kindByUser(whole: PlainSentence): UtteranceKind | null {
  const sentence = withoutConnectives(whole)
  if (isQuestion(sentence.text)) {
    const asked = openingOf('request', sentence)
    if (asked === null) return 'question'
    // "Could you keep commits small?" is a rule, and "Could you look at it?" is a task.
    const instruction = withoutOpening(sentence, asked)
    return firmKind(instruction) ?? (hasWords('general', instruction) ? 'constraint' : 'task')
  }
  if (hasWords('retraction', sentence)) return 'retraction'
  if (hasWords('correction', sentence)) return 'correction'
  const agreed = openingOf('confirmation', sentence)
  if (agreed !== null) {
    // In "Yes, and never touch the other one" the part after the yes decides.
    const rest = withoutOpening(sentence, agreed)
    return (rest.text.length < minStatementCharacters ? null : bindingKind(rest)) ?? 'confirmation'
  }
  const binding = bindingKind(sentence)
  if (binding !== null || !isStatement(sentence)) return binding
  return isPersistent(sentence.text) ? 'persistent' : 'statement'
}

/** "Oh, and one more thing, …" */
function withoutConnectives(whole: PlainSentence): PlainSentence {
  let sentence = whole
  for (let time = 0; time < maxConnectives; time += 1) {
    const joined = openingOf('connective', sentence)
    if (joined === null) break
    sentence = withoutOpening(sentence, joined)
  }
  return sentence
}

const maxConnectives = 3

function openingOf(
  name: 'request' | 'confirmation' | 'connective',
  { text, isWide }: PlainSentence,
) {
  const { first, unspaced } = cues()[name]
  return (first?.exec(text) ?? (isWide ? unspaced?.exec(text) : null))?.[0] ?? null
}

function withoutOpening({ text }: PlainSentence, opening: string): PlainSentence {
  return plainSentence(text.slice(opening.length).replace(/^[\s,.!;:—-]+/, ''))
}

function bindingKind(sentence: PlainSentence): UtteranceKind | null {
  const firm = firmKind(sentence)
  if (firm !== null) return firm
  // "I need you to fix it" is a task; other needs are preferences.
  if (hasWords('task', sentence)) return 'task'
  if (hasWords('preference', sentence)) return 'preference'
  if (hasWords('decision', sentence)) return 'decision'
  return hasWords('statedRule', sentence) ? 'constraint' : null
}

/** What binds, even if it is phrased as a task or a request. */
function firmKind(sentence: PlainSentence): UtteranceKind | null {
  const clauses = clausesOf(sentence)
  if (hasWords('strongConstraint', sentence) || clauses.some(isProhibition)) return 'constraint'
  // What follows from who somebody is: "She is deaf, so write things down".
  if (aboutPeople.test(sentence.text) && clauses.some(isInstruction)) return 'constraint'
  if (hasWords('choice', sentence)) return 'decision'
  return hasWords('task', sentence) && hasWords('general', sentence) ? 'constraint' : null
}

function isProhibition(clause: PlainSentence): boolean {
  const { strongConstraint, retraction } = cues()
  return [strongConstraint, retraction].some(({ first }) => first?.test(clause.text))
}

function isInstruction({ text }: PlainSentence): boolean {
  return cues().task.first?.test(text) === true
}

const aboutPeople =
  /^(?:(?:since|as|because) )?(?:i|we|my|our|he|she|they)(?:'m|'s|'re|'ve| (?:\p{L}+ )?(?:am|is|are|have|has|\p{L}+s)) /u

/** "By the way, no tables", "My back is bad, so nothing heavy". */
function clausesOf({ text, isWide }: PlainSentence): readonly PlainSentence[] {
  return text
    .split(/[,;:—–] (?:so |but |and |then )?/, maxClauses)
    .slice(1)
    .map((clause) => ({ text: clause, isWide }))
}

const maxClauses = 6

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
    !aboutOneThing.test(sentence) &&
    !refersToContext.test(sentence) &&
    !isOpinion.test(mainClause(sentence)) &&
    !isPastTense.test(mainClause(sentence))
  )
}

/** "My ankle is weak, I saw a doctor" is about the present, and no opinion. */
function mainClause(sentence: string): string {
  return sentence.split(/[,;:—–] /, 1)[0] ?? ''
}

/** A path, an address, or a long number: a statement about it is no rule for other work. */
const aboutOneThing = /\d{3}|\w\/\w|:\/\//

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
