import { describe, expect, it } from 'vitest'
import { emphasizedNamesOf } from './emphasized-names.ts'

describe('emphasizedNamesOf', () => {
  it('finds names in bold and names that are a whole list item', () => {
    const text =
      'Try **Thai Green Curry** or:\n- Lemon Tart\n- a note\n- This is a sentence.\n**Note:** x'
    expect(emphasizedNamesOf(text)).toEqual(['Thai Green Curry', 'Lemon Tart', 'Note'])
  })

  it('leaves code alone and takes the first ten', () => {
    expect(emphasizedNamesOf('```\n**Power** of\n```')).toEqual([])
    const many = Array.from({ length: 50 }, (_, at) => `- Item ${at}`).join('\n')
    expect(emphasizedNamesOf(many).length).toBe(10)
  })
})
