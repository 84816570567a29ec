import { describe, expect, it } from 'vitest'
import {
  degenerateReason,
  isCutOff,
  isSkeleton,
  isThinkingAloud,
  withoutThinking,
} from './draft-form.ts'

/** Words that differ, so that nothing repeats. */
const different = (count: number) =>
  Array.from({ length: count }, (_, at) => `wo${String.fromCharCode(97 + (at % 26))}${at}`).join(
    ' ',
  )

describe('a degenerate draft', () => {
  it('repeats one letter at least 12 times, in 30 % of its letters', () => {
    const reason = 'one letter again and again'
    expect(degenerateReason('a'.repeat(12))).toBe(reason)
    expect(degenerateReason('a'.repeat(11))).toBeNull()
    const others = 'bcdefghijklmnopqrstuvwxyzbcd'
    expect(degenerateReason(`${others} ${'a'.repeat(12)}`)).toBe(reason)
    expect(degenerateReason(`${others}e ${'a'.repeat(12)}`)).toBeNull()
    expect(degenerateReason(`${'a'.repeat(12)} ${'7'.repeat(12)} ${others}${others}`)).toBe(reason)
  })

  it('has at least 4 words with 4 consonants in a row, 35 % of its words', () => {
    const reason = 'letters that are no words'
    const spoken = (count: number) =>
      ['alone', 'above', 'enemy', 'opera', 'idea', 'audio', 'ocean', 'image', 'uneven']
        .concat(['after', 'under', 'over', 'item', 'user'])
        .slice(0, count)
        .join(' ')
    const unspeakable = 'qzxwv plkjh mnbvc tgbnh rtghj wsdfg zxcvb'
    expect(degenerateReason(`${spoken(13)} ${unspeakable}`)).toBe(reason)
    expect(degenerateReason(`${spoken(14)} ${unspeakable}`)).toBeNull()
    expect(degenerateReason('qzxwv plkjh mnbvc tgbnh')).toBe(reason)
    expect(degenerateReason('qzxwv plkjh mnbvc')).toBeNull()
  })

  it('repeats its words as a whole or at its end, from 12 words on', () => {
    const reason = 'the same words again and again'
    expect(degenerateReason('the cat sat '.repeat(4))).toBe(reason)
    expect(degenerateReason('the cat sat '.repeat(4).trim().replace(/ sat$/, ''))).toBeNull()
    expect(degenerateReason(different(60))).toBeNull()
    expect(degenerateReason(`${different(60)} ${'the cat sat '.repeat(20)}`)).toBe(reason)
    // The end is a third of the words, and 24 at least.
    const looped = (distinct: number, loop: number) =>
      degenerateReason(
        `${different(distinct)} ${'the cat sat '.repeat(9).split(' ').slice(0, loop).join(' ')}`,
      )
    expect([looped(40, 19), looped(40, 18)]).toEqual([reason, null])
    expect([looped(72, 23), looped(73, 22)]).toEqual([reason, null])
    // At the start of a long text, a loop is a quotation.
    expect(degenerateReason(`${'the cat sat '.repeat(8)} ${different(60)}`)).toBeNull()
  })

  it('repeats if fewer than 40 % of its passages of 4 words are distinct', () => {
    const loop = (distinct: number, words: number) =>
      Array.from({ length: words }, (_, at) => `wo${at % distinct}`).join(' ')
    // 20 passages: 8 of them are 40 %.
    expect(degenerateReason(loop(8, 23))).toBeNull()
    expect(degenerateReason(loop(7, 23))).toBe('the same words again and again')
  })
})

describe('a placeholder', () => {
  it('is degenerate if there is nothing else', () => {
    expect(degenerateReason('## Goal\n[insert the goal here]')).toBe('a placeholder')
    expect(degenerateReason('The user put <summary> into the file.')).toBeNull()
    expect(degenerateReason('## Goal\n- None')).toBeNull()
  })
})

describe('an empty form', () => {
  it('has headings and labels, and nothing below them', () => {
    expect(isSkeleton('## Goal\n- None\n1. **Next steps:**\n(none)\n---')).toBe(true)
    expect(isSkeleton('## Goal\n- None\nThe clock of the server was wrong.')).toBe(false)
  })
})

describe('a draft that was cut off', () => {
  const whole = 'The worker asks the clock of the server.'
  it.each([
    ['', false],
    [whole, false],
    [`${whole}\n\`\`\`\ncode\n\`\`\`\n${whole}`, false],
    [`${whole}\n\`\`\`\ncode`, true],
    [`${whole} The value is \`zone`, true],
    [`${whole} It lists (one, two`, true],
    [`${whole} After that the`, true],
    ['After that the', true],
    ['The value is `zone', true],
    ['It lists (one, two', true],
    ['It lists (one, two.', false],
    [`(${'a'.repeat(299)}`, true],
    [`(${'a'.repeat(300)}`, false],
    [`${whole} Then it stopped reading`, true],
    ['Then it stopped reading', false],
    [`${whole}\n## Next steps`, false],
    [`${whole}\nThen it stopped reading`, true],
    // Two list items do not show how the others end; one more does.
    ['- The first item has a final mark.\n- The second has none', false],
    ['- The first item has a final mark.\n- The second item has one.\n- The third has none', true],
    ['- The first item has no mark\n- The second item has one.\n- The third has none', false],
    // Short lines are labels.
    ['Done.\nThen it stopped reading', false],
    ['It has twenty chars.\nThen it stopped reading', true],
    ['It has fewer chars.\nThen it stopped reading', false],
    ['Yes. Then it stopped', true],
    ['Yes. Then it stoppe', false],
  ])('%j: %s', (text, expected) => {
    expect(isCutOff(text)).toBe(expected)
  })

  it('has peers of which 80 % end with a mark', () => {
    const items = (ended: number, count: number) =>
      Array.from(
        { length: count },
        (_, at) => `- Item number ${at} of the list${at < ended ? '.' : ''}`,
      ).join('\n')
    const last = '\n- The last of these items has none'
    expect(isCutOff(items(4, 5) + last)).toBe(true)
    expect(isCutOff(items(7, 9) + last)).toBe(false)
  })
})

describe('thoughts in an answer', () => {
  it('are removed, wherever they are', () => {
    expect(withoutThinking('One. <think>a</think>Two. <THINK x="y">b</THINK>Three.')).toEqual({
      text: 'One. Two. Three.',
      thought: true,
    })
    expect(withoutThinking('One. <think>never closed')).toEqual({ text: 'One.', thought: true })
    expect(withoutThinking('opened elsewhere</think>\nOne.')).toEqual({
      text: 'One.',
      thought: true,
    })
    expect(withoutThinking(' One. ')).toEqual({ text: ' One. ', thought: false })
  })

  it('are removed up to 8 times', () => {
    const blocks = (count: number) => '<think>a</think>'.repeat(count)
    expect(withoutThinking(`${blocks(8)}One.`).text).toBe('One.')
    expect(withoutThinking(`${blocks(9)}One.`).text).toBe('<think>a</think>One.')
  })

  it('are the whole answer if it starts with them, has no list and at most 3000 characters', () => {
    const start = 'Okay, so I need to summarize this conversation. '
    const thoughts = (length: number) => start.padEnd(length, 'The user has a problem. ')
    expect(isThinkingAloud(thoughts(3_000))).toBe(true)
    expect(isThinkingAloud(thoughts(3_001))).toBe(false)
    expect(isThinkingAloud(`${start}\n- The clock was wrong.`)).toBe(false)
    expect(isThinkingAloud('The worker asks the clock.')).toBe(false)
  })
})
