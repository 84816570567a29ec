/**
 * Makes `tokenizers/estimate-tables.ts`: what pairs of neighbouring letters and
 * symbols cost, by least squares over the distinct words and symbol runs of real
 * text (and random ones, so that nonsense is judged too), and which words and
 * characters are one token, from the o200k vocabulary itself. No text is kept.
 *
 *   npm exec -- node scripts/make-estimate-table.ts node_modules /usr/share/locale /usr/share/man
 */
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import o200k from 'gpt-tokenizer/encoding/o200k_base'
import { forEachPiece } from '../packages/throughline/src/tokenizers/estimate-pieces.ts'

const alphabet = Array.from({ length: 94 }, (_, at) => String.fromCharCode(33 + at))
  .filter((letter) => letter !== "'" && letter !== '\\')
  .join('')
const symbols = ' !"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~\n\r'
const listedWords = 4000
const longestGap = alphabet.length ** 2 - 1
const plain = { allowedSpecial: new Set<string>(), disallowedSpecial: new Set<string>() }

interface Row {
  readonly features: readonly (readonly [index: number, value: number])[]
  readonly target: number
  readonly weight: number
}

function countTokens(piece: string): number {
  return o200k.countTokens(piece, plain)
}

function vocabulary(): readonly string[] {
  const decoder = new TextDecoder('utf-8', { fatal: false })
  return Array.from({ length: 199_998 }, (_, token) => {
    const piece = o200k.decode([token])
    return typeof piece === 'string' ? piece : decoder.decode(piece)
  })
}

/** Every text file under the folders, up to a bound each, as pieces and how often they occur. */
function readPieces(roots: readonly string[]): Map<string, number> {
  const pieces = new Map<string, number>()
  for (const root of roots) {
    let left = 40_000_000
    for (const path of walk(root)) {
      if (left <= 0) break
      const bytes = readFileSync(path)
      const text = (path.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8')
      left -= text.length
      forEachPiece(text, (kind, start, _body, end) => {
        if ((kind !== 'word' && kind !== 'symbols') || end - start > 40) return
        const piece = text.slice(start, end)
        pieces.set(piece, (pieces.get(piece) ?? 0) + 1)
      })
    }
  }
  return pieces
}

function* walk(folder: string): Generator<string> {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) yield* walk(path)
    else if (
      entry.isFile() &&
      /\.(md|ts|mts|js|mjs|json|mo|gz)$/.test(entry.name) &&
      statSync(path).size < 400_000
    ) {
      yield path
    }
  }
}

const random = seeded(7)

function seeded(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below
  }
}

const pairs = 28 * 28
const forms = ['lower', 'capital', 'upper', 'mixed', 'bare', 'blank', 'joiner', 'other'] as const
const upperLetters = pairs + forms.length
const mixedLetters = upperLetters + 1

function wordRow(piece: string): Row | null {
  const match = /^([^\p{L}\p{N}]?)([A-Za-z]+)$/u.exec(piece)
  const word = match?.[2]
  if (match === null || word === undefined) return null
  const codes = [0, ...Array.from(word.toLowerCase(), (letter) => letter.charCodeAt(0) - 96), 27]
  const features: [number, number][] = codes
    .slice(1)
    .map((code, at) => [(codes[at] ?? 0) * 28 + code, 1])
  const capitals = word.replace(/[a-z]/g, '').length
  const form =
    capitals === 0
      ? 'lower'
      : capitals === 1
        ? 'capital'
        : capitals === word.length
          ? 'upper'
          : 'mixed'
  const before = match[1] ?? ''
  const prefix =
    before === ''
      ? 'bare'
      : before === ' '
        ? 'blank'
        : '_.(-\t'.includes(before)
          ? 'joiner'
          : 'other'
  features.push([pairs + forms.indexOf(form), 1], [pairs + forms.indexOf(prefix), 1])
  if (form === 'upper') features.push([upperLetters, word.length])
  if (form === 'mixed') features.push([mixedLetters, capitals])
  return { features, target: countTokens(piece), weight: 1 }
}

function randomWord(): string {
  const letters = Array.from({ length: 1 + random(16) }, () =>
    String.fromCharCode(97 + random(26)),
  ).join('')
  const form = random(3)
  const word =
    form === 0
      ? letters
      : form === 1
        ? letters.toUpperCase()
        : letters.charAt(0).toUpperCase() + letters.slice(1)
  return (['', ' ', '_', '"'][random(4)] ?? '') + word
}

function symbolRow(piece: string, weight: number): Row | null {
  const codes = Array.from(piece, (symbol) => symbols.indexOf(symbol))
  // Longer runs of one symbol have rules of their own.
  if (codes.length < 2 || codes.includes(-1) || /(.)\1\1\1/s.test(piece)) return null
  const features = codes
    .slice(1)
    .map((code, at) => [(codes[at] ?? 0) * symbols.length + code, 1] as const)
  return { features, target: countTokens(piece) - 1, weight }
}

function randomSymbols(): string {
  const length = 2 + random(8)
  return Array.from({ length }, () => symbols.charAt(1 + random(symbols.length - 3))).join('')
}

/** Weighted least squares with a small pull to `prior`, by Gaussian elimination. */
function leastSquares(
  rows: readonly Row[],
  size: number,
  prior: number,
  pull: number,
): Float64Array {
  const matrix = Array.from({ length: size }, () => new Float64Array(size + 1))
  for (const { features, target, weight } of rows) {
    for (const [row, value] of features) {
      const line = matrix[row]
      if (line === undefined) continue
      for (const [column, other] of features)
        line[column] = (line[column] ?? 0) + weight * value * other
      line[size] = (line[size] ?? 0) + weight * value * target
    }
  }
  matrix.forEach((line, row) => {
    line[row] = (line[row] ?? 0) + pull
    line[size] = (line[size] ?? 0) + pull * prior
  })
  return solve(matrix, size)
}

