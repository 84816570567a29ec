/** Checks a memory: recent turns, recent steps, and the knowledge of the newest record. */
import type { JsonValue } from 'throughline'
import type { Entity, StepRecord, TurnMemory, TurnRecord, TurnRules } from 'throughline/turns'
import { type AddFinding, characters, isSame, type SeenTurn } from './check-record.ts'
import { type Expected, stepsOf } from './expected.ts'
import { looksMadeUp, type Thing } from './expected-things.ts'

/** `newest` is the record of the newest turn. */
export function checkMemory(
  memory: TurnMemory,
  expected: Expected,
  { newest, rules }: { readonly newest: TurnRecord | null; readonly rules: TurnRules },
  addFinding: AddFinding,
): void {
  const { turn, turns } = expected
  if (memory.turn !== turn) addFinding('memory', `is of turn ${memory.turn}, not ${turn}`)
  const recent = turns.slice(-rules.fullTurns)
  const shown = memory.recentTurns
  if (
    !isSame(
      shown.map((one) => one.turn),
      recent.map((one) => one.turn),
    )
  )
    addFinding('recent', `${shown.map((one) => one.turn).join()} of ${turn}`)
  for (const [at, { input, at: time, messages }] of recent.entries()) {
    const one = shown[at]
    if (one?.user !== input.userMessage.toWellFormed()) addFinding('recent', `user of ${one?.turn}`)
    if (one?.assistant !== String(input.finalResponse).toWellFormed())
      addFinding('recent', `assistant of ${one?.turn}`)
    if (one?.timestamp !== new Date(time).toISOString())
      addFinding('recent', `time ${one?.timestamp}`)
    if (!isSame(one?.messages, messages)) addFinding('recent', `messages of ${one?.turn}`)
  }
  if (memory.to !== (turns.at(-1)?.messages.to ?? 0)) addFinding('memory', `to ${memory.to}`)
  const knows = newest?.knows ?? { theme: null, history: [], pending: null, entities: [] }
  for (const part of ['theme', 'history', 'pending', 'entities'] as const)
    if (!isSame(memory[part], knows[part]))
      addFinding('memory', `${part} is not that of the record`)
  checkRegistry(memory.entities, expected.things, addFinding)
  checkActive(memory, rules, addFinding)
  checkSteps(memory, expected, rules, addFinding)
}

function checkSteps(
  memory: TurnMemory,
  expected: Expected,
  { fullSteps, fullTurns }: TurnRules,
  addFinding: AddFinding,
): void {
  const all = stepsOf(expected)
  const keys = (steps: readonly { readonly turn: number; readonly step: number }[]) =>
    steps.map(({ turn, step }) => `${turn}.${step}`).join()
  const whole = fullSteps === 0 ? [] : all.slice(-fullSteps)
  if (keys(memory.steps) !== keys(whole))
    addFinding('steps', `${keys(memory.steps)}, not ${keys(whole)}`)
  for (const [at, step] of memory.steps.entries()) {
    const { given } = whole[at] ?? {}
    if (given !== undefined) checkStep(step, given, addFinding)
  }
  const digests = all.filter(
    (step) => step.turn > expected.turn - fullTurns && !whole.includes(step),
  )
  if (keys(memory.stepDigests) !== keys(digests))
    addFinding('steps', `in short ${keys(memory.stepDigests)}, not ${keys(digests)}`)
}

type Given = ReturnType<typeof stepsOf>[number]['given']

const lineCharacters = 200

/** A step must have its complete result and a one-line outcome. */
export function checkStep(step: StepRecord, given: Given, addFinding: AddFinding): void {
  const key = `${step.turn}.${step.step}`
  const result = asKept(given.result)
  if (!isSame(step.result, result)) addFinding('steps', `${key} has another result`)
  const status = given.status ?? 'done'
  if (step.status !== status) addFinding('steps', `${key} is ${step.status}, not ${status}`)
  const count = given.recordCount ?? countIn(result)
  if (step.recordCount !== count)
    addFinding('steps', `${key} has ${step.recordCount}, not ${count}`)
  for (const line of [step.description, step.outcome])
    if (/[\n\r]/.test(line) || characters(line) > lineCharacters)
      addFinding('steps', `${key}: ${line}`)
  const ids = [...new Set(given.entityIds ?? [])].map(String)
  if (!isSame(step.entityIds, ids)) addFinding('steps', `${key} has ids ${step.entityIds.join()}`)
}

