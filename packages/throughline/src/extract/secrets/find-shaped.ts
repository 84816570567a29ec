/**
 * Secrets without a mark that are told by their shape as a whole.
 *
 * Every repetition in these patterns is bounded, and each begins with a character that is
 * rare, so that most places of a text are passed over. What comes before that character is
 * looked at only behind it.
 */
import { decodeBase64 } from './decode-base64.ts'
import type { Finder, Finding } from './finding.ts'
import { isVaried } from './looks-random.ts'
import { isPlaceholder } from './placeholder.ts'

interface Shape {
  readonly kind: string
  /** Stands in every match. */
  readonly needs: string
  /** Its group is what is taken out, or all of it where there is none. */
  readonly pattern: RegExp
  /** How the text before it ends, perhaps in an escape such as `\\n`; its group belongs to the secret. */
  readonly before?: RegExp
  readonly holds?: (secret: string) => boolean
}

const hexBefore = /(?:^|[^\w-]|\\[nrt])([0-9a-f]{32})$/

const shapes: readonly Shape[] = [
  {
    kind: 'Telegram token',
    needs: ':',
    pattern: /:[\w-]{35}(?![\w-])/g,
    before: /(?:^|[^\w.-]|\\[nrt])(?:bot)?(\d{8,10})$/,
  },
  {
    kind: 'Discord token',
    needs: '.',
    pattern: /\.[\w-]{6}\.[\w-]{27,38}(?![\w-])/g,
    before: /(?:^|[^\w.-]|\\[nrt])([MNO][\w-]{22,27})$/,
    holds: beginsWithNumber,
  },
  {
    kind: 'Mailgun key',
    needs: '-',
    pattern: /-[0-9a-f]{8}-[0-9a-f]{8}(?![\w-])/g,
    before: hexBefore,
  },
  {
    kind: 'Mailchimp key',
    needs: '-us',
    pattern: /-us\d{1,2}(?![\w-])/g,
    before: hexBefore,
  },
  {
    kind: 'Azure client secret',
    needs: 'Q~',
    pattern: /Q~[\w.~-]{31,34}(?![\w~-])/g,
    before: /(?:^|[^\w.~-]|\\[nrt])([\w.~-]{3}\d)$/,
  },
  {
    kind: 'Terraform token',
    needs: '.atlasv1.',
    pattern: /\.atlasv1\.[\w-]{60,70}(?![\w-])/g,
    before: /(?:^|[^\w-]|\\[nrt])([A-Za-z0-9]{14})$/,
  },
  {
    kind: 'Slack webhook',
    needs: 'hooks.slack.com/',
    pattern: /hooks\.slack\.com\/(?:services|workflows|triggers)\/([\w/+]{30,120})/g,
  },
  {
    kind: 'Discord webhook',
    needs: '.com/api/webhooks/',
    pattern: /discord(?:app)?\.com\/api\/webhooks\/(\d{15,20}\/[\w-]{60,80})/g,
  },
  {
    kind: 'Teams webhook',
    needs: '.webhook.office.com/',
    pattern: /\.webhook\.office\.com\/webhookb2\/([\w@/-]{60,250})/g,
  },
]

/** None of them has fewer characters in one run. */
const leastRun = 30

export const findShaped: Finder = ({ text, longRuns }) => {
  if (!longRuns.some(({ from, to }) => to - from >= leastRun)) return []
  return shapes.flatMap((shape) =>
    text.includes(shape.needs)
      ? [...text.matchAll(shape.pattern)].flatMap((match) => findingOf(text, shape, match) ?? [])
      : [],
  )
}

/** More than the part of any shape that stands before its pattern. */
const reach = 48

function findingOf(text: string, shape: Shape, match: RegExpExecArray): Finding | null {
  const { kind, before, holds } = shape
  const to = match.index + match[0].length
  const earlier = before?.exec(text.slice(Math.max(0, match.index - reach), match.index))
  if (earlier === null) return null
  const from = to - (match[1] ?? match[0]).length - (earlier?.[1]?.length ?? 0)
  const secret = text.slice(from, to)
  if (!isVaried(secret) || isPlaceholder(secret) || holds?.(secret) === false) return null
  return { from, to, kind, by: 'form' }
}

/** The first part of a Discord token is the number of its user. */
function beginsWithNumber(secret: string): boolean {
  return /^\d{15,20}$/.test(decodeBase64(secret.slice(0, secret.indexOf('.'))) ?? '')
}
