import { describe, expect, it } from 'vitest'
import { elementsOf } from './elements.test-support.ts'
import { bucketsOf, drawPlot, markup } from './plot.ts'

describe('markup', () => {
  it('escapes every value that is not Markup, in text and in attributes', () => {
    const nasty = `<b onclick="x">'\`&</b>`
    const { html } =
      markup`<p title="${nasty}">${nasty}${[markup`<i>${1}</i>`, markup`<i>${2}</i>`]}</p>`
    expect(elementsOf(html).map(({ name }) => name)).toEqual(['p', 'i', 'i'])
    expect(html).not.toMatch(/<b|onclick="/)
  })

  it('removes control characters', () => {
    expect(markup`${'a\u0000b\u202ec\u001b[31md'}`.html).toBe('abcd')
  })
})

describe('elements of a page, as the tests read them', () => {
  it('are rejected if a tag is not closed or a < is not escaped', () => {
    expect(() => elementsOf('<p><b></p>')).toThrow()
    expect(() => elementsOf('<p>')).toThrow()
    expect(() => elementsOf('<p>1 < 2</p>')).toThrow()
    expect(elementsOf('<p onerror="x"></p>')[0]?.attributes).toEqual({ onerror: 'x' })
  })
})

describe('a plot', () => {
  it('draws lines and areas into its box, also of one point or none', () => {
    for (const values of [[], [5], [1, 400, 20]]) {
      const plot = drawPlot({
        ...{ label: 'a <plot>', count: 3, marks: [0, 1] },
        levels: [{ name: 'most', value: 500 }],
        curves: [
          { name: 'line', kind: 'one', values },
          { name: 'area', kind: 'two', values, above: values.map(() => 0) },
        ],
      })
      const paths = elementsOf(plot.html).filter(({ name }) => name === 'path')
      expect(paths).toHaveLength(3 + 2 + 1 + 2)
      const numbers = paths.flatMap(({ attributes }) => attributes['d']?.match(/-?[\d.]+/g) ?? [])
      expect(numbers.map(Number).every((value) => value >= 0 && value <= 1_000)).toBe(true)
      expect(plot.html).not.toMatch(/NaN|Infinity|undefined/)
    }
  })

  it('limits the number of points, and covers every request', () => {
    expect(bucketsOf(3)).toEqual([
      [0, 1],
      [1, 2],
      [2, 3],
    ])
    expect(bucketsOf(0)).toEqual([])
    const buckets = bucketsOf(10_007)
    expect(buckets).toHaveLength(600)
    expect(buckets.every(([, to], index) => to === (buckets[index + 1]?.[0] ?? 10_007))).toBe(true)
  })
})
