import { describe, expect, it } from 'vitest'
import type { Deliverable } from '../domain/context.ts'
import type { Adapter, RequestProblem } from '../ports/adapter.ts'
import { defineAdapter } from './define-adapter.ts'

interface Lines {
  readonly lines: readonly string[]
}

const empty: Deliverable = {
  system: [],
  tools: [],
  messages: [],
  files: new Map(),
  breakpoints: [],
}

function lines(problems: readonly RequestProblem[]): Adapter<Lines> {
  return defineAdapter<Lines>({
    format: 'house-lines',
    messagesField: 'lines',
    read: () => ({ system: [], tools: [], messages: [] }),
    write: ({ messages }) => ({ lines: messages.map(({ role }) => role) }),
    problems: () => problems,
  })
}

const problem = (at: string): RequestProblem => ({ rule: 'order', at, message: 'comes too late' })

describe('an adapter', () => {
  it('writes a request in which its rules find no problem', () => {
    const message = { role: 'user', author: null, parts: [], meta: null } as const
    const messages = [{ ...message, seq: 0, slot: 'current' }] as const
    expect(lines([]).write({ ...empty, messages })).toEqual({ lines: ['user'] })
  })

  it('refuses to write a request that breaks its rules, with the problem and its position', () => {
    expect(() => lines([problem('lines[0]')]).write(empty)).toThrow(
      expect.objectContaining({
        code: 'REQUEST_INVALID',
        message: 'house-lines: lines[0] comes too late (order)',
      }),
    )
  })

  it('reports how many problems there are besides the first', () => {
    const three = [problem('lines[0]'), problem('lines[1]'), problem('lines[2]')]
    expect(() => lines(three).write(empty)).toThrow('(order, and 2 more)')
  })

  it('checks the written request against its rules', () => {
    const asked: unknown[] = []
    const adapter = defineAdapter<Lines>({
      ...lines([]),
      messagesField: 'lines',
      write: () => ({ lines: ['written'] }),
      problems: (request) => {
        asked.push(request)
        return []
      },
    })
    adapter.write(empty)
    expect(asked).toEqual([{ lines: ['written'] }])
  })

  it('reads with the given function, and is frozen', () => {
    const adapter = lines([problem('x')])
    expect(adapter.read({ lines: [] })).toEqual({ system: [], tools: [], messages: [] })
    expect(adapter.problems({ lines: [] })).toHaveLength(1)
    expect(Object.isFrozen(adapter)).toBe(true)
  })
})
