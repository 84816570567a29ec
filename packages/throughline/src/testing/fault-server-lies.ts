/**
 * A text as a lying model tells it: its sentences stand, and its exact values are a little
 * beside the truth. That is how models invent: nobody sees it who does not compare.
 */
import { parsedJson } from '../adapters/unknown-json.ts'
import { type ExactNameKind, exactNamesOf } from '../extract/exact-names.ts'
import { sha256 } from '../system.ts'

export interface Lie {
  readonly text: string
  /** What stands in the text and nowhere in the sources. */
  readonly invented: readonly string[]
}

const lyingKinds: readonly ExactNameKind[] = ['path', 'file', 'hash', 'id', 'version', 'number']
const triesMax = 20

/** The same lies for the same seed. What is JSON stays JSON, of the same schema. */
export function lieAbout(text: string, sources: string, seed: string): Lie {
  const truth = `${sources}\n${text}`
  const invented: string[] = []
  const lie = (told: string): string => {
    const changed = changeNames(told, truth, `${seed}\n${told}`)
    invented.push(...changed.invented)
    return changed.text
  }
  const value = parsedJson(text)
  if (typeof value !== 'object' || value === null)
    return withLie({ text: lie(text), invented }, seed)
  let longest = ''
  JSON.stringify(value, (_, inner: unknown) => {
    if (typeof inner === 'string' && inner.length > longest.length) longest = inner
    return inner
  })
  const told = JSON.parse(text, (_, inner: unknown) => {
    if (typeof inner !== 'string') return inner
    const lied = lie(inner)
    return inner === longest && invented.length === 0 ? `${lied} ${added(seed)}`.trim() : lied
  })
  const found = invented.length === 0 && longest !== '' ? addedNames(seed) : invented
  return { text: JSON.stringify(told), invented: found }
}

/** A text without any exact value gets a sentence with some. */
function withLie({ text, invented }: Lie, seed: string): Lie {
  if (invented.length > 0) return { text, invented }
  return { text: `${text} ${added(seed)}`.trim(), invented: addedNames(seed) }
}

function changeNames(text: string, truth: string, seed: string): Lie {
  const invented: string[] = []
  let changed = text
  for (const { text: name, kind } of exactNamesOf(text)) {
    if (!lyingKinds.includes(kind)) continue
    const other = otherName(name, truth, seed)
    if (other === null) continue
    const before = changed
    changed = changed.replaceAll(name, () => other)
    if (changed !== before) invented.push(other)
  }
  return { text: changed, invented: invented.filter((name) => changed.includes(name)) }
}

/** One letter or digit of it is another; null where each such name is in use. */
function otherName(name: string, truth: string, seed: string): string | null {
  for (let attempt = 0; attempt < triesMax; attempt += 1) {
    const chance = sha256(`${seed}\n${name}\n${attempt}`)
    const at = Number.parseInt(chance.slice(0, 8), 16) % name.length
    const letter = otherLetter(name[at] ?? '', Number.parseInt(chance.slice(8, 12), 16))
    const other = `${name.slice(0, at)}${letter}${name.slice(at + 1)}`
    if (other !== name && !truth.includes(other)) return other
  }
  return null
}

/** Of the same sort, so that a hash stays a hash and a number a number. */
function otherLetter(letter: string, chance: number): string {
  const sort = [
    '123456789',
    'abcdef',
    'ghijklmnopqrstuvwxyz',
    'ABCDEF',
    'GHIJKLMNOPQRSTUVWXYZ',
  ].find((letters) => letters.includes(letter))
  if (sort === undefined) return letter
  return sort[(sort.indexOf(letter) + 1 + (chance % (sort.length - 1))) % sort.length] ?? letter
}

function addedNames(seed: string): readonly string[] {
  const chance = sha256(seed)
  const number = 100_000 + (Number.parseInt(chance.slice(0, 8), 16) % 900_000)
  return [`src/${chance.slice(8, 16)}/index.ts`, `${number}`, chance.slice(16, 56)]
}

function added(seed: string): string {
  const [path, number, id] = addedNames(seed)
  return `The change is in ${path}, it took ${number} ms, and its commit is ${id}.`
}
