/** A record is of its turn: its words, its place, its messages, what it decided, its audit. */

import { isDeepStrictEqual } from 'node:util'
import type { AfterReply, TurnRecord, TurnRules } from 'throughline/turns'
import type { Finding } from '../kernel/finding.ts'
import type { Expected, ExpectedPending, ExpectedTurn } from './expected.ts'
import type { AskedOf } from './said-model.ts'

export function checkRecord(seen: SeenTurn, note: Note): void {
  const { expected, own, record, outcome } = seen
  const { input } = own
  const pairs: readonly (readonly [string, unknown, unknown])[] = [
    ['turn', record.turn, expected.turn],
    ['key', record.key, own.key],
    ['messages', record.messages, own.messages],
    ['at', record.at, own.at],
    ['user', record.user, input.userMessage.toWellFormed()],
    ['assistant', record.assistant, String(input.finalResponse).toWellFormed()],
    ['decision', record.decision, input.think?.decision ?? null],
    ['goal', record.routing?.goal ?? null, input.router?.goal ?? null],
    ['complexity', record.routing?.complexity ?? null, input.router?.complexity ?? null],
    ['agent', record.routing?.agent ?? null, input.router?.agent ?? null],
    ['forgotten', record.forgotten, false],
  ]
  for (const [name, is, should] of pairs)
    if (!isSame(is, should))
      note('record', `${name} is ${JSON.stringify(is)}, not ${JSON.stringify(should)}`)
  if (outcome !== null && !isSame(record, outcome.record))
    note('record', 'what is answered is not what is kept')
  checkPending(record, expected.pending, seen, note)
  checkAudit(seen, note)
}

function checkPending(
  { knows: { pending }, turn }: TurnRecord,
  should: ExpectedPending | null,
  { rules, own, secrets }: SeenTurn,
  note: Note,
): void {
  if (pending === null || should === null) {
    if (pending !== should)
      note('pending', `is ${JSON.stringify(pending)}, not ${JSON.stringify(should)}`)
    return
  }
  const limits = { most: rules.proposalCharacters, secrets }
  if (pending.kind !== should.kind || pending.turn !== should.turn)
    note('pending', `${pending.kind} of ${pending.turn}, not ${should.kind} of ${should.turn}`)
  if (!isWithin(pending.goal, should.goal, limits)) note('pending', `goal: ${pending.goal}`)
  if (!isWithin(pending.proposal ?? '', should.proposal ?? '', limits))
    note('pending', `proposal: ${pending.proposal}`)
  if ((pending.proposal === null) !== (should.proposal === null)) note('pending', 'a proposal')
  const lists = [
    ['assumptions', pending.assumptions, should.assumptions],
    ['questions', pending.questions, should.questions],
    ['plan', pending.partialPlan, should.planned],
  ] as const
  for (const [name, kept, whole] of lists)
    if (!areWithin(kept, whole, limits))
      note('pending', `${name}: ${JSON.stringify(kept)} of ${JSON.stringify(whole)}`)
  if (pending.turn !== turn) return
  const brought = new Set((own.input.entities ?? []).map(({ id }) => String(id)))
  for (const id of pending.entityIds)
    if (!brought.has(id)) note('pending', `${id} waits, and was not brought`)
}

/** The first ones whole, together within the limit. */
function areWithin(
  kept: readonly string[],
  whole: readonly string[],
  limits: { readonly most: number; readonly secrets: readonly string[] },
): boolean {
  const sum = (lines: readonly string[]) => lines.reduce((all, line) => all + characters(line), 0)
  if (sum(whole) <= limits.most && kept.length !== whole.length) return false
  let room = limits.most
  return kept.every((line, at) => {
    const isRight = isWithin(line, whole[at] ?? '', { ...limits, most: room })
    room -= characters(line)
    return isRight
  })
}

