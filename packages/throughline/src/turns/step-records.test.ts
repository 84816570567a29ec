import { describe, expect, it } from 'vitest'
import type { JsonValue } from '../domain/json.ts'
import type { StepResult } from '../domain/turn-memory.ts'
import { stepRecords } from './build-record.ts'
import { turnAudit } from './turn-audit.ts'
import { noEntity, noStep, noThought, turnOf } from './turns.test-support.ts'

const recordsOf = (...steps: readonly Partial<StepResult>[]) =>
  stepRecords(turnOf({ steps: steps.map((step) => ({ ...noStep, outcome: null, ...step })) }), 7)
const outcomeOf = (step: Partial<StepResult>) => recordsOf(step)[0]?.outcome
const recipes = Array.from({ length: 12 }, (_, index) => ({
  id: index,
  type: index < 8 ? 'recipe' : 'task',
  name: `Dish ${index}`,
}))

describe('step records', () => {
  it('S0-019 A-009 B0-1: have turn and step as their key, and the complete result', () => {
    const result = { items: recipes, note: 'all' }
    expect(
      recordsOf({}, { result, entityIds: ['a', 'a', 'b'], description: 'Look\nthem up' })[1],
    ).toEqual({
      turn: 7,
      step: 1,
      description: 'Look them up',
      subdomain: 'recipes',
      status: 'done',
      outcome: '12 items (8 recipe, 4 task)',
      entityIds: ['a', 'b'],
      recordCount: 12,
      result,
    })
  })

  it.each<readonly [JsonValue, string, number | null]>([
    [null, 'done', null],
    ['', 'done', null],
    [{}, 'done', null],
    [true, 'true', null],
    [42, '42', null],
    ['Saved.\nAll of it.', 'Saved. All of it.', null],
    [[], '0 records', 0],
    [['a'], '1 record', 1],
    [['a', 'b'], '2 records', 2],
    [recipes, '12 records (8 recipe, 4 task)', 12],
    [JSON.stringify(recipes), '12 records (8 recipe, 4 task)', 12],
    ['[1, 2', '[1, 2', null],
    [{ id: 1, name: 'Soup' }, 'a record with id, name', null],
    [{ a: 1, b: 2, c: 3, d: 4, e: 5 }, 'a record with a, b, c, d, e', null],
    [{ a: 1, b: 2, c: 3, d: 4, e: 5, f: 6 }, 'a record with a, b, c, d, e and 1 more', null],
    [{ found: ['a'], missed: ['b', 'c'] }, '1 found, 2 missed', null],
    [[{ kind: 'a' }, { category: 'b' }, { kind: 'a' }], '3 records (2 a, 1 b)', 3],
    ['Found:\n- a\n- b\n- c\n- d\n- e', 'Found: 5 items', null],
    ['1. a\n2. b\n3. c\n4. d\n5. e', '5 items', null],
    ['- a\n- b\n- c\n- d', '- a - b - c - d', null],
    ['null', 'null', null],
    [[{ type: 'a'.repeat(40) }], `1 record (1 ${'a'.repeat(40)})`, 1],
    [[{ type: 'a'.repeat(41), kind: '' }], '1 record', 1],
    [
      ['a', 'b', 'c', 'd', 'e', 'f'].map((type) => ({ type })),
      '6 records (1 a, 1 b, 1 c, 1 d, 1 e)',
      6,
    ],
  ])('A-009 A-016: describe %j as: %s', (result, outcome, recordCount) => {
    expect(recordsOf({ result })[0]).toMatchObject({ outcome, recordCount })
  })

  it('A-009: keep the outcome of the caller, in one line', () => {
    expect(outcomeOf({ outcome: 'Found\n3', result: recipes })).toBe('Found 3')
    expect(outcomeOf({ outcome: ' ', result: recipes })).toBe('12 records (8 recipe, 4 task)')
    expect(recordsOf({ recordCount: 0, result: recipes })[0]?.recordCount).toBe(0)
    expect(outcomeOf({ outcome: 'a'.repeat(201) })).toBe(`${'a'.repeat(199)}…`)
    expect(outcomeOf({ outcome: 'a'.repeat(200) })).toBe('a'.repeat(200))
    expect(recordsOf({ description: 'a'.repeat(201) })[0]?.description).toHaveLength(200)
  })

  it('A-009: say which step failed and which was skipped', () => {
    const error = { code: 'E_FULL', message: 'the shelf\nis full' }
    expect(outcomeOf({ status: 'failed', error })).toBe('failed: E_FULL the shelf is full')
    expect(outcomeOf({ status: 'failed', error: { code: '', message: 'full' } })).toBe(
      'failed: full',
    )
    expect(outcomeOf({ status: 'failed', result: recipes })).toBe('failed')
    expect(outcomeOf({ status: 'skipped', result: recipes })).toBe('skipped')
  })

  it('have no secret in their outcome, and an unchanged result', () => {
    const secret = `ghp_${'a1B2c3D4e5'.repeat(4).slice(0, 36)}`
    const [record] = recordsOf({ result: secret, description: secret })
    expect(record?.result).toBe(secret)
    expect(JSON.stringify({ ...record, result: null })).not.toContain(secret)
  })
})

