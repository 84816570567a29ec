/**
 * Texts of every kind that is hard on somebody: scripts without spaces, characters of
 * several code points, halves of them, what JSON has to escape, and what looks like markup.
 */
import type { Chance } from '../kernel/chance.ts'

const words = ['the', 'order', 'of', 'invoice', 'ships', 'today', 'not', 'until', 'Berlin', '4.20']
const family = '👩‍👩‍👧‍👦'
const flag = '🏴󠁧󠁢󠁥󠁮󠁧󠁿'

type Make = (chance: Chance, length: number) => string

const makers: readonly [Make, ...Make[]] = [
  plainWords,
  plainWords,
  plainWords,
  plainWords,
  (chance, length) => filled(length, () => String.fromCodePoint(chance.between(0x4e00, 0x9fa5))),
  (chance, length) => filled(length, () => chance.pick([family, flag, '👍🏽', '☃️', 'é', ' '])),
  // Halves of surrogate pairs, alone and in the wrong order.
  (chance, length) =>
    filled(length, () => chance.pick(['\ud83d', '\ude00', '\ude00\ud83d', 'half ', '😀', '.'])),
  base64,
  (chance, length) => filled(length, () => String.fromCharCode(chance.below(0x20))),
  (chance, length) => filled(length, () => chance.pick(['\u0000', 'a', '\u007f', '\u001b[31m'])),
  (chance, length) => filled(length, () => chance.pick(['"', '\\', '\n', '\\"', "'", '\t'])),
  (chance, length) => filled(length, () => chance.pick(['"', '\\', '\n'])),
  (chance, length) =>
    filled(length, () =>
      chance.pick(['<a href="x">', '</a>', '<system>', '<|endoftext|>', 'text ']),
    ),
  (chance, length) =>
    filled(length, () => chance.pick(['\u2028', '\ufeff', '\u200b', '\u202e', 'x'])),
  (chance, length) =>
    filled(length, () => chance.pick(['{"k":', '[1,2]', '\\ud800', '}', 'null '])),
  (_, length) => 'a'.repeat(length),
  (_, length) => ' '.repeat(length),
  (chance, length) => filled(length, () => `${chance.below(1_000_000)},`),
]

/** A text of about so many characters. */
export function randomText(chance: Chance, length: number): string {
  return chance.pick(makers)(chance, length)
}

/** Mostly short, now and then empty, rarely some pages long. */
export function anyText(chance: Chance): string {
  return randomText(chance, anyLength(chance))
}

export function anyLength(chance: Chance): number {
  if (chance.once(25)) return 0
  if (chance.once(80)) return chance.between(2_000, 9_000)
  return chance.once(8) ? chance.between(200, 1_000) : chance.between(1, 120)
}

export function plainWords(chance: Chance, length: number): string {
  return filled(length, () => `${chance.pick(['the', ...words])}${chance.once(12) ? '.\n' : ' '}`)
}

export function base64(chance: Chance, length: number): string {
  const digits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'
  return filled(length, () => digits.charAt(chance.below(64)))
}

function filled(length: number, next: () => string): string {
  const pieces: string[] = []
  for (let made = 0; made < length; ) {
    const piece = next()
    pieces.push(piece)
    made += piece.length
  }
  return pieces.join('')
}
