/**
 * Writes tokenizers/vocabulary-data.ts: the o200k vocabulary of `gpt-tokenizer` as fingerprints, for the
 * estimator, which works without that package. Run it again after a change to piece-hashes.ts
 * or the generations below.
 *
 *   npm exec -- node scripts/make-vocabulary.ts
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { extendHash, fingerprint } from '../packages/throughline/src/tokenizers/piece-hashes.ts'
import {
  gapLimit,
  lateGeneration,
  lateGenerations,
  packedDigits,
} from '../packages/throughline/src/tokenizers/vocabulary-filter.ts'

const source = fileURLToPath(import.meta.resolve('gpt-tokenizer/data/o200k_base.tiktoken'))
const target = new URL('../packages/throughline/src/tokenizers/vocabulary-data.ts', import.meta.url)

// The ranks at which generations start. Each is 1.4 times the previous one while that costs little
// (few tokens are early), then twice; all ranks from 65,536 form one generation, because merges that
// late seldom compete.
const early = Array.from({ length: 11 }, (_, step) => Math.round(256 * Math.SQRT2 ** step))
const firstRanks = [...early, 16_384, 32_768, 65_536]

// Omits later tokens, which are rare words and then count as two. Omitting merges can only raise a
// count, and makes accidental matches rarer.
const keptRanks = 160_000
const neededRanks = 4_096

/** Tokens in order of rank. The first 256 are single bytes, not merges. */
function mergedTokens(): readonly Buffer[] {
  return allTokens.slice(256, keptRanks)
}

const allTokens = readFileSync(source, 'utf8')
  .trim()
  .split('\n')
  .map((line) => Buffer.from(line.split(' ')[0] ?? '', 'base64'))

/** Digits form groups of up to three, each one token, so they need no lookup. */
function isDigits(token: Buffer): boolean {
  return /^[0-9]{2,3}$/.test(token.toString('latin1'))
}

function fingerprintOf(token: Buffer): number {
  return fingerprint(token.reduce(extendHash, 0))
}

/**
 * Sequences that a text may repeat thousands of times, so that an accidental match would matter: any two
 * bytes; every character and the parts of its encoding, alone and repeated.
 */
function* probes(): Iterable<Buffer> {
  for (let two = 0; two < 0x10000; two += 1) yield Buffer.from([two >> 8, two & 0xff])
  for (let code = 0x80; code < 0x110000; code += 1) {
    if (code >= 0xd800 && code < 0xe000) continue
    const character = Buffer.from(String.fromCodePoint(code))
    for (let end = 2; end <= character.length; end += 1) {
      for (let start = 0; start <= end - 2; start += 1) yield character.subarray(start, end)
    }
    const [twice, inside] = [Buffer.concat([character, character]), character.length - 1]
    for (let start = 0; start <= inside; start += 1) {
      for (let end = character.length + 1; end <= twice.length; end += 1) {
        if (code < 0x30000) yield twice.subarray(start, end)
      }
    }
    if (code < 0x30000) yield Buffer.concat([twice, twice])
  }
}

/**
 * Words that texts may repeat as often: each word of the vocabulary in three cases, with the characters
 * that precede words, and its derived forms.
 */
function* words(): Iterable<Buffer> {
  const found = new Set<string>()
  for (const token of allTokens) {
    const word = /^ ?([A-Za-z]{2,})$/.exec(token.toString('latin1'))?.[1]
    if (word !== undefined) found.add(word.toLowerCase())
  }
  for (const word of found) {
    for (const form of cases(word))
      for (const before of beforeWords) yield Buffer.from(before + form)
    for (const derived of [
      ...endings.map((end) => word + end),
      ...beginnings.map((begin) => begin + word),
    ])
      for (const form of cases(derived))
        for (const before of ['', ' ']) yield Buffer.from(before + form)
  }
}

const beforeWords = ['', ...' _-/.($"\'@#:[{<\t=`*']
const endings = ['s', 'es', 'ed', 'd', 'ing', 'er', 'ers', 'able', 'ly', 'ness', 'al', 'ion', 'ity']
const beginnings = ['non', 'un', 're', 'sub', 'pre', 'over', 'mis', 'de', 'in', 'trans', 'multi']

function cases(word: string): readonly string[] {
  return [word, word.charAt(0).toUpperCase() + word.slice(1), word.toUpperCase()]
}

/** Fingerprints of tokens that collide with something else; without the required early tokens. */
function ambiguous(): ReadonlySet<number> {
  const tokens = mergedTokens()
  const known = new Set(tokens.map((token) => token.toString('latin1')))
  const late = new Set(tokens.slice(neededRanks).map(fingerprintOf))
  const found = new Set<number>()
  for (const some of [probes(), words()])
    for (const probe of some) {
      const number = fingerprintOf(probe)
      if (late.has(number) && !known.has(probe.toString('latin1'))) found.add(number)
    }
  return found
}

/** Each fingerprint with its generation, ascending; an earlier token keeps a shared fingerprint. */
function keptFingerprints(): readonly (readonly [number, number])[] {
  const known = new Set(ambiguous())
  const found: [number, number][] = []
  mergedTokens().forEach((token, index) => {
    const number = fingerprintOf(token)
    if (isDigits(token) || known.has(number)) return
    known.add(number)
    found.push([number, firstRanks.findLastIndex((rank) => rank <= index + 256)])
  })
  return found.sort(([a], [b]) => a - b)
}

/** As `unpack` in vocabulary-filter.ts reads it. */
function pack(kept: readonly (readonly [number, number])[]): string {
  let last = -1
  return kept
    .map(([number, generation]) => {
      const gap = number - last - 1
      last = number
      if (gap >= gapLimit) throw new Error(`the gap before ${number} is too large`)
      const isLate = generation >= lateGeneration
      const quarter = isLate ? generation - lateGeneration : lateGenerations
      return `${digitsOf(quarter * gapLimit + gap)}${isLate ? '' : packedDigits[generation]}`
    })
    .join('')
}

function digitsOf(number: number): string {
  const base = packedDigits.length
  return [Math.floor(number / base / base), Math.floor(number / base) % base, number % base]
    .map((digit) => packedDigits[digit])
    .join('')
}

const kept = keptFingerprints()
const packed = pack(kept)
writeFileSync(
  target,
  `/**
 * Made by scripts/make-vocabulary.ts; not to be edited. The fingerprints of the
 * o200k vocabulary (piece-hashes.ts), packed as vocabulary-filter.ts reads them.
 */
export const packedFingerprints: string =
  '${packed}'
`,
)
console.log(`${packed.length} characters for ${kept.length} tokens`)
