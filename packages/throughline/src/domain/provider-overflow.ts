/**
 * Recognizes errors by which providers refuse a request as too long for the model.
 *
 * There is no common form: some providers have a code, most only words, and clients wrap it. So the
 * error is searched (causes, wrapped errors, the response's body, never the request, which may
 * quote anything) and matched with the providers' words. Similar errors (a rate limit on tokens, a
 * lost connection, a wrong key) are ruled out first: a smaller request would not help, and would
 * cost context.
 */
import { type Fields, parsedJson } from './json.ts'
import {
  limitWords,
  otherCodes,
  otherStatuses,
  otherWords,
  overflowCodes,
  overflowWords,
  requestWords,
} from './provider-overflow-data.ts'

/** The provider's figures; requested is all that it counted, reply included. */
export interface ProviderOverflow {
  readonly limitTokens: number | null
  readonly requestedTokens: number | null
}

/** Null for any other error. */
export function providerOverflow(error: unknown): ProviderOverflow | null {
  try {
    const errors = nestedErrors(error)
    if (errors.some(isOtherError) || !errors.some(isOverflow)) return null
    const texts = errors.flatMap((each) => each.texts)
    const limitTokens = tokenFigure(texts, limitPatterns)
    return { limitTokens, requestedTokens: requestedTokens(texts) }
  } catch {
    // An unreadable error is treated as another error.
    return null
  }
}

function isOtherError({ status, codes, texts }: ErrorDetails): boolean {
  if (codes.some((code) => overflowCodes.has(code))) return false
  return (
    (status !== null && otherStatuses.has(status)) ||
    codes.some((code) => otherCodes.test(code)) ||
    texts.some((text) => otherWords.test(text))
  )
}

function isOverflow({ codes, texts }: ErrorDetails): boolean {
  return (
    codes.some((code) => overflowCodes.has(code)) ||
    texts.some((text) => overflowWords.some((words) => words.test(text)))
  )
}

const limitPatterns = compile(limitWords)
const requestPatterns = compile(requestWords)

function compile(sources: readonly string[]): readonly RegExp[] {
  return sources.map((source) => new RegExp(source, 'i'))
}

/** Anthropic writes a sum of prompt and reply: `190000 + 20000 > 200000`. */
function requestedTokens(texts: readonly string[]): number | null {
  for (const text of texts) {
    const sum = /(\d+) ?\+ ?(\d+) ?> ?\d+/.exec(text)
    if (sum !== null) return Number(sum[1]) + Number(sum[2])
    const tokens = tokenFigure([text], requestPatterns)
    if (tokens !== null) return tokens
  }
  return null
}

/** Null where no known words have a number. */
function tokenFigure(texts: readonly string[], patterns: readonly RegExp[]): number | null {
  for (const text of texts) {
    for (const pattern of patterns) {
      const digits = pattern.exec(text)?.[1]?.replace(/[,_]/g, '')
      if (digits !== undefined && Number.isSafeInteger(Number(digits))) return Number(digits)
    }
  }
  return null
}

/** Status, codes and messages of one of the nested errors. */
export interface ErrorDetails {
  readonly status: number | null
  /** Values of `code`, `type` and `name`, in lower case. */
  readonly codes: readonly string[]
  readonly texts: readonly string[]
}

// Wrapped errors are few and short; an endless value ends here.
const maxErrors = 64
const maxListItems = 8
const maxTextLength = 4_000

/** The error and what it wraps, as far as it is about the response and not the request. */
export function nestedErrors(error: unknown): readonly ErrorDetails[] {
  const queue: unknown[] = [error]
  const seen = new Set<unknown>()
  const details: ErrorDetails[] = []
  while (queue.length > 0 && details.length < maxErrors) {
    const value = queue.shift()
    if (typeof value === 'string')
      details.push({ status: null, codes: [], texts: [cutText(value)] })
    if (typeof value !== 'object' || value === null || seen.has(value)) continue
    seen.add(value)
    if (Array.isArray(value)) queue.push(...value.slice(0, maxListItems))
    else {
      const fields = fieldsOf(value)
      details.push(errorDetails(fields))
      queue.push(...wrappedErrors(fields))
    }
  }
  return details
}

function errorDetails(fields: Fields): ErrorDetails {
  const status = [fields['statusCode'], fields['status'], fields['code']].find(isStatus) ?? null
  const codes = [fields['code'], fields['type'], fields['name'], fields['__type']]
  return {
    status,
    codes: codes.flatMap((code) => (typeof code === 'string' ? [code.toLowerCase()] : [])),
    texts: [fields['message'], fields['detail'], ...figuresIn(fields)].flatMap((text) =>
      typeof text === 'string' ? [cutText(text)] : [],
    ),
  }
}

function figuresIn(fields: Fields): readonly string[] {
  return ['n_prompt_tokens', 'n_ctx'].flatMap((name) =>
    typeof fields[name] === 'number' ? [`"${name}": ${fields[name]}`] : [],
  )
}

function wrappedErrors(fields: Fields): readonly unknown[] {
  const { cause, error, data, responseBody, body, response, lastError, errors, message } = fields
  // Of several attempts only the last counts: the causes of earlier ones may differ.
  const attempts =
    lastError !== undefined
      ? [lastError]
      : Array.isArray(errors)
        ? errors.slice(0, maxListItems)
        : []
  const bodies = [responseBody, body].map((text) => parseBody(text) ?? text)
  return [cause, error, data, response, ...bodies, ...attempts, parseBody(message)].filter(
    (value) => value !== undefined && value !== null,
  )
}

/** Some clients pass on the body of a response as text, or inside their message. */
function parseBody(value: unknown): unknown {
  if (typeof value !== 'string') return undefined
  const from = value.indexOf('{')
  if (from < 0 || value.length > maxTextLength * 4) return undefined
  return parsedJson(value.slice(from, value.lastIndexOf('}') + 1), undefined)
}

const fieldNames =
  'message detail code type name __type status statusCode cause error data responseBody body response lastError errors n_prompt_tokens n_ctx'.split(
    ' ',
  )

/** Reading a field of a foreign error may throw. */
function fieldsOf(value: object): Fields {
  const fields: Record<string, unknown> = {}
  for (const name of fieldNames)
    try {
      fields[name] = (value as Fields)[name]
    } catch {
      // Unreadable fields are skipped.
    }
  return fields
}

function isStatus(value: unknown): value is number {
  return typeof value === 'number' && value >= 100 && value < 600
}

function cutText(text: string): string {
  return text.slice(0, maxTextLength)
}
