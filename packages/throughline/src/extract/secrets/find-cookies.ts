/** Values of cookies that hold a session: by their name, or because chance made them. */
import { except, names } from './alphabet.ts'
import type { Finder, Finding } from './finding.ts'
import { isVaried, looksRandom } from './looks-random.ts'
import { isPlaceholder } from './placeholder.ts'
import type { ScannedText } from './scanned-text.ts'

const opening =
  /(?:(?<![\w-])|(?<=\\[nrt]))(?:--cookie|-b|(?:set-)?cookie)(?:\\?["'] {0,2})?[:=, ][ \t]{0,4}\\?["']?(?=[\w.-])/gi
/** A look that is quick, because it does not look back. */
const promising = /cookie|-b/i
const nameText = names.with('.'.charCodeAt(0), 1)
const valueText = except(' \t\r\n"\'`;,\\')

export const findCookies: Finder = (scanned) => {
  const { text } = scanned
  if (!promising.test(text)) return []
  const findings: Finding[] = []
  let done = 0
  for (const { index, 0: words } of text.matchAll(opening)) {
    if (index < done) continue
    done = readPairs(scanned, index + words.length, findings)
  }
  return findings
}

/** Where the cookies end; what was found is added. */
function readPairs({ text, runEnd }: ScannedText, start: number, findings: Finding[]): number {
  let at = start
  for (;;) {
    const nameEnd = runEnd(nameText, at)
    if (nameEnd === at || text[nameEnd] !== '=') return nameEnd
    const from = nameEnd + 1
    const to = runEnd(valueText, from)
    if (holdsSession(text.slice(at, Math.min(nameEnd, at + 80)), text.slice(from, to)))
      findings.push({ from, to, kind: 'session cookie', by: 'place' })
    if (text[to] !== ';') return to
    at = to + 1
    while (text[at] === ' ') at += 1
  }
}

function holdsSession(name: string, value: string): boolean {
  if (isPlaceholder(value)) return false
  if (sessionName.test(name)) return value.length >= 8 && isVaried(value)
  return value.length >= 20 && looksRandom(value)
}

const sessionName = /sess|sid$|^sid|token|auth|jwt|csrf|xsrf|remember|login|identity|\.id$|ticket/i
