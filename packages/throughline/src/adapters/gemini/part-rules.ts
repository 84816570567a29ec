/**
 * What the Gemini API wants of a single part: one field with data, of its role, and
 * complete. Kinds that we do not know pass; the service adds to them often.
 */
import type { RequestProblem } from '../../ports/adapter.ts'
import { isAnyBase64 } from '../base64.ts'
import { problemUnless } from '../problem-unless.ts'
import { type Fields, isFields, isFilled } from '../unknown-json.ts'
import { dataField } from './part-fields.ts'

type Problems = readonly RequestProblem[]
export type ContentRole = 'user' | 'model'

/** The shorter of the two lengths that Google's own references name. */
export const nameRule = { allowed: /^[a-zA-Z_][a-zA-Z0-9_.:-]*$/, lengthMax: 64 }

const ofModel: readonly string[] = ['functionCall', 'executableCode', 'codeExecutionResult']

export function partProblems(part: unknown, role: ContentRole, at: string): Problems {
  const field = isFields(part) ? dataField(part) : null
  if (!isFields(part) || field === null)
    return [{ rule: 'part-shape', at, message: 'must be an object with one field of data' }]
  const theirs = ofModel.includes(field) || part['thought'] === true
  if (role === 'user' ? theirs : field === 'functionResponse')
    return [{ rule: 'part-role', at, message: `cannot stand in a content of the ${role}` }]
  return [...signatureProblems(part, at), ...dataProblems(part, field, at)]
}

/** Whether it holds up against the part, only the service can tell. */
export function isSignature(value: unknown): value is string {
  return isFilled(value) && isAnyBase64(value)
}

function signatureProblems({ thought, thoughtSignature: signature }: Fields, at: string): Problems {
  return [
    ...problemUnless(
      signature === undefined || isSignature(signature),
      'signature',
      `${at}.thoughtSignature`,
      'must be base64',
    ),
    ...problemUnless(
      thought === undefined || typeof thought === 'boolean',
      'part-shape',
      `${at}.thought`,
      'must be true or false',
    ),
  ]
}

function dataProblems(part: Fields, field: string, at: string): Problems {
  const data = part[field]
  const place = `${at}.${field}`
  if (field === 'text') return textProblems(part, place)
  if (!isFields(data)) return [{ rule: 'part-shape', at: place, message: 'must be an object' }]
  switch (field) {
    case 'functionCall':
      return [
        ...namedProblems(data, 'call', place),
        ...problemUnless(
          data['args'] === undefined || isFields(data['args']),
          'call-args',
          `${place}.args`,
          'must be an object',
        ),
      ]
    case 'functionResponse':
      return [
        ...namedProblems(data, 'response', place),
        ...problemUnless(
          isFields(data['response']),
          'response-object',
          `${place}.response`,
          'must be an object',
        ),
        ...shownProblems(data['parts'], `${place}.parts`),
      ]
    case 'inlineData':
    case 'fileData':
      return mediaProblems(field, data, place)
    default:
      return []
  }
}

/** A signature may come on a part with no text: it is then all that the part is for. */
function textProblems({ text, thoughtSignature: signature }: Fields, at: string): Problems {
  if (typeof text !== 'string') return [{ rule: 'part-shape', at, message: 'must be text' }]
  return problemUnless(
    text !== '' || signature !== undefined,
    'text-empty',
    at,
    'must not be empty',
  )
}

function namedProblems({ id, name }: Fields, what: string, at: string): Problems {
  const { allowed, lengthMax } = nameRule
  return [
    ...problemUnless(id === undefined || isFilled(id), `${what}-id`, `${at}.id`, 'must be text'),
    ...problemUnless(
      isFilled(name) && name.length <= lengthMax && allowed.test(name),
      `${what}-name`,
      `${at}.name`,
      'must be 1 to 64 letters, digits, _ . : or -, and begin with a letter or _',
    ),
  ]
}

function shownProblems(parts: unknown, at: string): Problems {
  if (parts === undefined) return []
  if (!Array.isArray(parts)) return [{ rule: 'response-parts', at, message: 'must be a list' }]
  return parts.flatMap((part: unknown, index): Problems => {
    const place = `${at}[${index}]`
    if (isFields(part) && isMedia(part)) return partProblems(part, 'user', place)
    return [{ rule: 'response-parts', at: place, message: 'must be inlineData or fileData' }]
  })
}

function isMedia(part: Fields): boolean {
  const field = dataField(part)
  return field === 'inlineData' || field === 'fileData'
}

/** A part that may stand inside a response. */
export function isShownPart(part: Fields): boolean {
  return isMedia(part) && partProblems(part, 'user', '').length === 0
}

function mediaProblems(field: string, data: Fields, at: string): Problems {
  const { mimeType, data: bytes, fileUri } = data
  const typed = isFilled(mimeType) && /^[\w.+-]+\/[\w.+-]+(?:;[^\n]*)?$/.test(mimeType)
  const sound =
    field === 'inlineData'
      ? typed && isFilled(bytes) && isAnyBase64(bytes)
      : (typed || mimeType === undefined) && isFilled(fileUri)
  return problemUnless(sound, 'media', at, 'must have a type and base64 data, or an address')
}
