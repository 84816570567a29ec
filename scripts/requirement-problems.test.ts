import { describe, expect, it } from 'vitest'
import { requirementProblems } from './requirement-problems.ts'
import { namedRequirements } from './requirement-tests.ts'
import type { Requirement } from './requirements.ts'

const id = (number: string) => `S1-${number}`

function requirement(number: string, more: Partial<Requirement> = {}): Requirement {
  return {
    id: id(number),
    design: '001',
    kind: 'contract',
    text: 'It holds.',
    state: 'tested',
    ...more,
  }
}

const tests = (...names: readonly string[]) =>
  namedRequirements([
    { file: 'a.test.ts', text: names.map((name) => `  it('${name}', () => {`).join('\n') },
  ])

const problems = (requirements: readonly Requirement[], ...names: readonly string[]) =>
  requirementProblems(requirements, tests(...names), { S1: requirements.length })

describe('requirements', () => {
  it('have no problem if each has its test', () => {
    expect(problems([requirement('001')], `${id('001')}: holds`)).toEqual([])
  })

  it('have a problem if a test is missing', () => {
    expect(problems([requirement('001'), requirement('002')], `${id('001')}: holds`)).toEqual([
      `${id('002')} has no test: It holds.`,
    ])
  })

  it('need a test of the alternative if resolved differently', () => {
    const resolved = requirement('001', { state: 'resolved', why: 'The other way.' })
    expect(problems([resolved])).toHaveLength(1)
    expect(problems([resolved], `${id('001')}: otherwise`)).toEqual([])
    expect(problems([{ ...resolved, why: '' }], `${id('001')}: otherwise`)).toHaveLength(1)
  })

  it('of a testable kind need a test', () => {
    const why = 'A plan.'
    expect(problems([requirement('001', { state: 'none', why })])).toHaveLength(1)
    expect(problems([requirement('001', { state: 'none', kind: 'role' })])).toHaveLength(1)
    expect(problems([requirement('001', { state: 'none', kind: 'role', why })])).toEqual([])
  })

  it('that are absent need a reason and must have no test', () => {
    expect(problems([requirement('001', { state: 'refused' })])).toHaveLength(1)
    const absent = requirement('001', { state: 'refused', why: 'Later.' })
    expect(problems([absent])).toEqual([])
    expect(problems([absent], `${id('001')}: is there`)).toHaveLength(1)
  })

  it('are all in the list, once, and tests name no others', () => {
    const named = tests(`${id('001')} holds`, `${id('004')} holds`)
    const listed = [
      requirement('001'),
      requirement('001'),
      requirement('003', { state: 'refused', why: 'x' }),
    ]
    expect(requirementProblems(listed, named, { S1: 2 })).toEqual([
      `${id('002')} is not in the list`,
      `${id('003')} is not a requirement`,
      `${id('001')} is listed twice`,
      `${id('004')} is not a requirement: "${id('004')} holds" in a.test.ts`,
    ])
  })
})

describe('names of tests', () => {
  const named = (text: string) => [...namedRequirements([{ file: 'a.test.ts', text }])]

  it('are titles, on the line of the call or on their own', () => {
    const text = `describe('${id('001')}: a', () => {\n  it.each([1])(\n    '${id('002')}: %i',\n`
    expect(named(text).map(([each, [first]]) => [each, first?.name])).toEqual([
      [id('001'), `${id('001')}: a`],
      [id('002'), `${id('002')}: %i`],
    ])
  })

  it('count every id of a range', () => {
    expect(named(`it('${id('009')}…011: a', () => {`).map(([each]) => each)).toEqual(
      ['009', '010', '011'].map(id),
    )
  })

  it('are rows of a table, with the title that they fill', () => {
    const text = `it.each([\n  ['${id('001')}', 3],\n])('%s: refuses', () => {`
    expect(named(text)).toEqual([
      [id('001'), [{ file: 'a.test.ts', name: `${id('001')}: refuses` }]],
    ])
  })

  it('are neither comments nor data', () => {
    expect(
      named(`// ${id('001')}\n  const order = { number: '${id('002')}' }\n  /** ${id('003')} */`),
    ).toEqual([])
  })
})
