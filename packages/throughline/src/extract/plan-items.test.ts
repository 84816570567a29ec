import { describe, expect, it } from 'vitest'
import { factsOf } from './message-facts.ts'
import { planIn } from './plan-items.ts'

const step = (content: string, status: string) => ({ content, status })

describe('the steps of a plan', () => {
  it('are grouped by their state, those in progress first', () => {
    const todos = [
      step('Read the parser', 'completed'),
      step('Fix the cursor', 'in_progress'),
      step('Add a test', 'pending'),
    ]
    const text = 'in progress: Fix the cursor; open: Add a test; 1 done'
    expect(planIn(JSON.stringify({ todos }))).toBe(text)
    // Some clients pass the list as a string.
    expect(planIn(JSON.stringify({ todos: JSON.stringify(todos) }))).toBe(text)
  })

  it('have the fields of other clients', () => {
    const plan = [{ step: 'Measure', status: 'completed' }]
    expect(planIn(JSON.stringify({ explanation: 'x', plan }))).toBe('1 done')
    expect(planIn(JSON.stringify([{ text: 'Pack', done: false }]))).toBe('open: Pack')
  })

  it('are bounded: long texts are cut, and of many steps some are named', () => {
    const many = Array.from({ length: 40 }, (_, at) => step(`${at} ${'x'.repeat(300)}`, 'open'))
    const text = planIn(JSON.stringify({ todos: many })) ?? ''
    expect(text).toMatch(/^open: 0 x+, 1 x+, .*7 x+, 32 more$/)
    expect(text.length).toBeLessThan(700)
  })

  it('are not found in other arguments', () => {
    for (const input of ['', 'no JSON', '{}', '[]', '{"todos":[{"content":"a"}]}', '{"n":[1,2]}'])
      expect(planIn(input)).toBeNull()
    expect(planIn(JSON.stringify({ todos: [step('a', 'open'), 'b'] }))).toBeNull()
    expect(planIn(`[${'['.repeat(60_000)}`)).toBeNull()
  })

  it('are a fact of the call of a plan tool, and of no other tool', () => {
    const facts = (name: string) => {
      const input = JSON.stringify({ todos: [step('Add a test', 'pending')] })
      const call = { type: 'tool-call', callId: '1', name, input, metadata: null } as const
      const message = {
        seq: 3,
        role: 'assistant',
        parts: [call],
        author: null,
        meta: null,
      } as const
      return factsOf(message, new Map()).facts.filter(({ kind }) => kind === 'plan')
    }
    expect(facts('TodoWrite')).toEqual([
      { kind: 'plan', key: 'plan', label: 'open: Add a test', value: 'plan', uses: 1 },
    ])
    expect(facts('send_mail')).toEqual([])
  })
})
