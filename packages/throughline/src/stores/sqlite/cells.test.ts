import { describe, expect, it } from 'vitest'
import type { FilePart, Part, ToolResultPart } from '../../domain/message.ts'
import { number } from '../../domain/shape.ts'
import { isThroughlineError } from '../../errors.ts'
import {
  bodyCells,
  bytesCell,
  type Cell,
  countCell,
  encodeList,
  hexBytes,
  hexCell,
  jsonCell,
  textCell,
  textOrNullCell,
  timeCell,
} from './cells.ts'

function isRefused(read: () => unknown): boolean {
  try {
    read()
    return false
  } catch (error) {
    expect(isThroughlineError(error) && error.code).toBe('STORE_CORRUPT')
    return true
  }
}

const metadata = null
const stored = { kind: 'stored', sha256: 'ab', sizeBytes: 3 } as const
const file: FilePart = {
  ...{ type: 'file', mediaType: 'text/plain', name: 'a', width: 1, height: null, metadata },
  source: stored,
}
const result: ToolResultPart = {
  ...{ type: 'tool-result', callId: 'c', name: 'run', isError: false, metadata },
  output: { kind: 'text', text: 'ok' },
}
const parts: readonly Part[] = [
  { type: 'text', text: 'a', metadata },
  { type: 'reasoning', text: 'a', signature: null, metadata: {} },
  { type: 'tool-call', callId: 'c', name: 'run', input: '{}', metadata },
  result,
  { ...result, name: null, output: { kind: 'json', json: '1' } },
  { ...result, output: { kind: 'parts', parts: [{ type: 'text', text: 'a', metadata }] } },
  file,
  { ...file, name: null, source: { kind: 'url', url: 'https://example.org' } },
  { type: 'resource-excerpt', resourceId: 'r', text: 'a', title: null, metadata },
  { type: 'attachment-ref', attachmentId: 'a', title: 'b', metadata },
  { type: 'opaque', kind: 'x/y', json: '{}', metadata },
]
const body = { role: 'user', author: null, parts, status: 'complete', meta: null }
const read = (value: object) =>
  bodyCells({ body: JSON.stringify(value), origin: null }, 'a message')

/** Every copy of a value with one of its fields, at any depth, of a wrong type. */
function* damaged(value: object): Generator<object> {
  for (const [name, field] of Object.entries(value)) {
    const wrong = Array.isArray(field) || typeof field === 'number' ? 'x' : [7]
    yield { ...value, [name]: wrong }
    if (typeof field !== 'object' || field === null || Array.isArray(field)) continue
    for (const inner of damaged(field)) yield { ...value, [name]: inner }
  }
}

describe('the body of a message', () => {
  it('is read with parts of all types', () => {
    expect(read(body)).toMatchObject({ role: 'user', parts })
    expect(read({ ...body, status: 'incomplete', author: 'Ann', meta: {} })).toMatchObject({
      author: 'Ann',
    })
  })

  it.each(parts)('is refused with a wrong field of $type', (part) => {
    for (const wrong of damaged(part))
      expect([wrong, isRefused(() => read({ ...body, parts: [wrong] }))]).toEqual([wrong, true])
  })

  it('is refused with a wrong field of its own, or as no body at all', () => {
    for (const wrong of damaged(body))
      expect([wrong, isRefused(() => read(wrong))]).toEqual([wrong, true])
    const nested = { ...result, output: { kind: 'parts', parts: [{ type: 'text', metadata }] } }
    expect(isRefused(() => read({ ...body, parts: [nested] }))).toBe(true)
    // One of several parts is enough.
    const several = [parts[0], { type: 'text', metadata }]
    expect(isRefused(() => read({ ...body, parts: several }))).toBe(true)
    const output = { kind: 'parts', parts: several }
    expect(isRefused(() => read({ ...body, parts: [{ ...result, output }] }))).toBe(true)
    for (const cell of ['', '[', 'null', 7, null, undefined])
      expect(isRefused(() => bodyCells({ body: cell ?? null }, 'a message'))).toBe(true)
    for (const origin of ['walrus', 'person walrus', '', 7])
      expect(isRefused(() => bodyCells({ body: JSON.stringify(body), origin }, 'a message'))).toBe(
        true,
      )
  })
})

describe('a cell', () => {
  it('has a count from 0 on, and a time that a date can have', () => {
    const latest = 8_640_000_000_000_000
    expect([countCell(0, 'x'), timeCell(-latest, 'x'), timeCell(latest, 'x')]).toEqual([
      ...[0, -latest, latest],
    ])
    for (const cell of [-1, 0.5, '1', null, undefined, Number.NaN] satisfies Cell[])
      expect(isRefused(() => countCell(cell, 'x'))).toBe(true)
    for (const time of [latest + 1, -latest - 1])
      expect(isRefused(() => timeCell(time, 'x'))).toBe(true)
  })

  it('has text or bytes', () => {
    expect([textCell('', 'x'), textOrNullCell(null, 'x'), textOrNullCell('a', 'x')]).toEqual([
      ...['', null, 'a'],
    ])
    expect(isRefused(() => textCell(null, 'x'))).toBe(true)
    expect(isRefused(() => textOrNullCell(7, 'x'))).toBe(true)
    expect(isRefused(() => bytesCell('ab', 'x'))).toBe(true)
    expect(hexCell(hexBytes('00ff7e'))).toBe('00ff7e')
    const part = Buffer.from('abcd').subarray(1, 3)
    expect(bytesCell(part, 'x')).toEqual(new Uint8Array([98, 99]))
  })

  it('has JSON of the expected form, or nothing', () => {
    expect(jsonCell('[1,2]', 'x', [number])).toEqual([1, 2])
    expect([jsonCell(null, 'x', [number]), jsonCell(undefined, 'x', [number])]).toEqual([
      null,
      null,
    ])
    for (const cell of ['[1,"2"]', '{}', '[1', 7])
      expect(isRefused(() => jsonCell(cell, 'x', [number]))).toBe(true)
    expect([encodeList([]), encodeList([1])]).toEqual([null, '[1]'])
  })
})
