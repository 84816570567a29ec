import { describe, expect, it } from 'vitest'
import { wholeSentences } from './read-answer.ts'

describe('text that ends with a whole sentence', () => {
  it.each([
    ['It is done. The rest is op', 'It is done.'],
    ['It is done. Run `go test ./... && go vet` ne', 'It is done.'],
    ['It is done. Then it asked ("Where?" and', 'It is done.'],
    ['It is done :( again. Then', 'It is done :( again.'],
    ['It is done. The answer is in [1, p. 14] of', 'It is done.'],
    ['It is done. It is with [1, p.', 'It is done.'],
    ['It is done. Four changes, not done yet: 1. The', 'It is done.'],
    ['It is done. Two are left: 1. The first. 2. The', 'It is done. Two are left: 1. The first.'],
    ['It is done. Last year 4 jars of 22. Then', 'It is done. Last year 4 jars of 22.'],
    ['It is done. The user chose option B. The', 'It is done. The user chose option B.'],
    ['It is done. The technician, Mr. Ras', 'It is done.'],
    ['It is done. Visi, la Sra. Ru', 'It is done.'],
    ['It is done. It is due on the 19. The', 'It is done. It is due on the 19.'],
    ['It is done. She wrote “I start on Monday. And', 'It is done.'],
    ['done without an end', ''],
  ])('of %j is %j', (text, kept) => {
    expect(wholeSentences(text)).toBe(kept)
  })
})
