/**
 * What was told of several turns, within a limit: each says less, and some are left out. What
 * users laid down stays longest, then what has numbers or names, then the newest; the first
 * says how it began.
 */
import { utterancesOf } from '../extract/utterances.ts'
import { characterCount, cutCharacters } from './characters.ts'
import { between } from './line-pieces.ts'

// With fewer words than that a sentence says nothing.
const leastCharacters = 24
/** No sentence has more than this share, but for the few words that each may have. */
const mostShare = 0.25
const fewWords = 48

export function fitTold(told: readonly string[], mostCharacters: number): readonly string[] {
  if (lengthOf(told) <= mostCharacters) return told
  const most = Math.max(fewWords, Math.floor(mostCharacters * mostShare))
  const kept = new Map<string, number>()
  let room = mostCharacters
  for (const { text, at } of byWorth(told.map(askedOnly), mostCharacters)) {
    if (room < leastCharacters) break
    const piece = cutCharacters(text, Math.min(most, room))
    if (kept.has(piece) || piece === '…') continue
    kept.set(piece, at)
    room -= characterCount(piece) + between.length
  }
  return [...kept].toSorted(([, one], [, other]) => one - other).map(([piece]) => piece)
}

function lengthOf(told: readonly string[]): number {
  return told.reduce((sum, text) => sum + characterCount(text) + between.length, -between.length)
}

/** That the user asked goes without saying; what was answered is said where there is room. */
function askedOnly(text: string): string {
  return text.replace(
    /^User asked: (.+?)(?:; assistant (?:answered|asked back|proposed, awaiting confirmation): .*)?$/su,
    '$1',
  )
}

interface Told {
  readonly text: string
  readonly at: number
}

function byWorth(told: readonly string[], mostCharacters: number): readonly Told[] {
  // Where there is room for little, it is for the newest.
  const isRoomy = mostCharacters >= 3 * leastCharacters
  return told
    .map((text, at) => ({ text, at, worth: at === 0 && isRoomy ? first : worthOf(text) }))
    .toSorted((one, other) => other.worth - one.worth || other.at - one.at)
}

const first = 3

function worthOf(text: string): number {
  if (utterancesOf(text, 'user').some(({ kind }) => lasting.has(kind))) return 2
  return /\p{N}|[\p{Ll},] \p{Lu}/u.test(text) ? 1 : 0
}

const lasting: ReadonlySet<string> = new Set(['constraint', 'preference', 'correction', 'decision'])
