import { expect, it } from 'vitest'
import { conversationRowHash, messageRowHash } from './row-hash.ts'

const message = {
  ...{ created_at: 5, key: 'k', key_hash: new Uint8Array([1, 2]), marks: null, answered: null },
  ...{ origin: null, former: null, derived_body: null },
}
const conversation = {
  ...{ tenant: 'default', id: 'c', title: 'T', title_seq: 1, meta: null, version: 2 },
  ...{ parent_id: null, parent_call: null, fork_id: null, fork_at: null, fork_positions: 0 },
  ...{ created_at: 5, pins: null, pinned_to: 0, compaction: null, rewrites: 0 },
}
const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex')

it('has the same hashes in every release, because files contain them', () => {
  expect(hex(messageRowHash(message))).toBe('bd6d37bccd52385d86709b51d1c746df')
  expect(hex(conversationRowHash(conversation))).toBe('fe2d47c79a67b5f20e8330cb3da534f9')
})

it('covers each cell, and no other', () => {
  for (const name of Object.keys(message))
    expect(messageRowHash({ ...message, [name]: 'other' })).not.toEqual(messageRowHash(message))
  for (const name of Object.keys(conversation))
    expect(conversationRowHash({ ...conversation, [name]: 'other' })).not.toEqual(
      conversationRowHash(conversation),
    )
  expect(messageRowHash({ ...message, row_hash: 'other' })).toEqual(messageRowHash(message))
})
