/** Finds private keys (PEM, OpenSSH, PGP, PuTTY), also cut ones. A first line alone is no key. */
import { decodeBase64 } from './checksums.ts'
import {
  alphabet,
  alphabets,
  beginsWord,
  type Finder,
  type Finding,
  type ScannedText,
} from './secret-text.ts'

const { base64 } = alphabets

export const findPrivateKeys: Finder = (scanned) => {
  const signs = ['PRIVATE KEY', 'Private-Lines: ', encodedOpening]
  if (!signs.some((sign) => scanned.text.includes(sign))) return []
  return [...blocks(scanned), ...puttyKeys(scanned), ...encodedBlocks(scanned)]
}

/** `-----BEGIN ` in base64, as in cluster secrets and variables. */
const encodedOpening = 'LS0tLS1CRUdJTi'

function* encodedBlocks({ text, runEnd }: ScannedText): Generator<Finding> {
  for (let from = text.indexOf(encodedOpening); from >= 0; ) {
    const to = runEnd(base64, from)
    const decoded = decodeBase64(text.slice(from, Math.min(to, from + 64))) ?? ''
    if (decoded.includes('PRIVATE KEY')) yield { from, to, kind: 'private key', by: 'form' }
    from = text.indexOf(encodedOpening, to)
  }
}

const dashes = '-----'
const opening = /-----BEGIN (?<kind>[A-Z0-9 ]{0,30})PRIVATE KEY(?: BLOCK)?-----/g
const closing = /^-----END [A-Z0-9 ]{0,48}-----/

/** Characters of a key, with line breaks as JSON or a shell escapes them. */
const keyText = alphabet('A-Za-z0-9+/= \t\r\n\\"\'')

function* blocks({ text, runEnd }: ScannedText): Generator<Finding> {
  for (const match of text.matchAll(opening)) {
    const from = match.index
    const bodyFrom = from + match[0].length
    const dashesAt = text.indexOf(dashes, bodyFrom)
    const isClosed = dashesAt >= 0 && closing.test(text.slice(dashesAt, dashesAt + 60))
    const bodyTo = isClosed ? dashesAt : runEnd(keyText, bodyFrom)
    // Headers and comments may come before the key.
    if (!/[A-Za-z0-9+/]{40}/.test(text.slice(bodyFrom, bodyTo))) continue
    const end = isClosed ? text.indexOf(dashes, dashesAt + dashes.length) + dashes.length : bodyTo
    const kind = match.groups?.['kind'] === 'OPENSSH ' ? 'SSH private key' : 'private key'
    yield { from, to: isClosed ? end : trimmed(text, bodyTo), kind, by: 'form' }
  }
}

function trimmed(text: string, end: number): number {
  let to = end
  while (/[\s"'\\]/.test(text[to - 1] ?? '')) to -= 1
  return to
}

function* puttyKeys({ text, runEnd }: ScannedText): Generator<Finding> {
  for (const { index, 0: line } of text.matchAll(/Private-Lines: \d{1,3}\r?\n/g)) {
    const from = index + line.length
    let to = from
    for (let next = runEnd(base64, to); next > to; next = runEnd(base64, to)) {
      to = next
      const rest = /^\r?\n(?=[A-Za-z0-9+/=]+\r?(?:\n|$))/.exec(text.slice(to, to + 80))
      if (rest === null) break
      to += rest[0].length
    }
    if (to - from > 40 && beginsWord(text, from))
      yield { from, to, kind: 'SSH private key', by: 'form' }
  }
}
