/** Reads numbers in English words: `two hundred and twelve`, `the twenty-first`, `eleven point four`. */

const below20 =
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen'
const ordinals =
  'zeroth first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth'
const tens = 'twenty thirty forty fifty sixty seventy eighty ninety'

const values: ReadonlyMap<string, number> = new Map([
  ...below20.split(' ').map((word, value) => [word, value] as const),
  ...ordinals.split(' ').map((word, value) => [word, value] as const),
  ...tens.split(' ').map((word, index) => [word, (index + 2) * 10] as const),
  ...tens.split(' ').map((word, index) => [word.replace(/y$/, 'ieth'), (index + 2) * 10] as const),
])
const scales: ReadonlyMap<string, number> = new Map([
  ['hundred', 100],
  ['thousand', 1_000],
  ['million', 1_000_000],
])

const maxWords = 100_000

/** In digits, with a point for decimals. */
export function englishNumbersIn(text: string): readonly string[] {
  const found: string[] = []
  let number = new SpelledNumber()
  const end = () => {
    if (number.text !== null) found.push(number.text)
    number = new SpelledNumber()
  }
  for (const [word] of Iterator.from(text.toLowerCase().matchAll(/[a-z]+|[^a-z\s-]/g)).take(
    maxWords,
  )) {
    if (number.add(word)) continue
    end()
    number.add(word)
  }
  end()
  return found
}

/** A number that is read word by word. */
class SpelledNumber {
  /** Of whole thousands and millions. */
  #large = 0
  /** Below a thousand. */
  #small: number | null = null
  #decimals: string | null = null
  /** What a further word must be below: `twenty` may be followed by `one`, not by `thirty`. */
  #below = Number.POSITIVE_INFINITY

  get text(): string | null {
    if (this.#small === null && this.#large === 0) return null
    const whole = String(this.#large + (this.#small ?? 0))
    return this.#decimals ? `${whole}.${this.#decimals}` : whole
  }

  /** Whether the word continues the number. */
  add(word: string): boolean {
    const value = values.get(word)
    if (this.#decimals !== null) return this.#addDecimal(word === 'oh' ? 0 : value)
    if (value !== undefined) return this.#addValue(value)
    const scale = scales.get(word)
    if (scale !== undefined) return this.#multiply(scale)
    if (this.text === null) return false
    if (word === 'point') this.#decimals = ''
    return word === 'point' || (word === 'and' && this.#below >= 100)
  }

  #addDecimal(value: number | undefined): boolean {
    if (value === undefined || value > 9) return false
    this.#decimals += String(value)
    return true
  }

  #addValue(value: number): boolean {
    if (value >= this.#below) return false
    this.#small = (this.#small ?? 0) + value
    this.#below = value >= 20 ? 10 : 0
    return true
  }

  /** `a hundred` is one hundred. */
  #multiply(scale: number): boolean {
    const count = this.#small ?? 1
    if (scale === 100) {
      if (count > 99) return false
      this.#small = count * scale
      this.#below = 100
      return true
    }
    if (this.#large > 0 && this.#large < scale) return false
    this.#large += count * scale
    this.#small = null
    this.#below = 1_000
    return true
  }
}