describe('the audit of a turn', () => {
  const merged = { created: ['a'], updated: ['b'], deleted: ['c'], generated: 2, saved: 1 }

  it('has counts and ids of changes', () => {
    const error = { code: 'E_FULL', message: `full\n${'a'.repeat(300)}` }
    const steps = [
      noStep,
      { ...noStep, status: 'failed', error },
      { ...noStep, status: 'failed' },
      { ...noStep, status: 'skipped' },
      { ...noStep, error: { code: 'W_OLD', message: 'old' } },
    ] as const
    expect(turnAudit(turnOf({ steps }), merged)).toEqual({
      created: ['a'],
      updated: ['b'],
      deleted: ['c'],
      artifactsGenerated: 2,
      artifactsSaved: 1,
      errors: [
        { code: 'E_FULL', message: `full ${'a'.repeat(194)}…`, step: 1 },
        { code: 'STEP_FAILED', message: 'the step failed', step: 2 },
        { code: 'W_OLD', message: 'old', step: 4 },
      ],
      stepsDone: 2,
      stepsTotal: 5,
    })
  })

  it('has each failed write once', () => {
    const write = { ...noEntity, id: '9', source: 'db_write', succeeded: false } as const
    const entities = [
      write,
      write,
      { ...write, id: '10', succeeded: true },
      { ...write, id: '11', source: 'db_read' },
      { ...write, id: '12', action: 'delete' },
    ] as const
    const steps = [{ ...noStep, status: 'failed' }] as const
    expect(turnAudit(turnOf({ steps, entities }), merged).errors).toEqual([
      { code: 'STEP_FAILED', message: 'the step failed', step: 0 },
      { code: 'WRITE_FAILED', message: 'recipe 9 was not written', step: null },
      { code: 'WRITE_FAILED', message: 'recipe 12 was not written', step: null },
    ])
  })

  it('keeps at most 80 characters of a code', () => {
    const error = (length: number) => ({ code: 'E'.repeat(length), message: 'full' })
    const codes = [80, 81].map((length) => {
      const steps = [{ ...noStep, error: error(length) }]
      return turnAudit(turnOf({ steps }), merged).errors[0]?.code
    })
    expect(codes).toEqual(['E'.repeat(80), `${'E'.repeat(79)}…`])
  })

  it('counts planned steps that never ran', () => {
    const think = { ...noThought, steps: ['a', 'b', 'c'] }
    expect(turnAudit(turnOf({ think }), merged)).toMatchObject({ stepsDone: 1, stepsTotal: 3 })
    expect(turnAudit(turnOf({ think: null }), merged)).toMatchObject({
      stepsDone: 1,
      stepsTotal: 1,
    })
  })
})
