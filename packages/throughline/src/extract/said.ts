/**
 * What people and assistants say that matters later: rules, wishes, decisions, promises,
 * corrections, questions, tasks. By the words that languages have for that; a rule may need
 * none of them, so what a user states counts even without.
 */
import {
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
    const plain = plainOf(sentence)
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
  if (!decision.test(plainOf(text).replaceAll('\n', ' '))) return []
  return sayingsOf(text, 'assistant').filter(({ kind }) => kind === 'decision')
}

/** Small letters, and one form of the apostrophe. */
function plainOf(text: string): string {
  return text.toLowerCase().replaceAll('’', "'")
}

function saidByUser(sentence: string): SayingKind | null {
  if (isQuestion(sentence)) return request.test(sentence) ? 'task' : 'question'
  if (correction.test(sentence)) return 'correction'
  const agreed = confirmation.exec(sentence)
  if (agreed !== null) {
    // "Yes, and never touch the other one" binds by what comes behind the yes.
    const rest = sentence.slice(agreed[0].length).replace(/^[\s,.!;:—-]+/, '')
    const more = rest.length < statementCharacters ? null : bindingKind(rest)
    return more ?? 'confirmation'
  }
  const binding = bindingKind(sentence)
  if (binding !== null || !isStatement(sentence)) return binding
  return isStanding(sentence) ? 'standing' : 'statement'
}

function bindingKind(sentence: string): SayingKind | null {
  if (strongConstraint.test(sentence)) return 'constraint'
  // "I need you to fix it" asks for work; what else is needed or wanted is a wish.
  if (task.test(sentence)) return 'task'
  if (preference.test(sentence)) return 'preference'
  if (decision.test(sentence)) return 'decision'
  return statedRule.test(sentence) ? 'constraint' : null
}

function saidByAssistant(sentence: string): SayingKind | null {
  if (proposal.test(sentence)) return 'proposal'
  if (isQuestion(sentence)) return 'question'
  if (decision.test(sentence)) return 'decision'
  return commitment.test(sentence) ? 'commitment' : null
}

function isQuestion(sentence: string): boolean {
  return /[?？؟]["')\]*_”’]{0,3}$/.test(sentence)
}

const statementCharacters = 12
const wideStatementCharacters = 5

/** More than a greeting; in scripts where a sign is a word, few are enough. */
function isStatement(sentence: string): boolean {
  const least = /[\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}]/u.test(sentence)
    ? wideStatementCharacters
    : statementCharacters
  return sentence.length >= least && !/^\d/.test(sentence) && !greeting.test(sentence)
}
