/** A turn in a sentence, by rules: what was asked, what was answered, what came of it. */
import { changedTurn } from '../domain/changed-turns.ts'
import type { TurnRecord } from '../domain/turn-record.ts'
import { sentenceCharacters } from '../summarizers/turns/outputs.ts'
import { characterCount } from './characters.ts'
import { asTold, between, countedPiece } from './line-pieces.ts'
import { safeLine } from './turn-words.ts'

const askedCharacters = 160
const changedCharacters = 100

export function turnByRules(record: TurnRecord): string {
  if (record.forgotten) return changedTurn(record.turn, record.messages)
  const asked = askedIn(record)
  const behind = [...changedIn(record), ...failedIn(record)]
  const others = [asked, ...behind].reduce(
    (sum, part) => sum + characterCount(part) + between.length,
    0,
  )
  const answer = answerIn(record, sentenceCharacters - others)
  const words = [asked, answer].filter((part) => part !== '').join('; ')
  return [words, ...behind].filter((part) => part !== '').join(between)
}

/** In their own words: a goal says what a router made of them, and not what they must not do. */
function askedIn({ routing, user }: TurnRecord): string {
  const asked = safeLine(user.trim() === '' ? (routing?.goal ?? '') : user, askedCharacters)
  return asked === '' ? '' : `User asked: ${asTold(bare(asked))}`
}

function answerIn({ decision, assistant, digest }: TurnRecord, mostCharacters: number): string {
  const verb = verbs[decision ?? 'plan_direct']
  // The digest of a proposal says only that there was one.
  const isOpen = decision === 'propose' || decision === 'clarify'
  const words = isOpen ? assistant : (digest?.text ?? assistant)
  const answered = safeLine(words, mostCharacters - characterCount(verb))
  return answered === '' ? '' : `${verb}${asTold(bare(answered))}`
}

const verbs = {
  plan_direct: 'assistant answered: ',
  propose: 'assistant proposed, awaiting confirmation: ',
  clarify: 'assistant asked back: ',
} as const

/** Without its full stop, since the sentence goes on. */
function bare(text: string): string {
  return text.replace(/[.;。；]{1,9}$/, '')
}

/** By name, as far as there is room; the rest is counted. */
function changedIn({ audit, knows }: TurnRecord): readonly string[] {
  const labels = new Map(knows.entities.map(({ id, label }) => [id, label]))
  let room = changedCharacters
  return (['created', 'updated', 'deleted'] as const).flatMap((kind) => {
    const count = audit[kind].length
    if (count === 0) return []
    const names: string[] = []
    for (const label of audit[kind].flatMap((id) => labels.get(id) ?? []).slice(0, mostLabels)) {
      const name = asTold(safeLine(label, Math.max(leastLabel, room)))
      room -= characterCount(name)
      if (names.length === 0 || room >= 0) names.push(name)
    }
    return [countedPiece({ kind, count, names })]
  })
}

const mostLabels = 3
const leastLabel = 10

function failedIn({ steps }: TurnRecord): readonly string[] {
  const count = steps.filter(({ status }) => status === 'failed').length
  return count === 0 ? [] : [countedPiece({ kind: 'failed steps', count, names: [] })]
}