function solve(matrix: readonly Float64Array[], size: number): Float64Array {
  for (let row = 0; row < size; row += 1) {
    const line = matrix[row] ?? new Float64Array()
    for (let below = row + 1; below < size; below += 1) {
      const other = matrix[below] ?? new Float64Array()
      const factor = (other[row] ?? 0) / (line[row] ?? 1)
      if (factor === 0) continue
      for (let column = row; column <= size; column += 1) {
        other[column] = (other[column] ?? 0) - factor * (line[column] ?? 0)
      }
    }
  }
  const solution = new Float64Array(size)
  for (let row = size - 1; row >= 0; row -= 1) {
    const line = matrix[row] ?? new Float64Array()
    let rest = line[size] ?? 0
    for (let column = row + 1; column < size; column += 1) {
      rest -= (line[column] ?? 0) * (solution[column] ?? 0)
    }
    solution[row] = rest / (line[row] ?? 1)
  }
  return solution
}

/** Weights from -0.3 to 1.52 in steps of 0.02, a letter each. */
function packWeights(weights: Float64Array): string {
  return Array.from(weights, (weight) => {
    const level = Math.round((weight + 0.3) / 0.02)
    return alphabet.charAt(Math.max(0, Math.min(alphabet.length - 1, level)))
  }).join('')
}

/** Rising numbers as the gaps between them, `letters` letters of the alphabet each. */
function packGaps(numbers: readonly number[], letters: 1 | 2): string {
  const largest = letters === 1 ? alphabet.length - 1 : longestGap
  let before = -1
  let packed = ''
  for (const number of numbers) {
    let gap = number - before
    before = number
    for (; gap >= largest; gap -= largest) packed += packNumber(largest, letters)
    packed += packNumber(gap, letters)
  }
  return packed
}

function packNumber(number: number, letters: 1 | 2): string {
  const low = alphabet.charAt(number % alphabet.length)
  return letters === 1 ? low : alphabet.charAt(Math.floor(number / alphabet.length)) + low
}

function hashOf(word: string): number {
  let hash = 0x811c9dc5 | 0
  for (const letter of word) hash = Math.imul(hash ^ letter.charCodeAt(0), 0x01000193)
  return (hash ^ (hash >>> 12)) & 0x7fffff
}

function lonely(tokens: readonly string[], from: number, to: number): number[] {
  return tokens
    .filter((token) => token.length === 1)
    .map((token) => token.charCodeAt(0) - from)
    .filter((place) => place >= 0 && place < to - from)
    .sort((a, b) => a - b)
}

function literal(packed: string): string {
  return `\n  '${(packed.match(/.{1,94}/gs) ?? []).join("' +\n  '")}'`
}

const tokens = vocabulary()
const words = tokens.filter((token) => /^ [a-z]{3,}$/.test(token)).slice(0, listedWords)
const listed = new Set(words.map((word) => word.trim()))
const pieces = readPieces(process.argv.slice(2))

const wordRows = [...pieces.keys(), ...Array.from({ length: 40_000 }, randomWord)]
  .filter((piece) => !listed.has(piece.replace(/^[^\p{L}]/u, '').toLowerCase()))
  .map(wordRow)
  .filter((row) => row !== null)
const wordWeights = leastSquares(wordRows, mixedLetters + 1, 0, 4)
console.error(wordRows.length, 'words')
for (const [at, form] of [...forms, 'each upper letter', 'each mixed capital'].entries()) {
  console.error(form, wordWeights[pairs + at]?.toFixed(3))
}

const symbolRows = [
  ...[...pieces].map(([piece, sights]) => symbolRow(piece, Math.min(sights, 20_000) ** 0.75)),
  ...Array.from({ length: 8_000 }, () => symbolRow(randomSymbols(), 1)),
].filter((row) => row !== null)
console.error(symbolRows.length, 'symbol runs')

const tables = {
  letterPairs: packWeights(wordWeights.slice(0, pairs)),
  symbolPairs: packWeights(leastSquares(symbolRows, symbols.length ** 2, 0.5, 0.3)),
  commonWords: packGaps(
    [...new Set([...listed].map(hashOf))].sort((a, b) => a - b),
    2,
  ),
  commonHan: packGaps(lonely(tokens, 0x4e00, 0xa000), 1),
  commonHangul: packGaps(lonely(tokens, 0xac00, 0xd7a4), 1),
}
const path = 'packages/throughline/src/tokenizers/estimate-tables.ts'
writeFileSync(
  path,
  `/**
 * The estimator's tables, made by \`scripts/make-estimate-table.ts\`; do not edit.
 * Each is packed into letters of \`alphabet\` and read by \`estimate-letters.ts\`.
 */
export const alphabet =${literal(alphabet)}

/** Tokens that two neighbouring letters add: 28 x 28 of start, a to z, end. */
export const letterPairs =${literal(tables.letterPairs)}

/** Tokens that two neighbouring symbols add: each of \`pairedSymbols\` with each. */
export const symbolPairs =${literal(tables.symbolPairs)}

export const pairedSymbols =
  ${JSON.stringify(symbols).replace("'", "\\'").replace(/^"|"$/g, "'").replace('\\"', '"')}

/** Hashes of frequent words that are one token each, as gaps of two letters. */
export const commonWords =${literal(tables.commonWords)}

/** Han characters that are one token alone, as gaps from U+4E00. */
export const commonHan =${literal(tables.commonHan)}

/** Hangul syllables that are one token alone, as gaps from U+AC00. */
export const commonHangul =${literal(tables.commonHangul)}
`,
)
