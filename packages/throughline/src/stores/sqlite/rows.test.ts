import { describe, expect, it } from 'vitest'
import { noControl } from '../../domain/conversation.ts'
import { type Row, SqliteConnection } from './connection.ts'
import { conversationRow, encodeControl } from './rows.ts'

const connection = new SqliteConnection(
  {
    exec: () => {},
    prepare: () => ({ run: () => {}, get: () => {}, all: () => [] }),
    close: () => {},
  },
  'the file',
  'normal',
)

const cells: Row = {
  ...{ pk: 7, tenant: 'default', id: 'c', title: null, title_seq: null, meta: null, head: 3 },
  ...{ chain: new Uint8Array([0xab]), version: 2, events: 5, parent_id: null, parent_call: null },
  ...{ fork_pk: null, fork_id: null, fork_at: null, fork_positions: 0, created_at: 9 },
  ...{ pins: null, pinned_to: 1, compaction: null, rewrites: 4 },
}
const read = (changes: Row = {}) => conversationRow(connection, { ...cells, ...changes })
const corrupt = expect.objectContaining({ code: 'STORE_CORRUPT' })
const forkCells = { fork_pk: 6, fork_id: 's', fork_at: 2, fork_positions: 1 }

describe('the row of a conversation', () => {
  it('is read with all its fields', () => {
    expect(read()).toMatchObject({ pk: 7, eventCount: 5, fork: null })
    expect(read().conversation).toEqual({
      ...{ id: 'c', tenant: 'default', title: null, titleFrom: null, meta: null, head: 3 },
      ...{ chain: 'ab', version: 2, rewrites: 4, pins: [], pinnedTo: 1 },
      ...{ compaction: noControl, parent: null, forkedFrom: null, createdAt: 9 },
    })
    const others = { title: 'T', title_seq: 0, meta: '{"a":1}', pins: '[0,2]' }
    expect(read({ ...others, parent_id: 'p', parent_call: 'k' }).conversation).toMatchObject({
      ...{ title: 'T', titleFrom: 0, meta: { a: 1 }, pins: [0, 2] },
      parent: { conversationId: 'p', callId: 'k' },
    })
    expect(read({ parent_id: 'p' }).conversation.parent).toEqual({
      ...{ conversationId: 'p', callId: null },
    })
  })

  it('has its source if it is a fork, which is newer', () => {
    const { fork, conversation } = read(forkCells)
    expect(fork).toEqual({ pk: 6, at: 2, lastPosition: 1 })
    expect(conversation.forkedFrom).toEqual({ conversationId: 's', at: 2 })
    for (const fork_pk of [7, 8]) expect(() => read({ ...forkCells, fork_pk })).toThrow(corrupt)
  })

  it('has a head of at most 32 bits', () => {
    expect(read({ head: 2 ** 32 }).conversation.head).toBe(2 ** 32)
    expect(() => read({ head: 2 ** 32 + 1 })).toThrow(corrupt)
  })

  it.each<[string, Row[string]]>([
    ['id', 7],
    ['tenant', null],
    ['title', 7],
    ['title_seq', 'x'],
    ['meta', '[]'],
    ['head', -1],
    ['chain', 'ab'],
    ['version', null],
    ['rewrites', -1],
    ['events', 'x'],
    ['pins', '["x"]'],
    ['pinned_to', -1],
    ['created_at', 'x'],
    ['compaction', '{}'],
    ['compaction', '{"mode":null,"asked":null}'],
    ['compaction', '{"mode":null,"suspended":[]}'],
    ['compaction', '{"asked":null,"suspended":[]}'],
    ['compaction', '{"mode":null,"asked":null,"suspended":{}}'],
    ['parent_id', 7],
  ])('is refused with %s = %j', (name, cell) => {
    expect(() => read({ [name]: cell })).toThrow(corrupt)
  })
})

describe('the control of compaction', () => {
  it('is stored only if something is set', () => {
    expect(encodeControl(noControl)).toBeNull()
    const asked = { mode: 'off' } as never
    const set = [
      { ...noControl, mode: 'off' },
      { ...noControl, asked },
      { ...noControl, suspended: ['m'] },
    ] as unknown as readonly (typeof noControl)[]
    for (const control of set) {
      const cell = encodeControl(control)
      expect(cell).toBe(JSON.stringify(control))
      expect(read({ compaction: cell }).conversation.compaction).toEqual(control)
    }
  })
})
