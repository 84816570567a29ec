import { describe, expect, it } from 'vitest'
import { factsOf } from './message-facts.ts'
import { planIn, planText, stepChangeIn } from './plan-items.ts'

const step = (content: string, status: string) => ({ content, status })

describe('the steps of a plan', () => {
  it('are grouped by their state, those in progress first', () => {
    const todos = [
      step('Read the parser', 'completed'),
      step('Fix the cursor', 'in_progress'),
      step('Add a test', 'pending'),
    ]
    const text = 'in progress: Fix the cursor; open: Add a test; done: Read the parser'
    expect(planIn(JSON.stringify({ todos }))).toBe(text)
    // Some clients pass the list as a string.
    expect(planIn(JSON.stringify({ todos: JSON.stringify(todos) }))).toBe(text)
  })

  it('have the fields of other clients', () => {
    const plan = [{ step: 'Measure', status: 'completed' }]
    expect(planIn(JSON.stringify({ explanation: 'x', plan }))).toBe('done: Measure')
    expect(planIn(JSON.stringify([{ text: 'Pack', done: false }]))).toBe('open: Pack')
  })

  it('are bounded: long texts are cut, and of many steps some are named', () => {
    const many = Array.from({ length: 40 }, (_, at) => step(`${at} ${'x'.repeat(300)}`, 'open'))
    const text = planIn(JSON.stringify({ todos: many })) ?? ''
    expect(text).toMatch(/^open: 0 x+, 1 x+, 38 more$/)
    expect(text.length).toBeLessThan(330)
  })

  it('are not found in other arguments', () => {
    for (const input of ['', 'no JSON', '{}', '[]', '{"todos":[{"content":"a"}]}', '{"n":[1,2]}'])
      expect(planIn(input)).toBeNull()
    expect(planIn(JSON.stringify({ todos: [step('a', 'open'), 'b'] }))).toBeNull()
    expect(planIn(`[${'['.repeat(60_000)}`)).toBeNull()
  })

  it('are shown with fewer names in less room, what is in progress first', () => {
    const steps = [
      { text: 'Read', state: 'done' },
      { text: 'Fix the cursor', state: 'in progress' },
      { text: 'Add a test', state: 'open' },
      { text: 'Pack', state: 'open' },
    ]
    expect(planText(steps, 70)).toBe(
      'in progress: Fix the cursor; open: Add a test, Pack; done: Read',
    )
    expect(planText(steps, 66)).toBe(
      'in progress: Fix the cursor; open: Add a test, Pack; done: Read',
    )
    expect(planText(steps, 60)).toBe('in progress: Fix the cursor; 2 open; 1 done')
    expect(planText(steps, 0)).toBe('in progress: Fix the cursor; 2 open; 1 done')
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

describe('one step of a plan', () => {
  const change = (fields: object, result = 'Updated task') =>
    stepChangeIn(JSON.stringify(fields), result)

  it('is added by a call whose result names it', () => {
    const added = change(
      { subject: 'Add a test', description: 'x' },
      'Task #12 created: Add a test',
    )
    expect(added).toEqual({ id: '12', text: 'Add a test', state: 'open' })
  })

  it('changes its state, its text or both', () => {
    expect(change({ taskId: '3', status: 'in_progress' })).toEqual({
      id: '3',
      text: null,
      state: 'in progress',
    })
    expect(change({ task_id: 3, status: 'completed', subject: 'Pack' })).toEqual({
      id: '3',
      text: 'Pack',
      state: 'done',
    })
    expect(change({ id: 'a-1', status: 'deleted' })?.state).toBe('removed')
  })

  it('is not found in other calls', () => {
    expect(change({ taskId: '3', addBlockedBy: ['1'] })).toBeNull()
    expect(change({ taskId: '3', subject: 'Pack' })).toBeNull()
    expect(change({ subject: 'Add a test' }, 'ok')).toBeNull()
    expect(change({ taskId: 'x'.repeat(50), status: 'done' })).toBeNull()
    for (const input of ['', 'no JSON', '[]', '"x"']) expect(stepChangeIn(input, '#1')).toBeNull()
  })

  it('is a fact of the result, unless the call failed', () => {
    const facts = (isError: boolean) => {
      const input = JSON.stringify({ taskId: '3', status: 'completed' })
      const call = {
        type: 'tool-call',
        callId: '1',
        name: 'TaskUpdate',
        input,
        metadata: null,
      } as const
      const output = { kind: 'text', text: 'Updated task #3 status' } as const
      const result = {
        type: 'tool-result',
        callId: '1',
        name: 'TaskUpdate',
        output,
        isError,
        metadata: null,
      } as const
      const message = { seq: 3, role: 'tool', parts: [result], author: null, meta: null } as const
      return factsOf(message, new Map([['1', call]])).facts.filter(({ kind }) => kind === 'plan')
    }
    expect(facts(false)).toEqual([
      { kind: 'plan', key: 'step 3', label: 'step 3', value: 'done', uses: 1 },
    ])
    expect(facts(true)).toEqual([])
  })
})