/** A JSON copy without lone surrogates. */
function asKept(value: unknown): JsonValue {
  const whole = (json: JsonValue): JsonValue => {
    if (typeof json === 'string') return json.toWellFormed()
    if (Array.isArray(json)) return json.map(whole)
    if (typeof json !== 'object' || json === null) return json
    const entries = Object.entries(json).map(([name, each]) => [name, whole(each)] as const)
    return Object.fromEntries(entries)
  }
  return value === undefined ? null : whole(JSON.parse(JSON.stringify(value)) as JsonValue)
}

function countIn(result: JsonValue): number | null {
  if (Array.isArray(result)) return result.length
  if (typeof result !== 'object' || result === null) return null
  const lists = Object.values(result).filter((value) => Array.isArray(value))
  return lists.length === 1 ? (lists[0]?.length ?? null) : null
}

/** The registry must match the simulated entities. */
export function checkEntities(
  { outcome, record, expected, own }: SeenTurn,
  addFinding: AddFinding,
): void {
  const { deactivated, removed } = outcome?.entities ?? own.entityChanges
  checkRegistry(record.knows.entities, expected.things, addFinding)
  const sets = [
    ['mentioned', record.entitiesMentioned, own.entityChanges.touched],
    ['deactivated', deactivated, own.entityChanges.deactivated],
    ['removed', removed, own.entityChanges.removed],
  ] as const
  for (const [name, is, should] of sets)
    if (!isSame([...new Set(is)].sort(), [...should].sort()))
      addFinding('entities', `${name} ${[...is].join()}, not ${[...should].join()}`)
}

function checkRegistry(
  entities: readonly Entity[],
  things: readonly Thing[],
  addFinding: AddFinding,
): void {
  const byKey = new Map(entities.map((entity) => [keyOf(entity), entity]))
  if (byKey.size !== entities.length)
    addFinding('entities', 'two entities of a type have the same id')
  const keys = new Set(things.map(keyOf))
  const extra = [...byKey.keys()].filter((key) => !keys.has(key))
  if (extra.length > 0) addFinding('entities', `unexpected: ${extra.join()}`)
  for (const thing of things) {
    const entity = byKey.get(keyOf(thing))
    if (entity === undefined) {
      addFinding('entities', `missing: ${JSON.stringify(thing)}`)
      continue
    }
    const is = thingOf(entity)
    if (!isSame(is, { ...thing, former: thing.former.toSorted() }))
      addFinding('entities', `is ${JSON.stringify(is)}, not ${JSON.stringify(thing)}`)
  }
}

function keyOf({ id, type }: Pick<Entity, 'id' | 'type'>): string {
  return `${type} ${id}`
}

function thingOf(entity: Entity): Thing {
  const { id, type, label, state, source, turnCreated, turnLastRef, since } = entity
  const backed = source === 'db_read' || source === 'db_write'
  return {
    ...{ id, type, label, former: entity.aliases.toSorted(), state, backed },
    ...{ created: turnCreated, named: turnLastRef, since, rejected: entity.rejected },
  }
}

/** Active entities must be in a database, the most recent first, and limited per type. */
function checkActive(
  { activeEntities, entities }: TurnMemory,
  { entitiesPerType }: TurnRules,
  addFinding: AddFinding,
): void {
  for (const { id, state, source } of activeEntities)
    if (state !== 'active' || looksMadeUp(id) || (source !== 'db_read' && source !== 'db_write'))
      addFinding('active', `${id} is ${state}, by ${source}`)
  const order = activeEntities.map(({ turnLastRef }) => turnLastRef)
  if (
    !isSame(
      order,
      order.toSorted((one, other) => other - one),
    )
  )
    addFinding('active', `order ${order.join()}`)
  const shown = new Set(activeEntities.map(keyOf))
  const real = entities.filter(
    ({ id, state, source }) => state === 'active' && source.startsWith('db_') && !looksMadeUp(id),
  )
  for (const [type, all] of Map.groupBy(real, (entity) => entity.type)) {
    const [here, left] = [
      all.filter((entity) => shown.has(keyOf(entity))),
      all.filter((entity) => !shown.has(keyOf(entity))),
    ]
    if (here.length !== Math.min(all.length, entitiesPerType))
      addFinding('active', `${here.length} of ${all.length} of type ${type}`)
    const oldest = Math.min(...here.map(({ turnLastRef }) => turnLastRef))
    if (left.some(({ turnLastRef }) => turnLastRef > oldest))
      addFinding('active', `a more recent ${type} is not shown`)
  }
}
