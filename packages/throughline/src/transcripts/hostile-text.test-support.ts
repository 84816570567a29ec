/** Valid JSON in which some values and keys are replaced by unexpected ones. */
import type { JsonValue } from '../index.ts'

/** Replaces the text of a value or a key. */
type Damage = (text: string) => string

const hostileValues = [
  ...['null', 'true', '0', '-1', '0.5', '1e999', '-1e999', '9007199254740993', '""', '[]', '{}'],
  '{"toString":1,"valueOf":1}',
  '[[{"toString":1,"valueOf":1},1]]',
  '{"__proto__":{"type":"user"},"constructor":null,"hasOwnProperty":1}',
  '"__proto__"',
  '"toString"',
  '{"inner":[1,{"far":-1e999}]}',
  JSON.stringify('long '.repeat(1_000)),
  JSON.stringify('🐑'.repeat(600)),
  `{"deep":${'['.repeat(250)}${']'.repeat(250)}}`,
  '['.repeat(1_000) + ']'.repeat(1_000),
  // Half a surrogate pair, escaped and unescaped.
  '"\\ud83d"',
  '"\ud83d"',
  // Control characters, escaped and unescaped.
  '"\\u0000\\u001b\\n\\u0085"',
  '"\u0000\u001b\u0085"',
  '"====="',
] as const

export const damages: readonly Damage[] = [
  ...hostileValues.map((value) => () => value),
  (text) => `[${text},${text}]`,
  // Every key of an object, twice.
  (text) =>
    text.startsWith('{') && text !== '{}' ? `${text.slice(0, -1)},${text.slice(1)}` : text,
]

export interface PlacedDamage {
  /** The index of the value or key, modulo their number. */
  readonly place: number
  readonly damage: Damage
}

/** `text` holds one document, or one on each line. */
export function damaged(text: string, placedDamages: readonly PlacedDamage[]): string {
  const documents = text.trimEnd().split('\n')
  const values = documents.map((line): JsonValue => JSON.parse(line))
  const count = new Writer(new Map()).write(values).next
  const damageAt = new Map(placedDamages.map(({ place, damage }) => [place % count, damage]))
  return new Writer(damageAt).write(values).lines.join('\n')
}

class Writer {
  readonly #damageAt: ReadonlyMap<number, Damage>
  #next = 0

  constructor(damageAt: ReadonlyMap<number, Damage>) {
    this.#damageAt = damageAt
  }

  write(values: readonly JsonValue[]) {
    return { lines: values.map((value) => this.#value(value)), next: this.#next }
  }

  #value(value: JsonValue): string {
    return this.#place(() => {
      if (typeof value !== 'object' || value === null) return JSON.stringify(value)
      if (isList(value)) return `[${value.map((item) => this.#value(item)).join()}]`
      const fields = Object.entries(value).map(
        ([key, item]) => `${this.#place(() => JSON.stringify(key))}:${this.#value(item)}`,
      )
      return `{${fields.join()}}`
    })
  }

  #place(write: () => string): string {
    const damage = this.#damageAt.get(this.#next)
    this.#next += 1
    const text = write()
    return damage === undefined ? text : damage(text)
  }
}

function isList(value: object): value is readonly JsonValue[] {
  return Array.isArray(value)
}
