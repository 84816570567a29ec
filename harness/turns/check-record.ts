/** A record is of its turn: its words, its place, its messages, what it decided, its audit. */
import type { TurnRecord } from 'throughline/turns'
import type { ExpectedPending } from './expected.ts'
import { characters, isSame, isWithin, type Note, type SeenTurn } from './seen-turn.ts'

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