function checkAudit({ record, own }: SeenTurn, note: Note): void {
  const { audit } = record
  const { lived, input } = own
  for (const kind of ['created', 'updated', 'deleted'] as const)
    if (!isSame([...new Set(audit[kind])].sort(), [...lived[kind]].sort()))
      note('audit', `${kind} ${audit[kind].join()}, not ${[...lived[kind]].join()}`)
  if (audit.artifactsGenerated !== lived.generated)
    note('audit', `${audit.artifactsGenerated} generated, not ${lived.generated}`)
  if (audit.artifactsSaved !== lived.saved)
    note('audit', `${audit.artifactsSaved} saved, not ${lived.saved}`)
  const steps = input.steps ?? []
  const done = steps.filter(({ status }) => (status ?? 'done') === 'done').length
  const total = Math.max(steps.length, input.think?.steps?.length ?? 0)
  if (audit.stepsDone !== done || audit.stepsTotal !== total)
    note('audit', `${audit.stepsDone}/${audit.stepsTotal} steps, not ${done}/${total}`)
  const failed = steps.flatMap(({ status }, step) => (status === 'failed' ? [step] : []))
  const ofSteps = audit.errors.flatMap(({ step }) => (step === null ? [] : [step]))
  if (!isSame(ofSteps, failed))
    note('audit', `errors of ${JSON.stringify(audit.errors)}, not of steps ${failed.join()}`)
  const unwritten = (input.entities ?? []).filter(
    ({ source, succeeded = true }) => source === 'db_write' && !succeeded,
  )
  const should = new Set(unwritten.map(({ type, id }) => `${type} ${id} was not written`))
  const ofWrites = audit.errors.filter(({ step }) => step === null)
  if (
    !isSame(
      ofWrites.map(({ message }) => message),
      [...should],
    ) ||
    ofWrites.some(({ code }) => code !== 'WRITE_FAILED')
  )
    note('audit', `errors of ${JSON.stringify(ofWrites)}, not of writes ${[...should].join()}`)
}

/** What was seen of one turn that was remembered, for those who check it. */
export interface SeenTurn {
  readonly rules: TurnRules
  /** Behind it. */
  readonly expected: Expected
  /** Its own. */
  readonly own: ExpectedTurn
  /** Null where nobody had handed it over. */
  readonly outcome: Extract<AfterReply, { readonly changed: true }> | null
  /** As it is kept. */
  readonly record: TurnRecord
  readonly before: TurnRecord | null
  /** What the model was asked for it; null where others asked at the same time. */
  readonly asked: readonly AskedOf[] | null
  /** What the model has told so far as it should; null where there is no model. */
  readonly told: ReadonlySet<string> | null
  /** Secrets that were said so far. */
  readonly secrets: readonly string[]
}

export type Note = (rule: string, detail: string) => void

/** What a check notes, as findings. */
export function noted(check: (note: Note) => void): readonly Finding[] {
  const findings: Finding[] = []
  check((rule, detail) => findings.push({ rule, detail: detail.slice(0, detailCharacters) }))
  return findings
}

const detailCharacters = 1_000

/** As code points. */
export function characters(text: string): number {
  return [...text].length
}

/**
 * Whole where it has no more than so many characters, else its beginning; in place of a secret
 * stands what kind of secret it was.
 */
function isWithin(
  kept: string,
  whole: string,
  { most, secrets }: { readonly most: number; readonly secrets: readonly string[] },
): boolean {
  const open = secrets.reduce((text, secret) => text.replaceAll(secret, redacted), whole)
  const told = kept.replaceAll(/\[redacted: [^\]]{1,40}\]/g, redacted)
  if (told === open) return characters(kept) <= most || characters(whole) <= most
  // What stands for a secret may be cut, too.
  const start = told.replace(/…$/, '').replace(/\[[^\]]{0,45}$/, '')
  return characters(whole) > most && characters(kept) <= most && open.startsWith(start)
}

const redacted = '\u2588'

export function isSame(one: unknown, other: unknown): boolean {
  return isDeepStrictEqual(one, other)
}
