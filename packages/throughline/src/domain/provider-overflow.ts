/**
 * Recognizes errors by which providers refuse a request as too long for the model.
 *
 * There is no common form: some providers have a code, most only words, and clients wrap it. So the
 * error is searched (causes, wrapped errors, the response's body, never the request, which may
 * quote anything) and matched with the providers' words. Similar errors (a rate limit on tokens, a
 * lost connection, a wrong key) are ruled out first: a smaller request would not help, and would
 * cost context.
 */
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
    return overflowIn(nestedErrors(error))
  } catch {
    // An unreadable error is treated as another error.
    return null
  }
}

function overflowIn(errors: readonly ErrorDetails[]): ProviderOverflow | null {
  if (errors.some(isSomethingElse) || !errors.some(isOverflow)) return null
  const texts = errors.flatMap(({ texts }) => texts)
  return { limitTokens: tokenFigure(texts, limits), requestedTokens: tokenFigure(texts, requests) }
}

function isSomethingElse({ status, codes, texts }: ErrorDetails): boolean {
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

const limits = patterns(limitWords)
const requests = patterns(requestWords)

function patterns(sources: readonly string[]): readonly RegExp[] {
  return sources.map((source) => new RegExp(source, 'i'))
}

/** Null where no known words have a number, or where it is a sum that we cannot name. */
function tokenFigure(texts: readonly string[], known: readonly RegExp[]): number | null {
  for (const text of texts) {
    const sum = known === requests ? /(\d+) ?\+ ?(\d+) ?> ?\d+/.exec(text) : null
    if (sum !== null) return Number(sum[1]) + Number(sum[2])
    for (const pattern of known) {
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
const mostErrors = 64
const listMax = 8
const textLengthMax = 4_000

/** The error and what it wraps, as far as it is about the response and not the request. */
export function nestedErrors(error: unknown): readonly ErrorDetails[] {
  const open: unknown[] = [error]
  const seen = new Set<unknown>()
  const details: ErrorDetails[] = []
  while (open.length > 0 && details.length < mostErrors) {
    const value = open.shift()
    if (typeof value === 'string') details.push({ status: null, codes: [], texts: [short(value)] })
    if (typeof value !== 'object' || value === null || seen.has(value)) continue
    seen.add(value)
    if (Array.isArray(value)) open.push(...value.slice(0, listMax))
    else {
      const fields = fieldsOf(value)
      details.push(errorDetails(fields))
      open.push(...wrappedErrors(fields))
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
      typeof text === 'string' ? [short(text)] : [],
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
  const tries =
    lastError !== undefined ? [lastError] : Array.isArray(errors) ? errors.slice(0, listMax) : []
  const bodies = [responseBody, body].map((text) => parsed(text) ?? text)
  return [cause, error, data, response, ...bodies, ...tries, parsed(message)].filter(
    (value) => value !== undefined && value !== null,
  )
}

/** Some clients pass on the body of a response as text, or inside their message. */
function parsed(value: unknown): unknown {
  if (typeof value !== 'string') return undefined
  const from = value.indexOf('{')
  if (from < 0 || value.length > textLengthMax * 4) return undefined
  try {
    return JSON.parse(value.slice(from, value.lastIndexOf('}') + 1))
  } catch {
    return undefined
  }
}

type Fields = Readonly<Record<string, unknown>>

const names =
  'message detail code type name __type status statusCode cause error data responseBody body response lastError errors n_prompt_tokens n_ctx'.split(
    ' ',
  )

/** Reading a field of a foreign error may throw. */
function fieldsOf(value: object): Fields {
  const fields: Record<string, unknown> = {}
  for (const name of names)
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

function short(text: string): string {
  return text.slice(0, textLengthMax)
}
