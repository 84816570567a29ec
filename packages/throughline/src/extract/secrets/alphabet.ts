/**
 * Sets of characters, and where a run of them ends.
 *
 * Secrets are found by walking over runs of characters, not by patterns that can go back:
 * a run is walked once, whatever text it stands in.
 */

/** One flag for each ASCII character, and a last one for all others. */
export type Alphabet = Uint8Array

/** Where the flag for all characters beyond ASCII stands. */
export const others = 128

/** Of single characters and of ranges such as `a-z`; a hyphen that means itself comes first. */
export function alphabet(members: string): Alphabet {
  const flags = new Uint8Array(others + 1)
  for (let at = 0; at < members.length; at += 1) {
    const first = members.charCodeAt(at)
    const isRange = members[at + 1] === '-' && at + 2 < members.length
    const last = isRange ? members.charCodeAt(at + 2) : first
    flags.fill(1, first, last + 1)
    if (isRange) at += 2
  }
  return flags
}

/** Everything else, characters beyond ASCII included. */
export function except(members: string): Alphabet {
  return alphabet(members).map((flag) => 1 - flag)
}

export function has(members: Alphabet, code: number): boolean {
  return members[code < others ? code : others] === 1
}

export const lowerHex: Alphabet = alphabet('0-9a-f')
export const hex: Alphabet = alphabet('0-9a-fA-F')
export const capitals: Alphabet = alphabet('A-Z0-9')
export const letters: Alphabet = alphabet('A-Za-z0-9')
export const words: Alphabet = alphabet('A-Za-z0-9_')
export const names: Alphabet = alphabet('-A-Za-z0-9_')
export const dotted: Alphabet = alphabet('-A-Za-z0-9_.')
export const base64: Alphabet = alphabet('A-Za-z0-9+/=')
export const credentials: Alphabet = alphabet('-A-Za-z0-9_.~+/=')
