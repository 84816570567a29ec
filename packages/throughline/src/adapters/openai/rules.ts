/** Rules that both of OpenAI's formats share. Each says what is wrong and where. */
import type { RequestProblem } from '../../ports/adapter.ts'
import { isBase64 } from '../base64.ts'
import { type Fields, fieldsOf, isFilled } from '../unknown-json.ts'
import { flawsIn, placesIn } from '../well-formed.ts'
import { base64In, isPicture } from './media.ts'
import { functionNameMax, functionNamePattern } from './tools.ts'

/** The longest text that is taken in one field. */
const textLengthMax = 10_485_760
const toolsMax = 128

export function problem(rule: string, at: string, message: string): RequestProblem {
  return { rule, at, message }
}

/** What is refused anywhere: half surrogate pairs, bottomless nesting, endless text. */
export function* valueProblems(body: unknown): Generator<RequestProblem> {
  yield* flawsIn(body)
  for (const { value, at } of placesIn(body))
    if (typeof value === 'string' && value.length > textLengthMax && !isFileText(value, at))
      yield problem('text-length', at, `is longer than ${textLengthMax}`)
}

/** Bytes of files have limits of their own. */
function isFileText(text: string, at: string): boolean {
  return text.startsWith('data:') || at.endsWith('.data')
}

export function* functionNameProblems(name: unknown, at: string): Generator<RequestProblem> {
  if (typeof name !== 'string' || !functionNamePattern.test(name) || name.length > functionNameMax)
    yield problem(
      'function-name',
      at,
      `must be 1 to ${functionNameMax} letters, digits, _ and -, got ${JSON.stringify(name)}`,
    )
}

export function* callIdProblems(
  id: unknown,
  at: string,
  lengthMax: number,
): Generator<RequestProblem> {
  if (typeof id !== 'string' || id === '' || id.length > lengthMax)
    yield problem('call-id', at, `must be text of 1 to ${lengthMax} characters`)
}

/** An address of a picture: on the web, or its bytes. */
export function* pictureProblems(url: unknown, at: string): Generator<RequestProblem> {
  if (typeof url !== 'string' || url === '') {
    yield problem('picture', at, 'must be an address or a data URL')
    return
  }
  if (base64In(url) === null) return
  const mediaType = url.slice('data:'.length, url.search(/[;,]/))
  if (!isPicture(mediaType))
    yield problem('media-type', at, 'must be a PNG, JPEG, GIF or WebP picture')
  yield* base64Problems(base64In(url), at)
}

function* base64Problems(data: unknown, at: string): Generator<RequestProblem> {
  if (!isFilled(data) || !isBase64(data))
    yield problem('base64', at, 'must be base64, padded and not empty')
}

/** The bytes of a document, as a data URL. */
export function* documentProblems(data: unknown, at: string): Generator<RequestProblem> {
  if (typeof data !== 'string') yield problem('file', at, 'must be a data URL')
  else yield* base64Problems(base64In(data) ?? data, at)
}

export function* audioProblems(audio: unknown, at: string): Generator<RequestProblem> {
  const fields = fieldsOf(audio)
  if (fields === null) {
    yield problem('audio', at, 'must hold data and a format')
    return
  }
  if (fields['format'] !== 'wav' && fields['format'] !== 'mp3')
    yield problem('audio', `${at}.format`, 'must be wav or mp3')
  yield* base64Problems(fields['data'], `${at}.data`)
}

/** `each` has the rules for one tool. */
export function* toolsProblems(
  tools: unknown,
  each: (tool: Fields, at: string) => Iterable<RequestProblem>,
): Generator<RequestProblem> {
  if (tools === undefined) return
  if (!Array.isArray(tools) || tools.length === 0) {
    yield problem('tools', 'tools', 'must be an array that is not empty, or be left out')
    return
  }
  if (tools.length > toolsMax) yield problem('tools', 'tools', `must be at most ${toolsMax}`)
  for (const [index, tool] of tools.entries()) {
    const fields = fieldsOf(tool)
    if (fields === null) yield problem('tool', `tools[${index}]`, 'must be an object')
    else yield* each(fields, `tools[${index}]`)
  }
}

const refusedKeywords = ['oneOf', 'anyOf', 'allOf', 'enum', 'not']

/** `parameters` of a function: a schema of an object, told as one at its top. */
export function* schemaProblems(schema: unknown, at: string): Generator<RequestProblem> {
  if (schema === undefined || schema === null) return
  const fields = fieldsOf(schema)
  if (fields === null || fields['type'] !== 'object') {
    yield problem('tool-schema', at, 'must be a JSON schema whose type is object')
    return
  }
  if (fieldsOf(fields['properties']) === null)
    yield problem('tool-schema', at, 'must have properties')
  const refused = refusedKeywords.filter((keyword) => fields[keyword] !== undefined)
  if (refused.length > 0)
    yield problem('tool-schema', at, `must not have ${refused.join(', ')} at its top`)
}
