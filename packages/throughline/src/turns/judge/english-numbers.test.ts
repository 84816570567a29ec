import { describe, expect, it } from 'vitest'
import { englishNumbersIn } from './english-numbers.ts'

describe('numbers in English words', () => {
  it.each([
    ['two hundred and twelve speakers', ['212']],
    ['a hundred and sixty-one hours, more like a hundred and eighteen', ['161', '118']],
    ['twenty-two appointments on the twenty-first', ['22', '21']],
    ['on the third of March and the second of May', ['3', '2']],
    ['eleven point four against eleven point nine', ['11.4', '11.9']],
    ['version two point one, then three point oh', ['2.1', '3.0']],
    ['Six thousand eight hundred. At nineteen euros', ['6800', '19']],
    ['two million three hundred thousand and five', ['2300005']],
    ['one hundred forty of the two hundred and twelve', ['140', '212']],
    ['six or seven, seven three, twenty thirty', ['6', '7', '7', '3', '20', '30']],
    ['thirty and seventy speakers', ['30', '70']],
    ['the seven point is moot', ['7']],
    ['no number, only a point and a note', []],
    ['1,204 boxes', []],
  ])('of %j', (text, numbers) => {
    expect(englishNumbersIn(text)).toEqual(numbers)
  })
})
