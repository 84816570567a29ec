/** Rules that both OpenAI formats share. */
import { isBase64 } from '../media.ts'
import {
  type Check,
  checkEach,
  checkObject,
  type FieldsCheck,
  matchesNameRule,
  must,
  problemsOf,
  type Report,
} from '../rules.ts'
import { type Fields, fieldsOf, isFilled } from '../unknown-json.ts'
import { commonProblems, valuesIn } from '../well-formed.ts'
import { base64In, isImage } from './content.ts'
import { functionNameRule } from './tools.ts'

const maxTextLength = 10_485_760

/** Problems that are refused anywhere come first: lone surrogates, deep nesting, very long text. */
export function requestProblems(body: Fields, check: (report: Report) => void) {
  const problems = problemsOf((report) => {
    for (const { value, at } of valuesIn(body)) {
      if (typeof value !== 'string' || value.length <= maxTextLength) continue
      // Bytes of files have their own limits.
      if (!value.startsWith('data:') && !at.endsWith('.data'))
        report('text-length', at, `is longer than ${maxTextLength}`)
    }
    check(report)
  })
  return [...commonProblems(body), ...problems]
}

export interface PartRules {
  /** The part types that are allowed. */
  readonly types: readonly string[]
  /** The beginning of a problem's message, such as "of role user ". */
  readonly errorPrefix?: string
}

export function checkContent(content: unknown, rules: PartRules, at: string, report: Report): void {
  if (typeof content === 'string') return
  if (!Array.isArray(content)) report('content', at, 'must be text or parts')
  else if (content.length === 0) report('content', at, 'must not be an empty array')
  else checkEach(content, checkPart(rules), at, report)
}

export function checkPart({ types, errorPrefix = '' }: PartRules): Check {
  return (part, at, report) => {
    const fields = fieldsOf(part)
    const type = fields?.['type']
    if (fields === null || typeof type !== 'string' || !types.includes(type))
      report('part', at, `${errorPrefix}must be one of ${types.join(', ')}`)
    else partChecks[type]?.(fields, at, report)
  }
}

function partField(field: string, check: Check): FieldsCheck {
  return (part, at, report) => check(part[field], `${at}.${field}`, report)
}

const partText = must('part', 'must be text', (value) => typeof value === 'string')

/** Accepts a web URL or a data URL. */
function checkImage(url: unknown, at: string, report: Report) {
  if (!isFilled(url)) return report('picture', at, 'must be an address or a data URL')
  const data = base64In(url)
  if (data === null) return
  const mediaType = url.slice('data:'.length, url.search(/[;,]/))
  if (!isImage(mediaType)) report('media-type', at, 'must be a PNG, JPEG, GIF or WebP image')
  checkBase64(data, at, report)
}

const isFilledBase64 = (data: unknown) => isFilled(data) && isBase64(data)
const checkBase64 = must('base64', 'must be base64, padded and not empty', isFilledBase64)

function checkDocument(data: unknown, at: string, report: Report): void {
  if (typeof data !== 'string') report('file', at, 'must be a data URL')
  else checkBase64(base64In(data) ?? data, at, report)
}

function checkAudio(audio: unknown, at: string, report: Report) {
  const fields = fieldsOf(audio)
  if (fields === null) return report('audio', at, 'must hold data and a format')
  if (fields['format'] !== 'wav' && fields['format'] !== 'mp3')
    report('audio', `${at}.format`, 'must be wav or mp3')
  checkBase64(fields['data'], `${at}.data`, report)
}

const partChecks: Readonly<Record<string, FieldsCheck>> = {
  text: partField('text', partText),
  input_text: partField('text', partText),
  output_text: partField('text', partText),
  refusal: partField('refusal', partText),
  input_audio: partField('input_audio', checkAudio),
  image_url: partField('image_url', (image, at, report) =>
    checkImage(fieldsOf(image)?.['url'], `${at}.url`, report),
  ),
  input_image: ({ file_id, image_url }, at, report) => {
    if (typeof file_id !== 'string') checkImage(image_url, `${at}.image_url`, report)
  },
  file: partField('file', (value, at, report) => {
    const { file_id, file_data } = fieldsOf(value) ?? {}
    if (typeof file_id === 'string') return
    if (file_data === undefined) report('file', at, 'must have file_data or file_id')
    else checkDocument(file_data, `${at}.file_data`, report)
  }),
  input_file: ({ file_id, file_url, file_data }, at, report) => {
    if (typeof file_id === 'string' || typeof file_url === 'string') return
    if (file_data === undefined || file_data === null)
      report('file', at, 'must have file_data, file_url or file_id')
    else checkDocument(file_data, `${at}.file_data`, report)
  },
}

const isFunctionName = matchesNameRule(functionNameRule)

export function checkFunctionName(name: unknown, at: string, report: Report): void {
  const rule = `must be 1 to ${functionNameRule.maxLength} letters, digits, _ and -`
  if (!isFunctionName(name)) report('function-name', at, `${rule}, got ${JSON.stringify(name)}`)
}

export function callIdCheck(maxLength: number): Check {
  const message = `must be text of 1 to ${maxLength} characters`
  return must('call-id', message, (id) => isFilled(id) && id.length <= maxLength)
}

export const argumentText = must('arguments', 'must be a string', (it) => typeof it === 'string')

const maxTools = 128

export function checkTools(tools: unknown, checkTool: FieldsCheck, report: Report) {
  if (tools === undefined) return
  if (!Array.isArray(tools)) return report('tools', 'tools', 'must be an array, or be left out')
  if (tools.length > maxTools) report('tools', 'tools', `must be at most ${maxTools}`)
  checkEach(tools, checkObject('tool', checkTool), 'tools', report)
}

const refusedKeywords = ['oneOf', 'anyOf', 'allOf', 'enum', 'not']

/** The top level of a schema must declare an object. */
export function checkSchema(schema: unknown, at: string, report: Report) {
  if (schema === undefined || schema === null) return
  const fields = fieldsOf(schema)
  if (fields === null || fields['type'] !== 'object')
    return report('tool-schema', at, 'must be a JSON schema whose type is object')
  if (fieldsOf(fields['properties']) === null) report('tool-schema', at, 'must have properties')
  const refused = refusedKeywords.filter((keyword) => fields[keyword] !== undefined)
  if (refused.length > 0)
    report('tool-schema', at, `must not have ${refused.join(', ')} at the top level`)
}
