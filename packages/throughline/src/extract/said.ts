/**
 * What people and assistants say that matters later: rules, wishes, decisions, promises,
 * corrections, questions, tasks. By the words that languages have for that; a rule may need
 * none of them, so what a user states counts even without.
 */
import type { Cue } from './cue.ts'
import {
  anyOfUser,
  commitment,
  confirmation,
  correction,
  decision,
  greeting,
  preference,
  proposal,
  request,
  statedRule,
  strongConstraint,
  task,
} from './cue-words.ts'
import { sentencesOf } from './sentences.ts'
import { isStanding } from './standing.ts'

type SayingKind =
  | 'constraint'
  | 'preference'
  | 'correction'
  | 'decision'
  | 'commitment'
  | 'proposal'
  | 'confirmation'
  | 'question'
  | 'task'
  | 'standing'
  | 'statement'

export interface Saying {
  readonly kind: SayingKind
  readonly text: string
  readonly at: number
}

type Speaker = 'user' | 'assistant'

// Who says more at once has pasted it.
const mostSayings = 200
/** In a longer text a statement is a part of what it describes, and stands for nothing alone. */
const briefCharacters = 1_200

export function sayingsOf(text: string, speaker: Speaker): readonly Saying[] {
  const sayings: Saying[] = []
  const isBrief = text.length <= briefCharacters
  for (const { text: sentence, at } of sentencesOf(text)) {
    const plain = spoken(plainOf(sentence))
    const kind = speaker === 'user' ? saidByUser(plain) : saidByAssistant(plain)
    const isPart = kind === 'standing' && !isBrief
    if (kind !== null) sayings.push({ kind: isPart ? 'statement' : kind, text: sentence, at })
    if (sayings.length >= mostSayings) break
  }
  return sayings
}

/**
 * What an assistant has decided: of what it says, most is no decision, so the whole text is
 * asked for a word of one before it is cut into sentences.
 */
export function decisionsOf(text: string): readonly Saying[] {
  // A sentence may go on in the next line.
  if (!says(decision, spoken(plainOf(text).replaceAll('\n', ' ')))) return []
  return sayingsOf(text, 'assistant').filter(({ kind }) => kind === 'decision')
}

/** Small letters, and one form of the apostrophe. */
function plainOf(text: string): string {
  return text.toLowerCase().replaceAll('’', "'")
}

/** A sentence in small letters, and what is known of it for all cues. */
interface Spoken {
  readonly text: string
  /** Whether it can have cues of scripts without spaces. */
  readonly isWide: boolean
  /** Whether it can have cues of a user that do not begin it; null where nobody has looked. */
  readonly hasCue: boolean | null
}

function spoken(text: string): Spoken {
  return { text, isWide: wide.test(text), hasCue: null }
}

const wide = /[\u1100-\u11ff\u2e80-\uffff]/

function says({ firstPattern, anywherePattern, unspacedPattern }: Cue, said: Spoken): boolean {
  const { text, isWide, hasCue } = said
  if (firstPattern?.test(text) === true) return true
  if (hasCue !== false && anywherePattern?.test(text) === true) return true
  return isWide && unspacedPattern?.test(text) === true
}

function saidByUser(said: Spoken): SayingKind | null {
  if (isQuestion(said.text)) return says(request, said) ? 'task' : 'question'
  const sentence = { ...said, hasCue: anyOfUser.test(said.text) }
  if (says(correction, sentence)) return 'correction'
  const agreed = agreement(sentence)
  if (agreed !== null) {
    // "Yes, and never touch the other one" binds by what comes behind the yes.
    const text = sentence.text.slice(agreed.length).replace(/^[\s,.!;:—-]+/, '')
    const more = text.length < statementCharacters ? null : bindingKind(spoken(text))
    return more ?? 'confirmation'
  }
  const binding = bindingKind(sentence)
  if (binding !== null || !isStatement(sentence)) return binding
  return isStanding(sentence.text) ? 'standing' : 'statement'
}

/** The words that agree; they always begin a sentence. */
function agreement({ text, isWide }: Spoken): string | null {
  const { firstPattern, unspacedPattern } = confirmation
  const found = firstPattern?.exec(text) ?? (isWide ? unspacedPattern?.exec(text) : null)
  return found?.[0] ?? null
}

function bindingKind(sentence: Spoken): SayingKind | null {
  if (says(strongConstraint, sentence)) return 'constraint'
  // "I need you to fix it" asks for work; what else is needed or wanted is a wish.
  if (says(task, sentence)) return 'task'
  if (says(preference, sentence)) return 'preference'
  if (says(decision, sentence)) return 'decision'
  return says(statedRule, sentence) ? 'constraint' : null
}

function saidByAssistant(sentence: Spoken): SayingKind | null {
  if (says(proposal, sentence)) return 'proposal'
  if (isQuestion(sentence.text)) return 'question'
  if (says(decision, sentence)) return 'decision'
  return says(commitment, sentence) ? 'commitment' : null
}

function isQuestion(sentence: string): boolean {
  return /[?？؟]["')\]*_”’]{0,3}$/.test(sentence)
}

/** It begins with a number, and words of no sentence behind that. */
const countedLine = /^\d(?![\d.,]{0,12} \p{L}{2,40}(?: [^\s]{1,60}){3})/u
const statementCharacters = 12
const wideStatementCharacters = 5

/** More than a greeting; in scripts where a sign is a word, few are enough. */
function isStatement(sentence: Spoken): boolean {
  const { text, isWide } = sentence
  const isShort = isWide && /[\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}]/u.test(text)
  const least = isShort ? wideStatementCharacters : statementCharacters
  return text.length >= least && !countedLine.test(text) && !says(greeting, sentence)
}
