import { describe, expect, it } from 'vitest'
import { heldLines, neededLines } from './lines.ts'

const lines = Array.from({ length: 10 }, (_, at) => `const value${at} = ${at}`)
const numbered = lines.map((line, at) => `    ${at + 1}→  ${line}`).join('\n')

describe('needed lines', () => {
  it('are those of the file, without numbers, short lines and reminders', () => {
    const result = `${numbered}\n   11→}\n<system-reminder>\nMind the tests.\n</system-reminder>`
    expect([...neededLines(result)]).toEqual(lines)
  })

  it('are held where nearly all of them stand', () => {
    const needed = neededLines(numbered)
    expect(heldLines(lines.slice(1).join('\n'))(needed)).toBe(true)
    expect(heldLines(lines.slice(2).join('\n'))(needed)).toBe(false)
    expect(heldLines(numbered)(needed)).toBe(true)
  })

  it('are not held where there are none', () => {
    expect(heldLines(numbered)(neededLines('}'))).toBe(false)
  })
})
