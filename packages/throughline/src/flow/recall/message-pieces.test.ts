import { describe, expect, it } from 'vitest'
import type { MessageInput } from '../../domain/message.ts'
import { sha256 } from '../../system.ts'
import { sealMessages } from '../append/append.ts'
import { indexedPieces, piecesOf } from './message-pieces.ts'

function sealed(message: MessageInput) {
  const [only] = sealMessages([message], sha256)
  if (only === undefined) throw new Error('one message was sealed')
  return only
}

const says = (content: MessageInput['content']) => sealed({ role: 'assistant', content })

describe('a message as pieces', () => {
  it('is its text again when they are joined', () => {
    for (const text of ['short', 'Many words. '.repeat(2_000), '😀'.repeat(9_001)]) {
      const { text: all, ranges } = piecesOf(says(text))
      expect(ranges.map(({ from, to }) => all.slice(from, to)).join('')).toBe(text)
      expect(ranges.length).toBeGreaterThanOrEqual(text.length / 1_200)
      for (const { from, to } of ranges) expect(all.slice(from, to).isWellFormed()).toBe(true)
    }
  })

  it('has no secrets, and not what a model thought to itself', () => {
    const secret = `ghp_${'a1B2c3D4e5F6'.repeat(3)}`
    const message = says([
      { type: 'reasoning', text: 'hidden thought' },
      { type: 'text', text: `The token is ${secret}, keep it.` },
    ])
    const pieces = JSON.stringify([piecesOf(message), indexedPieces(message)])
    expect(pieces).not.toContain(secret)
    expect(pieces.toLowerCase()).not.toContain(secret.toLowerCase())
    expect(pieces).not.toContain('thought')
    expect(pieces).toContain('token')
  })

  it('is found by author, tool and date', () => {
    const createdAt = Date.UTC(2026, 2, 5)
    const message = sealed({ role: 'user', content: 'Fine.', author: 'Review desk', createdAt })
    const [piece] = indexedPieces(message)
    expect(piece?.terms).toEqual(
      expect.arrayContaining(['fine', 'review', 'desk', '2026', 'march', 'thursdai']),
    )
    expect(piece?.length).toBe(1)
    const call = { type: 'tool-call', callId: '1', name: 'read_file', input: { path: 'a/b.ts' } }
    const [called] = indexedPieces(says([call as never]))
    expect(called?.terms).toContain('readfil')
    expect(called?.names).toContain('a/b.ts')
    const result = (name?: string) => ({
      ...{ type: 'tool-result', callId: '1', output: 'fine', ...(name && { name }) },
    })
    const [named] = indexedPieces(sealed({ role: 'tool', content: [result('grep') as never] }))
    expect(named?.terms).toContain('grep')
    const [unnamed] = indexedPieces(
      sealed({ role: 'tool', content: [result() as never], createdAt }),
    )
    // A result without a name, and words, add no term of a tool.
    const [plain] = indexedPieces(sealed({ role: 'tool', content: 'fine', createdAt }))
    expect(unnamed?.terms).toEqual(plain?.terms)
    expect(plain?.terms).toEqual(['fine', ...(piece?.terms ?? []).slice(3)])
  })

  it('has each term once', () => {
    const [piece] = indexedPieces(says('again and again and again'))
    expect(piece?.terms.filter((term) => term === 'again').length).toBe(1)
    expect(piece?.length).toBe(5)
  })

  it('is empty for a message without text', () => {
    expect(indexedPieces(says(''))).toEqual([])
  })
})
