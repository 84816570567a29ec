/**
 * Secrets in files and strings of one form, recognised by what is around them: `.netrc`, `.pgpass`,
 * `redis.conf`, connection strings. Every repetition in these patterns is bounded.
 */
import type { Finder } from './finding.ts'
import { isPlaceholder } from './placeholder.ts'

interface Place {
  /** Stands in every match. */
  readonly needs: string
  /** Its group is what is taken out. */
  readonly pattern: RegExp
}

const places: readonly Place[] = [
  {
    needs: 'machine',
    pattern:
      /(?<=^|\W|\\[nrt])machine\s{1,8}\S{1,128}\s{1,8}login\s{1,8}\S{1,64}\s{1,8}password[ \t]{1,8}(?<secret>[^\s"']{3,128})/dg,
  },
  {
    needs: ':5432:',
    pattern: /:5432:[\w*.-]{1,64}:[\w.@-]{1,64}:(?<secret>[^\s:"']{3,128})/dg,
  },
  {
    needs: 'requirepass',
    pattern: /(?:^|\n|\\n)[ \t]{0,4}requirepass[ \t]{1,4}"?(?<secret>[^\s"]{4,128})/dg,
  },
  { needs: '@tcp(', pattern: /:(?<secret>[^\s:@/"'`]{3,64})@tcp\(/dg },
  {
    needs: 'jdbc:oracle:thin:',
    pattern: /jdbc:oracle:thin:[\w$#]{1,64}\/"?(?<secret>[^\s@"]{3,64})"?@/dg,
  },
  {
    needs: 'SecureString',
    pattern: /SecureString\s{1,4}(?:-String\s{1,4})?["'](?<secret>[^"'\n]{3,200})["']/dg,
  },
  { needs: 'freerdp', pattern: /(?<=\s)\/p:"?(?<secret>[^\s"]{3,64})/dg },
]

export const findPlaced: Finder = ({ text }) =>
  places.flatMap(({ needs, pattern }) =>
    text.includes(needs)
      ? [...text.matchAll(pattern)].flatMap(({ indices }) => {
          const [from, to] = indices?.groups?.['secret'] ?? [0, 0]
          const secret = text.slice(from, to)
          const isKept = isPlaceholder(secret) || /^(?:pass(?:word)?|secret)$/i.test(secret)
          return isKept ? [] : [{ from, to, kind: 'password', by: 'place' as const }]
        })
      : [],
  )
