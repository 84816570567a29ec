import { describe, expect, it } from 'vitest'
import { defaults } from '../defaults-data.ts'
import { conversationId, messageId, type Seq } from '../domain/ids.ts'
import type { Message } from '../domain/message.ts'
import { MessageCache } from './message-cache.ts'

const conversation = conversationId('c')

function message(seq: Seq, text = `message ${seq}`): Message {
  return {
    id: messageId(conversation, seq),
    conversationId: conversation,
    seq,
    role: 'user',
    origin: null,
    author: null,
    parts: [{ type: 'text', text, metadata: null }],
    status: 'complete',
    meta: null,
    createdAt: 0,
    key: null,
    hashes: { content: '', canonical: '', chain: '' },
    marks: [],
  }
}

const most = defaults.knownMessages

describe('cached messages', () => {
  it('stay while they are used, and are dropped when they are not', () => {
    const known = new MessageCache()
    for (let seq = 0; seq < most * 5; seq += 1) {
      known.add(message(seq))
      expect(known.get(3)?.seq).toBe(seq < 3 ? undefined : 3)
    }
    expect(known.get(4)).toBeUndefined()
    expect(known.get(most * 5 - 1)).toBeDefined()
  })

  it('are as many as one request reads', () => {
    const known = new MessageCache()
    known.reserve(most * 4)
    for (let seq = 0; seq < most * 4; seq += 1) known.add(message(seq))
    for (let seq = 0; seq < most * 4; seq += 1) expect(known.get(seq)?.seq).toBe(seq)
  })

  it('are also limited by their characters', () => {
    const known = new MessageCache()
    const large = 'x'.repeat(defaults.knownMessagesCharacters / 4)
    for (let seq = 0; seq < 40; seq += 1) {
      known.add(message(seq, large))
      expect(known.characters).toBeLessThan(defaults.knownMessagesCharacters * 3)
    }
    expect(known.get(0)).toBeUndefined()
    expect(known.get(39)).toBeDefined()
  })

  it('are not evicted by a giant, which is cached only while it is referenced', () => {
    const known = new MessageCache()
    known.add(message(0))
    const giant = message(1, 'x'.repeat(defaults.knownMessagesCharacters + 1))
    known.add(giant)
    for (const seq of [2, 3, 4]) known.add(message(seq))
    expect([0, 2, 3, 4].map((seq) => known.get(seq)?.seq)).toEqual([0, 2, 3, 4])
    expect(known.get(1)).toBe(giant)
    expect(known.characters).toBeLessThan(1_000)
  })

  it('cannot be changed', () => {
    const known = new MessageCache()
    known.add(message(0))
    const part = known.get(0)?.parts[0] as { text: string }
    expect(() => {
      part.text = 'changed'
    }).toThrow(TypeError)
  })
})
