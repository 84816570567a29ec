import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { ContextMessage } from '../../domain/context.ts'
import type { Part, Role, ToolCallPart, ToolResultPart } from '../../domain/message.ts'
import { repairMessages } from './repair.ts'

const metadata = null
const text = (words: string): Part => ({ type: 'text', text: words, metadata })
const call = (callId: string, input = '{}'): ToolCallPart => ({
  type: 'tool-call',
  callId,
  name: `run-${callId}`,
  input,
  metadata,
})
const result = (callId: string, words = 'ok'): ToolResultPart => ({
  type: 'tool-result',
  callId,
  name: null,
  output: { kind: 'text', text: words },
  isError: false,
  metadata,
})

/** A history in which each message has its place. */
function history(...messages: readonly [Role, ...Part[]][]): readonly ContextMessage[] {
  return messages.map(([role, ...parts], seq) => ({
    role,
    author: null,
    parts,
    meta: null,
    seq,
    slot: 'recent',
  }))
}

/** `user:hello assistant:→a tool:a=ok`: who says what, as a line. */
function drawn(messages: readonly ContextMessage[]): string {
  return messages.map(({ role, parts }) => `${role}:${parts.map(drawnPart).join('+')}`).join(' ')
}

function drawnPart(part: Part): string {
  if (part.type === 'tool-call') return `→${part.callId}`
  if (part.type === 'tool-result')
    return `${part.callId}=${part.output.kind === 'text' ? part.output.text : part.output.kind}`
  return part.type === 'text' ? (/^\[(\w+) of/.exec(part.text)?.[1] ?? part.text) : part.type
}

const drawRepaired = (...messages: readonly [Role, ...Part[]][]) => {
  const { messages: repaired, repairs } = repairMessages(history(...messages))
  return [drawn(repaired), repairs.map(({ kind, seq }) => `${kind} ${seq}`).join(', ')]
}

describe('repairs', () => {
  it('leaves a valid history as it is', () => {
    const valid = history(
      ['user', text('look')],
      ['assistant', call('a'), call('b')],
      ['tool', result('a')],
      ['tool', result('b')],
      ['assistant', text('done')],
    )
    const { messages, repairs } = repairMessages(valid)
    expect(repairs).toEqual([])
    for (const [at, message] of messages.entries()) expect(message).toBe(valid[at])
  })

  it('only reads a valid history, because every request renders it again', () => {
    let reads = 0
    const valid = history(
      ['system', text('rules')],
      ['user', text('look')],
      ['assistant', text('first'), call('a'), call('b')],
      ['tool', result('b')],
      ['tool', result('a')],
      ['assistant', call('c')],
      ['assistant', text('and'), call('d')],
      ['tool', result('c'), result('d')],
      ['assistant', text('done'), text('well')],
      ['user', text('hm')],
    )
    const counted = valid.map((message) => ({
      ...message,
      get parts() {
        reads += 1
        return message.parts
      },
    }))
    expect(repairMessages(counted).repairs).toEqual([])
    reads = 0
    repairMessages(counted)
    // Each message for its text and its pairs, and the system message for documents.
    expect(reads).toBe(2 * valid.length + 1)
  })

  it('adds a placeholder for a missing result before the next message', () => {
    expect(drawRepaired(['assistant', call('a')], ['user', text('hello?')])).toEqual([
      'assistant:→a tool:a=[no result] user:hello?',
      'call-without-result 0',
    ])
  })

  it('takes text out of a message with results', () => {
    expect(drawRepaired(['assistant', call('a')], ['tool', result('a'), text('hm')])).toEqual([
      'assistant:→a tool:a=ok user:hm',
      '',
    ])
  })

  it('writes a call of a user as text, and its result too', () => {
    expect(drawRepaired(['user', call('a')], ['tool', result('a')])).toEqual([
      'user:call user:result',
      'call-as-text 0, result-without-call 1',
    ])
  })

  it('moves a result that came late to its call', () => {
    expect(
      drawRepaired(['assistant', call('a')], ['user', text('hm')], ['tool', result('a', 'late')]),
    ).toEqual(['assistant:→a tool:a=late user:hm', 'result-moved 2'])
  })

  it('leaves results in their order beside a repair of another message', () => {
    const results = ['b', 'c', 'a'].map((id): [Role, Part] => ['tool', result(id)])
    expect(
      drawRepaired(
        ['tool', result('x')],
        ['assistant', call('a'), call('b'), call('c')],
        ...results,
      ),
    ).toEqual([
      'user:result assistant:→a+→b+→c tool:b=ok tool:c=ok tool:a=ok',
      'result-without-call 0',
    ])
  })

  it('renders a result without a call as data in a user message', () => {
    expect(drawRepaired(['tool', result('x')], ['user', text('hi')])).toEqual([
      'user:result user:hi',
      'result-without-call 0',
    ])
  })

  it.each([
    ['read', 'result of a call of read that is not shown'],
    [null, 'result of a call that is not shown'],
  ])('names the tool of such a result where it is known: %j', (name, label) => {
    const { messages } = repairMessages(history(['tool', { ...result('x'), name }]))
    expect(JSON.stringify(messages)).toContain(`[${label} `)
  })

  it('renders a second result of the same call as data', () => {
    expect(
      drawRepaired(
        ['assistant', call('a')],
        ['tool', result('a', '1')],
        ['tool', result('a', '2')],
      ),
    ).toEqual(['assistant:→a tool:a=1 user:result', 'result-without-call 2'])
  })

  it('renames an id that was used before, with its result', () => {
    expect(
      drawRepaired(
        ['assistant', call('a')],
        ['tool', result('a', '1')],
        ['assistant', call('a')],
        ['tool', result('a', '2')],
      ),
    ).toEqual(['assistant:→a tool:a=1 assistant:→a_2 tool:a_2=2', 'call-renamed 2'])
  })

  it('gives a result to the nearest of two calls with its id', () => {
    expect(
      drawRepaired(
        ['assistant', call('a')],
        ['user', text('hm')],
        ['assistant', call('a')],
        ['tool', result('a')],
      ),
    ).toEqual([
      'assistant:→a tool:a=[no result] user:hm assistant:→a_2 tool:a_2=ok',
      'call-renamed 2, call-without-result 0',
    ])
  })

  it('renames a call that is not in the log yet', () => {
    const next = history(['assistant', call('a'), call('a')]).map((each) => ({
      ...each,
      seq: null,
    }))
    expect(drawn(repairMessages(next).messages)).toMatch(/^assistant:→a\+→a_0 /)
  })

  it('gives no new name that somebody has', () => {
    const [line] = drawRepaired(
      ['assistant', call('a_1')],
      ['assistant', call('a'), call('a'), call('a')],
    )
    expect(line).toMatch(/^assistant:→a_1 assistant:→a\+→a_1_1\+→a_1_2 /)
  })

  it('lets assistant messages that follow one another be one', () => {
    expect(
      drawRepaired(['assistant', call('a')], ['assistant', text('and')], ['tool', result('a')]),
    ).toEqual(['assistant:→a assistant:and tool:a=ok', ''])
    expect(
      drawRepaired(
        ['assistant', call('a')],
        ['assistant', call('b')],
        ['assistant', text('and')],
        ['user', text('hm')],
        ['tool', result('b'), result('a')],
      ),
    ).toEqual(['assistant:→a assistant:→b assistant:and tool:b=ok+a=ok user:hm', 'result-moved 4'])
  })

  it('keeps the result of a tool that the provider ran where it is', () => {
    const run = { ...call('a'), metadata: { aiSdk: { providerExecuted: true } } }
    expect(drawRepaired(['assistant', run, result('a'), text('so')])).toEqual([
      'assistant:→a+a=ok+so',
      '',
    ])
    expect(drawRepaired(['assistant', call('a'), result('a'), text('so')])).toEqual([
      'assistant:→a+so tool:a=ok',
      'result-moved 0',
    ])
  })

  it('parts results from what a user says with them', () => {
    expect(drawRepaired(['assistant', call('a')], ['user', result('a'), text('go on')])).toEqual([
      'assistant:→a tool:a=ok user:go on',
      '',
    ])
  })

  it('drops messages in which nothing is left', () => {
    const seal: Part = { type: 'opaque', kind: 'a/b', json: 'broken', metadata }
    expect(drawRepaired(['user', text('hi')], ['assistant', seal], ['user'])).toEqual([
      'user:hi',
      'text-repaired 1',
    ])
  })

  it('repairs text and reports the place', () => {
    expect(drawRepaired(['user', text('a\ud83d')])).toEqual(['user:a\ufffd', 'text-repaired 0'])
  })

  it('moves documents out of a system message', () => {
    const excerpt = { resourceId: 'r', title: null, text: 'x', metadata } as const
    expect(
      drawRepaired(
        ['system', text('rule'), { type: 'resource-excerpt', ...excerpt }],
        ['system', { type: 'attachment-ref', attachmentId: 'a', title: null, metadata }],
        ['user', text('hm')],
      ),
    ).toEqual([
      'system:rule user:resource-excerpt user:attachment-ref user:hm',
      'document-moved 0, document-moved 1',
    ])
  })

  it('renders a call in another role as data', () => {
    expect(drawRepaired(['user', call('a', '{"x":1}')])[0]).toBe('user:call')
  })
})

// Few ids, so that they meet; each text only once, so that a lost one is seen.
const anyHistory = fc
  .array(
    fc.tuple(
      fc.constantFrom<Role>('user', 'assistant', 'tool', 'system'),
      fc.array(
        fc.tuple(
          fc.constantFrom('text', 'call', 'result', 'reasoning'),
          fc.constantFrom('a', 'b', 'a_1', 'c\ud800'),
        ),
        { maxLength: 4 },
      ),
    ),
    { maxLength: 20, size: 'max' },
  )
  .map((messages) => {
    let asData = 0
    return history(
      ...messages.map(([role, kinds]): [Role, ...Part[]] => [
        role,
        ...kinds.map(([kind, id]): Part => {
          asData += 1
          if (kind === 'call') return call(id, `{"told":"<${asData}>"}`)
          if (kind === 'result') return result(id, `<${asData}>`)
          if (kind === 'text') return text(`<${asData}>`)
          return { type: 'reasoning', text: `<${asData}>`, signature: 's', metadata }
        }),
      ]),
    )
  })

const partsOf = (messages: readonly ContextMessage[]) => messages.flatMap(({ parts }) => parts)

describe('repairs of any history', () => {
  it('answers every call directly, and only calls', () => {
    fc.assert(
      fc.property(anyHistory, (given) => {
        let open = new Set<string>()
        let before: Role = 'user'
        for (const { role, parts } of repairMessages(given).messages) {
          if (role !== 'tool' && !(role === 'assistant' && before === 'assistant'))
            expect([...open]).toEqual([])
          for (const part of parts) {
            if (part.type === 'tool-call') {
              expect(role).toBe('assistant')
              open = new Set([...open, part.callId])
            }
            if (part.type === 'tool-result') expect(open.delete(part.callId)).toBe(true)
          }
          before = role
        }
        expect([...open]).toEqual([])
      }),
    )
  })

  it('uses no id twice', () => {
    fc.assert(
      fc.property(anyHistory, (given) => {
        const ids = partsOf(repairMessages(given).messages).flatMap((part) =>
          part.type === 'tool-call' ? [part.callId] : [],
        )
        expect(new Set(ids).size).toBe(ids.length)
      }),
    )
  })

  it('loses no text and says none twice', () => {
    fc.assert(
      fc.property(anyHistory, (given) => {
        const before = JSON.stringify(partsOf(given)).match(/<\d+>/g) ?? []
        const after = JSON.stringify(partsOf(repairMessages(given).messages)).match(/<\d+>/g) ?? []
        expect(after.toSorted()).toEqual(before.toSorted())
      }),
    )
  })

  it('has nothing to do when it is done again', () => {
    fc.assert(
      fc.property(anyHistory, (given) => {
        const { messages } = repairMessages(given)
        expect(repairMessages(messages)).toEqual({ messages, repairs: [] })
      }),
    )
  })

  it('lists each placeholder, each result rendered as data and each new name', () => {
    fc.assert(
      fc.property(anyHistory, (given) => {
        const { messages, repairs } = repairMessages(given)
        const listed = (kind: string) => repairs.filter((repair) => repair.kind === kind).length
        const written = JSON.stringify(messages)
        expect(written.split('[no result]').length - 1).toBe(listed('call-without-result'))
        expect(written.split('[result of').length - 1).toBe(listed('result-without-call'))
        for (const { seq } of repairs)
          expect(given.some((message) => message.seq === seq)).toBe(true)
      }),
    )
  })
})

describe('details of repairs', () => {
  it('names a call that it renders as data', () => {
    expect(repairMessages(history(['user', call('a')])).repairs).not.toEqual([])
  })

  it('mentions the picture of a result that it renders as data', () => {
    const file = { type: 'file', mediaType: 'image/png', name: 'cat.png', metadata } as const
    const source = { kind: 'url', url: 'https://example.org/cat.png' } as const
    const parts = [{ ...file, source, width: null, height: null }]
    const { messages } = repairMessages(
      history(['tool', { ...result('x'), output: { kind: 'parts', parts } }]),
    )
    expect(JSON.stringify(messages)).toContain('cat.png')
  })

  it('pairs calls of one message that share an id with their results in order', () => {
    expect(
      drawRepaired(
        ['assistant', call('a'), call('a')],
        ['tool', result('a', '1'), result('a', '2')],
      ),
    ).toEqual(['assistant:→a+→a_0 tool:a=1+a_0=2', 'call-renamed 0'])
  })
})
