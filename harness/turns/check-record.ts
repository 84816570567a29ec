/** Checks a record against its turn: texts, number, messages, decision and audit. */

import { isDeepStrictEqual } from 'node:util'
import type { AfterReply, TurnRecord, TurnRules } from 'throughline/turns'
import type { Finding } from '../kernel/finding.ts'
import type { Expected, ExpectedPending, ExpectedTurn } from './expected.ts'
import type { AskedOf } from './unreliable-model.ts'

export function checkRecord(seen: SeenTurn, addFinding: AddFinding): void {
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
      addFinding('record', `${name} is ${JSON.stringify(is)}, not ${JSON.stringify(should)}`)
  if (outcome !== null && !isSame(record, outcome.record))
    addFinding('record', 'the returned record is not the stored one')
  checkPending(record, expected.pending, seen, addFinding)
  checkAudit(seen, addFinding)
}

function checkPending(
  { knows: { pending }, turn }: TurnRecord,
  should: ExpectedPending | null,
  { rules, own, secrets }: SeenTurn,
  addFinding: AddFinding,
): void {
  if (pending === null || should === null) {
    if (pending !== should)
      addFinding('pending', `is ${JSON.stringify(pending)}, not ${JSON.stringify(should)}`)
    return
  }
  const limits = { most: rules.proposalCharacters, secrets }
  if (pending.kind !== should.kind || pending.turn !== should.turn)
    addFinding(
      'pending',
      `${pending.kind} of ${pending.turn}, not ${should.kind} of ${should.turn}`,
    )
  if (!isWithin(pending.goal, should.goal, limits)) addFinding('pending', `goal: ${pending.goal}`)
  if (!isWithin(pending.proposal ?? '', should.proposal ?? '', limits))
    addFinding('pending', `proposal: ${pending.proposal}`)
  if ((pending.proposal === null) !== (should.proposal === null))
    addFinding('pending', 'a proposal')
  const lists = [
    ['assumptions', pending.assumptions, should.assumptions],
    ['questions', pending.questions, should.questions],
    ['plan', pending.partialPlan, should.planned],
  ] as const
  for (const [name, kept, whole] of lists)
    if (!areWithin(kept, whole, limits))
      addFinding('pending', `${name}: ${JSON.stringify(kept)} of ${JSON.stringify(whole)}`)
  if (pending.turn !== turn) return
  const reported = new Set((own.input.entities ?? []).map(({ id }) => String(id)))
  for (const id of pending.entityIds)
    if (!reported.has(id)) addFinding('pending', `${id} is pending, but was not reported`)
}

/** The first lines must be complete, and all together within the limit. */
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

function checkAudit({ record, own }: SeenTurn, addFinding: AddFinding): void {
  const { audit } = record
  const { entityChanges, input } = own
  for (const kind of ['created', 'updated', 'deleted'] as const)
    if (!isSame([...new Set(audit[kind])].sort(), [...entityChanges[kind]].sort()))
      addFinding('audit', `${kind} ${audit[kind].join()}, not ${[...entityChanges[kind]].join()}`)
  if (audit.artifactsGenerated !== entityChanges.generated)
    addFinding('audit', `${audit.artifactsGenerated} generated, not ${entityChanges.generated}`)
  if (audit.artifactsSaved !== entityChanges.saved)
    addFinding('audit', `${audit.artifactsSaved} saved, not ${entityChanges.saved}`)
  const steps = input.steps ?? []
  const done = steps.filter(({ status }) => (status ?? 'done') === 'done').length
  const total = Math.max(steps.length, input.think?.steps?.length ?? 0)
  if (audit.stepsDone !== done || audit.stepsTotal !== total)
    addFinding('audit', `${audit.stepsDone}/${audit.stepsTotal} steps, not ${done}/${total}`)
  const failed = steps.flatMap(({ status }, step) => (status === 'failed' ? [step] : []))
  const ofSteps = audit.errors.flatMap(({ step }) => (step === null ? [] : [step]))
  if (!isSame(ofSteps, failed))
    addFinding('audit', `errors of ${JSON.stringify(audit.errors)}, not of steps ${failed.join()}`)
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
    addFinding(
      'audit',
      `errors of ${JSON.stringify(ofWrites)}, not of writes ${[...should].join()}`,
    )
}

/** Everything about one remembered turn that the checks need. */
export interface SeenTurn {
  readonly rules: TurnRules
  /** The expected state after the turn. */
  readonly expected: Expected
  /** The expected turn itself. */
  readonly own: ExpectedTurn
  /** Null for a missed turn. */
  readonly outcome: Extract<AfterReply, { readonly changed: true }> | null
  /** The stored record. */
  readonly record: TurnRecord
  readonly before: TurnRecord | null
  /** The requests to the model; null if another turn ran at the same time. */
  readonly asked: readonly AskedOf[] | null
  /** All truthful texts of the model so far; null without a model. */
  readonly truthfulTexts: ReadonlySet<string> | null
  /** All secrets in the texts so far. */
  readonly secrets: readonly string[]
}

export type AddFinding = (rule: string, detail: string) => void

/** Runs a check and returns its findings. */
export function findingsIn(check: (addFinding: AddFinding) => void): readonly Finding[] {
  const findings: Finding[] = []
  check((rule, detail) => findings.push({ rule, detail: detail.slice(0, detailCharacters) }))
  return findings
}

const detailCharacters = 1_000

/** Counts code points. */
export function characters(text: string): number {
  return [...text].length
}

/** Whether a kept text is the redacted original, or the start of an original that is too long. */
function isWithin(
  kept: string,
  whole: string,
  { most, secrets }: { readonly most: number; readonly secrets: readonly string[] },
): boolean {
  const open = secrets.reduce((text, secret) => text.replaceAll(secret, redacted), whole)
  const marked = kept.replaceAll(/\[redacted: [^\]]{1,40}\]/g, redacted)
  if (marked === open) return characters(kept) <= most || characters(whole) <= most
  // The label of a redacted secret may be cut, too.
  const start = marked.replace(/…$/, '').replace(/\[[^\]]{0,45}$/, '')
  return characters(whole) > most && characters(kept) <= most && open.startsWith(start)
}

const redacted = '\u2588'

export function isSame(one: unknown, other: unknown): boolean {
  return isDeepStrictEqual(one, other)
}
