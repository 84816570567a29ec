/** Passwords in addresses: `scheme://user:password@host`. The address around them stays. */
import { alphabet, except } from './alphabet.ts'
import type { Finder, Finding } from './finding.ts'
import { looksRandom } from './looks-random.ts'
import { isPlaceholder } from './placeholder.ts'

/** All that can stand between the slashes and the path. */
const authority = except('/\\ \t\r\n"\'`<>|')
const schemes = alphabet('-A-Za-z0-9+.')

export const findAddresses: Finder = ({ text, runEnd }) => {
  const findings: Finding[] = []
  for (let at = text.indexOf('://'); at >= 0; at = text.indexOf('://', at + 3)) {
    const from = at + 3
    const to = Math.min(runEnd(authority, from), from + longest)
    const host = text.slice(from, to).lastIndexOf('@')
    const colon = text.slice(from, to).indexOf(':')
    if (host > 0 && (colon < 0 || colon > host)) {
      // A token may be all that there is before the host.
      if (looksRandom(text.slice(from, from + host)) && host >= 16)
        findings.push({ from, to: from + host, kind: 'token', by: 'place' })
      continue
    }
    if (colon < 0 || host - colon < 2) continue
    const password = text.slice(from + colon + 1, from + host)
    if (isPlaceholder(password) || commonPlaceholder.test(password)) continue
    const kind = kindOf(schemeBefore(text, at))
    findings.push({ from: from + colon + 1, to: from + host, kind, by: 'place' })
  }
  return findings
}

const longest = 1_024

/** The words that documentation puts there. */
const commonPlaceholder = /^(?:pass(?:word|wd)?|pwd|pw|secret|token|user(?:name)?|\d{1,5})$/i

function kindOf(scheme: string): string {
  return databases.test(scheme) ? 'database password' : 'password in an address'
}

const databases =
  /^(?:postgres|postgresql|mysql|mariadb|mongodb|redis|rediss|amqp|amqps|mssql|sqlserver|oracle|cockroachdb|clickhouse|neo4j|nats|bolt|cassandra)(?:\+|$)/i

function schemeBefore(text: string, end: number): string {
  let from = end
  while (from > 0 && end - from < 24 && schemes[text.charCodeAt(from - 1)] === 1) from -= 1
  return text.slice(from, end)
}
