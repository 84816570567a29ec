import type { Receipt, RequestUse } from 'throughline'
import { expect, it } from 'vitest'
import { whyCompacted } from '../src/data/why.ts'

function why(tokens: number | null, reason = 'tokenRatio', triggerTokens: number | null = 11_339) {
  const decision = { reason, figures: { tokens, availableTokens: 11_680 } }
  const receipt = { model: 'm', epoch: 4, decision } as unknown as Receipt
  const use = { model: 'm', epoch: 4, triggerTokens } as unknown as RequestUse
  return whyCompacted(receipt, triggerTokens === null ? [] : [use])
}

it('says that a request reached the trigger only if it did', () => {
  expect(why(11_499)).toEqual({
    reason: 'the request reached the trigger',
    figures: '11,499 of 11,680 available tokens; the trigger is 11,339',
  })
  expect(why(10_586)).toMatchObject({
    reason: 'the request might not fit',
    figures: expect.stringMatching(/^estimated at 10,586 tokens, below the trigger of 11,339;/),
  })
  expect(why(12_746).reason).toBe('the request would not fit')
  expect(why(10_586, 'tokenRatio', null).reason).toBe(
    'the request reached the trigger or the limit',
  )
  expect(why(10_586, 'manual')).toMatchObject({ reason: 'somebody asked for it' })
  expect(why(null).figures).toBe('')
})
