import { expect, it } from 'vitest'
import { titleFrom } from './import-title.ts'

const said = (content: string, meta?: { readonly [key: string]: true }) =>
  ({ role: 'user', content, ...(meta && { meta }) }) as const

it('calls a conversation after what was typed, not after what a tool says of itself', () => {
  const caveat = said('Caveat: what follows was made by commands.', { isMeta: true })
  const told = said('This goes on from a talk that ran out of room.', { compactSummary: true })
  expect(titleFrom([caveat, said('<note>x</note>'), told, said('Mend the gate.')])).toBe(
    'Mend the gate.',
  )
  expect(titleFrom([told])).toBe('This goes on from a talk that ran out of room.')
  expect(titleFrom([])).toBeNull()
})
