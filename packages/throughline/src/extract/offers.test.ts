import { describe, expect, it } from 'vitest'
import { answeredIn, offerIn } from './offers.ts'

const reply = [
  'There are two ways.',
  '',
  '1. **Batches**: fifty rows at once',
  '2) A trigger [in the database]',
  '',
  'The first is simpler. Which one do you want?',
].join('\n')

describe('what a reply offers', () => {
  it('is its options and its last question, without brackets', () => {
    expect(offerIn(reply)).toBe(
      '1. Batches: fifty rows at once\n2. A trigger  in the database\nWhich one do you want?',
    )
    expect(offerIn('Soll ich das so machen?')).toBe('Soll ich das so machen?')
    expect(offerIn('It is done.\n\n1. One step')).toBeNull()
  })

  it.each([
    ['do 1', '1. Batches: fifty rows at once'],
    ['option 2, please', '2. A trigger  in the database'],
    ['1 and 2', '1. Batches: fifty rows at once; 2. A trigger  in the database'],
    ['the cheaper one', 'Which one do you want?'],
    ['version 1.2', 'Which one do you want?'],
    ['why?', null],
    ['x'.repeat(100), null],
  ])('is answered by "%s"', (answer, meant) => {
    expect(answeredIn(answer, offerIn(reply) ?? '')).toBe(meant)
  })

  it('has letters as labels', () => {
    const offer = offerIn('A) harbour\nB) lantern') ?? ''
    expect(answeredIn('b please', offer)).toBe('B. lantern')
    expect(answeredIn("Let's go with A.", offer)).toBe('A. harbour')
    expect(answeredIn('paint a wall', offer)).toBeNull()
  })
})
