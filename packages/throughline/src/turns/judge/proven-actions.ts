/** What a turn has done for certain, whatever is said of it: by steps, by writes, by the user. */

import { isBacked } from '../../domain/entity.ts'
import type { AgentTurn, StepDigest, TurnRecord } from '../../domain/turn-memory.ts'
import {
  type ActionKind,
  actionsIn,
  clausesOf,
  kindsOf,
  smallLetters,
  wordsOfClause,
} from './claimed-actions.ts'

export interface ProvenByTurn {
  /** Those that were done. */
  readonly steps: readonly Pick<StepDigest, 'description' | 'outcome'>[]
  readonly kinds: readonly ActionKind[]
}

export function provenByTurn(turn: AgentTurn, steps: readonly StepDigest[]): ProvenByTurn {
  const done = turn.entities.filter(({ succeeded }) => succeeded)
  const written = done.filter(({ source }) => source === 'db_write')
  const kinds = [
    ...written.flatMap(({ action }) => (action === null ? anyWrite : writes[action])),
    ...done.filter(({ source }) => source === 'generate').flatMap(() => drafts),
    ...turn.entityUpdates.flatMap(({ state }) => decisions[state]),
  ]
  return { steps: doneSteps(steps), kinds }
}

export function provenByRecord({ turn, steps, audit, knows }: TurnRecord): ProvenByTurn {
  const decided = knows.entities.filter((entity) => !isBacked(entity) && entity.since === turn)
  const changes = [
    [writes.create, audit.created.length + audit.artifactsSaved],
    [writes.update, audit.updated.length],
    [writes.delete, audit.deleted.length],
    [drafts, audit.artifactsGenerated],
    [decisions.active, decided.filter(({ state }) => state === 'active').length],
    [decisions.inactive, decided.filter(({ rejected }) => rejected).length],
  ] as const
  return {
    steps: doneSteps(steps),
    kinds: changes.flatMap(([kinds, count]) => (count > 0 ? kinds : [])),
  }
}

function doneSteps(steps: readonly StepDigest[]): readonly StepDigest[] {
  return steps.filter(({ status }) => status === 'done')
}

type Kinds = readonly ActionKind[]

const writes: Readonly<Record<'create' | 'update' | 'delete', Kinds>> = {
  create: ['create', 'save', 'complete'],
  update: ['update', 'save', 'complete'],
  delete: ['delete', 'complete'],
}
const anyWrite: Kinds = [...writes.create, ...writes.update]
const drafts: Kinds = ['create']
const decisions: Readonly<Record<'pending' | 'active' | 'inactive', Kinds>> = {
  pending: [],
  active: ['confirm'],
  inactive: ['reject', 'cancel'],
}

/** The deeds that a turn bears out: told by its answer, done by its steps, written to a database. */
interface ActionSources {
  readonly user: string
  /** Texts that tell what was done: an answer, lines of a history, a theme. */
  readonly tellings: readonly string[]
  readonly proven: ProvenByTurn
}

export function provenActions({ user, tellings, proven }: ActionSources): ReadonlySet<ActionKind> {
  const told = tellings.map((text) => actionsIn(text.slice(0, tellingCharacters)))
  const known = new Set([...proven.kinds, ...told.flatMap(({ done }) => [...done])])
  // An answer that hands something over has made it, but where it says that it has not.
  if (tellings.some((text) => handsOver.test(text)) && !told.some(({ open }) => open.has('create')))
    known.add('create')
  for (const step of proven.steps) for (const kind of kindsOfStep(step)) known.add(kind)
  for (const kind of kindsOfUser(user)) known.add(kind)
  return known
}

const tellingCharacters = 200_000
/** Who pastes a page agrees before it. */
const userCharacters = 4_000
const handsOver = /(?<!\p{L})(?:here(?:['’]s| is| are)|below (?:is|are))(?!\p{L})/iu

/** A step says what it does by its first words, and what came of it behind. */
function kindsOfStep({
  description,
  outcome,
}: ProvenByTurn['steps'][number]): ReadonlySet<ActionKind> {
  const came = actionsIn(outcome)
  const kinds = new Set<ActionKind>(['complete', ...came.done])
  for (const clause of clausesOf(apart(description))) {
    const words = wordsOfClause(clause)
    for (const kind of kindsOf('plain', words[0] ?? '')) kinds.add(kind)
    for (const word of words)
      for (const kind of [...kindsOf('past', word), ...kindsOf('ongoing', word)]) kinds.add(kind)
  }
  for (const kind of came.open) if (!came.done.has(kind)) kinds.delete(kind)
  return kinds
}

/** Names of tools by their words: `recipes.save`, `saveRecipe`. */
function apart(description: string): string {
  return description.replaceAll(/(\p{Ll})(\p{Lu})/gu, '$1, $2').replaceAll(/[_./-]/g, ', ')
}

/** What they say that they have done themselves, and whether they agree. */
function kindsOfUser(user: string): readonly ActionKind[] {
  const small = smallLetters(user.slice(0, userCharacters)).trim()
  const own = Array.from(small.matchAll(ownDeed), ({ 1: word = '' }) =>
    kindsOf('past', word),
  ).flat()
  return [...own, ...(agrees.test(small) ? agreed : []), ...(refuses.test(small) ? refused : [])]
}

const agreed: readonly ActionKind[] = ['confirm']
const refused: readonly ActionKind[] = ['reject', 'cancel']
const ownDeed = /(?<!\p{L})(?:i|we)(?:'ve| have| had)?(?: just| already)? (\p{L}+)/gu
/** At the beginning of a sentence: `no yes` and `is it right` agree to nothing. */
const agrees =
  /(?:^|[.!?,;\n]\s{0,2})(?:yes|yep|yeah|ok|okay|sure|agreed|perfect|great|sounds good|go (?:ahead|for|with)|do it|let's|ja|oui|s[ií]|sim|да)(?!\p{L})|(?<!\p{L})i (?:confirm|approve|accept|agree)|^(?:confirm|approv|accept)|^(?:是|好|はい|네)/u
const refuses =
  /(?<!\p{L})(?:no|not|never|reject|decline|cancel|instead|without|\p{L}+n't)(?!\p{L})/u
