/**
 * What an error of somebody else says, through everything that it wraps: causes, errors of
 * several attempts, the body of the response. What was sent is not looked at, since it
 * may quote anything.
 */

/** What one of the nested errors says. */
export interface Utterance {
  readonly status: number | null
  /** Values of `code`, `type` and `name`, in lower case. */
  readonly codes: readonly string[]
  readonly texts: readonly string[]
}

// Wrapped errors are few and short; a value that is made to be endless ends here.
const sayingsMax = 64
const listMax = 8
const textLengthMax = 4_000

/** The error and what it wraps, as far as it speaks of the answer and not of the request. */
export function utterancesOf(error: unknown): readonly Utterance[] {
  const open: unknown[] = [error]
  const seen = new Set<unknown>()
  const said: Utterance[] = []
  while (open.length > 0 && said.length < sayingsMax) {
    const value = open.shift()
    if (typeof value === 'string') said.push({ status: null, codes: [], texts: [short(value)] })
    if (typeof value !== 'object' || value === null || seen.has(value)) continue
    seen.add(value)
    if (Array.isArray(value)) open.push(...value.slice(0, listMax))
    else {
      const fields = fieldsOf(value)
      said.push(sayingOf(fields))
      open.push(...inside(fields))
    }
  }
  return said
}

function sayingOf(fields: Fields): Utterance {
  const status = [fields['statusCode'], fields['status'], fields['code']].find(isStatus) ?? null
  const codes = [fields['code'], fields['type'], fields['name'], fields['__type']]
  return {
    status,
    codes: codes.flatMap((code) => (typeof code === 'string' ? [code.toLowerCase()] : [])),
    texts: [fields['message'], fields['detail'], ...told(fields)].flatMap((text) =>
      typeof text === 'string' ? [short(text)] : [],
    ),
  }
}

/** Figures that stand beside the words. */
function told(fields: Fields): readonly string[] {
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
