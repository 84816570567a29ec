/** Checks of the fields of AI SDK parts. */
import { isBase64 } from '../media.ts'
import {
  type Check,
  checkEach,
  checkFields,
  isBoolean,
  isText,
  must,
  type Report,
  type Shape,
} from '../rules.ts'
import { type Fields, isFilled, isJson, isPlain, maxDepth } from '../unknown-json.ts'
import { isProviderOptions } from './extra-fields.ts'
import { splitDataUrl } from './files.ts'

export type Shapes = Readonly<Record<string, Shape>>

const field = (what: string, holds: (value: unknown) => boolean): Check =>
  must('field', `must be ${what}`, holds)
export const string = field('a string', isText)
export const filled = field('a filled string', isFilled)
export const boolean = field('true or false', isBoolean)
export const json = field(`JSON, at most ${maxDepth} deep`, isJson)
export const references = field('an object of strings', isReference)
const referenceKind = 'an object of strings: ids by the names of providers'
export const fileId = field(
  'a string or an object of strings',
  (id) => isText(id) || isReference(id),
)

function isReference(value: unknown): boolean {
  return isPlain(value) && Object.values(value).every(isText)
}

export function checkByType(shapes: Shapes): Check {
  return (value, at, report) => {
    if (!isPlain(value)) return report('part', at, 'must be an object')
    const { type } = value
    const shape = isText(type) && Object.hasOwn(shapes, type) ? shapes[type] : undefined
    if (shape === undefined)
      return report('part-type', `${at}.type`, `must be one of ${Object.keys(shapes).join(', ')}`)
    checkFields(value, shape, at, report)
    checkOtherFields(value, ['type', ...Object.keys(shape)], at, report)
  }
}

export function checkList(check: Check): Check {
  return (value, at, report) => {
    if (Array.isArray(value)) checkEach(value, check, at, report)
    else report('field', at, 'must be an array')
  }
}

export function checkOtherFields(
  value: Fields,
  known: readonly string[],
  at: string,
  report: Report,
): void {
  for (const [name, other] of Object.entries(value)) {
    if (known.includes(name) || other === undefined) continue
    if (name === 'providerOptions') {
      if (!isProviderOptions(other))
        report('provider-options', `${at}.${name}`, 'must be an object of objects of JSON')
    } else if (!isJson(other)) report('json', `${at}.${name}`, 'must be JSON')
  }
}

export function checkFileData(value: unknown, at: string, report: Report): void {
  if (value instanceof URL) checkDataUrl(value.href, at, report)
  else if (typeof value === 'string' && URL.canParse(value)) checkDataUrl(value, at, report)
  else if (!isPlain(value)) checkBytesOrBase64(value, at, report)
  else if ('type' in value) checkTag(value, at, report)
  else checkReference(value, at, report)
}

function checkTag(value: Fields, at: string, report: Report): void {
  const { type } = value
  for (const [name, other] of Object.entries(value))
    if (!['data', 'url'].includes(name) && other !== undefined && !isJson(other))
      report('json', `${at}.${name}`, 'must be JSON')
  if (isText(type) && Object.hasOwn(tagShapes, type))
    checkFields(value, tagShapes[type] ?? {}, at, report)
  else report('file-data', `${at}.type`, 'must be data, url, reference or text')
}

const checkReference = must('file-data', `must be ${referenceKind}`, isReference)

const tagShapes: Shapes = {
  data: { data: checkBytesOrBase64 },
  url: {
    url: (url, at, report) => {
      if (url instanceof URL) checkDataUrl(url.href, at, report)
      else report('url', at, 'must be a URL object')
    },
  },
  reference: { reference: checkReference },
  text: { text: must('file-data', 'must be a filled string', isFilled) },
}

export function fileDataThat(what: string, holds: (value: unknown) => boolean): Check {
  return (value, at, report) => {
    if (holds(value)) checkFileData(value, at, report)
    else report('file-data', at, `must be ${what}`)
  }
}

export function checkBase64Text(value: unknown, at: string, report: Report): void {
  if (isText(value)) checkBytesOrBase64(value, at, report)
  else report('file-data', at, 'must be base64 text')
}

export function checkUrl(value: unknown, at: string, report: Report): void {
  if (!isText(value) || !URL.canParse(value)) report('url', at, 'must be a whole URL')
  else checkDataUrl(value, at, report)
}

function checkBytesOrBase64(value: unknown, at: string, report: Report): void {
  if (value instanceof Uint8Array || value instanceof ArrayBuffer) {
    if (value.byteLength === 0) report('empty-file', at, 'must not be empty')
  } else if (!isText(value)) report('file-data', at, 'must be bytes or base64 text')
  else if (value === '') report('empty-file', at, 'must not be empty')
  else if (!isBase64(value)) report('base64', at, 'must be base64')
}

function checkDataUrl(url: string, at: string, report: Report): void {
  if (!url.startsWith('data:')) return
  const dataUrl = splitDataUrl(url)
  if (dataUrl === null) report('data-url', at, 'must name its media type and be base64')
  else checkBytesOrBase64(dataUrl.data, at, report)
}
