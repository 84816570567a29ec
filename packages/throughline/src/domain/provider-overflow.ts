/**
 * Whether an error is a provider's word that a request was longer than its model takes.
 *
 * There is no common form for it: some say it by a code, most only in words, and clients
 * wrap it into errors of their own. So the error is looked through (causes, wrapped
 * errors, the body of the response, never the request, which may quote anything) and held
 * against the words of the providers. What looks alike and is not (a rate limit that
 * speaks of tokens, a lost connection, a wrong key) is ruled out first, since a smaller
 * request would not help there and would cost part of the context for nothing.
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

/** The figures that the provider reports; requested is all that it counted, reply included. */
export interface ProviderOverflow {
  readonly limitTokens: number | null
  readonly requestedTokens: number | null
}

/** Null where the error is anything else. */
export function providerOverflow(error: unknown): ProviderOverflow | null {
  try {
    return overflowIn(utterancesOf(error))
  } catch {
    // An error that cannot be read says nothing.
    return null
  }
}

function overflowIn(said: readonly Utterance[]): ProviderOverflow | null {
  if (said.some(isSomethingElse) || !said.some(isOverflow)) return null
  const texts = said.flatMap(({ texts }) => texts)
  return { limitTokens: figure(texts, limits), requestedTokens: figure(texts, requests) }
}

function isSomethingElse({ status, codes, texts }: Utterance): boolean {
  if (codes.some((code) => overflowCodes.has(code))) return false
  return (
    (status !== null && otherStatuses.has(status)) ||
    codes.some((code) => otherCodes.test(code)) ||
    texts.some((text) => otherWords.test(text))
  )
}

function isOverflow({ codes, texts }: Utterance): boolean {
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

/** Null where no words with a number are known, or where it is a sum that we cannot name. */
function figure(texts: readonly string[], known: readonly RegExp[]): number | null {
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

/** What one of the nested errors says. */
export interface Utterance {
  readonly status: number | null
  /** Values of `code`, `type` and `name`, in lower case. */
  readonly codes: readonly string[]
  readonly texts: readonly string[]
}

// Wrapped errors are few and short; a value that is made to be endless ends here.
const mostErrors = 64
const listMax = 8
const textLengthMax = 4_000

/** The error and what it wraps, as far as it speaks of the answer and not of the request. */
export function utterancesOf(error: unknown): readonly Utterance[] {
  const open: unknown[] = [error]
  const seen = new Set<unknown>()
  const said: Utterance[] = []
  while (open.length > 0 && said.length < mostErrors) {
    const value = open.shift()
    if (typeof value === 'string') said.push({ status: null, codes: [], texts: [short(value)] })
    if (typeof value !== 'object' || value === null || seen.has(value)) continue
    seen.add(value)
    if (Array.isArray(value)) open.push(...value.slice(0, listMax))
    else {
      const fields = fieldsOf(value)
      said.push(utteranceOf(fields))
      open.push(...inside(fields))
    }
  }
  return said
}

function utteranceOf(fields: Fields): Utterance {
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

/** Figures in fields of their own. */
function figuresIn(fields: Fields): readonly string[] {
  return ['n_prompt_tokens', 'n_ctx'].flatMap((name) =>
    typeof fields[name] === 'number' ? [`"${name}": ${fields[name]}`] : [],
  )
}

function inside(fields: Fields): readonly unknown[] {
  const { cause, error, data, responseBody, body, response, lastError, errors, message } = fields
  // Of several attempts the last one counts: a lost connection before it says nothing.
  const tries =
    lastError !== undefined ? [lastError] : Array.isArray(errors) ? errors.slice(0, listMax) : []
  const bodies = [responseBody, body].map((text) => parsed(text) ?? text)
  return [cause, error, data, response, ...bodies, ...tries, parsed(message)].filter(
    (value) => value !== undefined && value !== null,
  )
}

/** Some clients hand on the body of a response as a text, or inside their message. */
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

/** Fields of somebody else's error: reading one may throw. */
function fieldsOf(value: object): Fields {
  const fields: Record<string, unknown> = {}
  for (const name of names)
    try {
      fields[name] = (value as Fields)[name]
    } catch {
      // A field that cannot be read says nothing.
    }
  return fields
}

function isStatus(value: unknown): value is number {
  return typeof value === 'number' && value >= 100 && value < 600
}

function short(text: string): string {
  return text.slice(0, textLengthMax)
}
