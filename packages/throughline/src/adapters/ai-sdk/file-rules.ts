/** What the AI SDK takes as the data of a file. */
import { isBase64 } from '../media.ts'
import { type Fields, isJson, isPlain } from '../unknown-json.ts'
import { splitDataUrl } from './file-data.ts'

/** Takes what a rule has against a value. */
export type Report = (rule: string, at: string, message: string) => void

/** Bytes, base64, an address, a reference to an upload, or one of them or text under a tag. */
export function checkFileData(value: unknown, at: string, report: Report): void {
  if (!isPlain(value)) checkBare(value, at, report)
  else if ('type' in value) checkTagged(value, at, report)
  else checkReference(value, at, report)
}

function checkTagged(value: Fields, at: string, report: Report): void {
  const { type, data, url, reference, text } = value
  for (const [field, other] of Object.entries(value))
    if (!['data', 'url'].includes(field) && other !== undefined && !isJson(other))
      report('json', `${at}.${field}`, 'must be JSON')
  switch (type) {
    case 'data':
      checkInline(data, `${at}.data`, report)
      break
    case 'url':
      if (url instanceof URL) checkAddress(url.href, `${at}.url`, report)
      else report('url', `${at}.url`, 'must be a URL object')
      break
    case 'reference':
      checkReference(reference, `${at}.reference`, report)
      break
    case 'text':
      if (typeof text !== 'string' || text === '')
        report('file-data', `${at}.text`, 'must be a filled string')
      break
    default:
      report('file-data', `${at}.type`, 'must be data, url, reference or text')
  }
}

/** Reasoning comes from a model: never a reference, never text. */
export function checkReasoningData(value: unknown, at: string, report: Report): void {
  if (isPlain(value) && value['type'] !== 'data' && value['type'] !== 'url')
    report('file-data', at, 'must be bytes or an address')
  else checkFileData(value, at, report)
}

/** Base64 text alone. */
export function checkBytes(value: unknown, at: string, report: Report): void {
  if (typeof value === 'string') checkInline(value, at, report)
  else report('file-data', at, 'must be base64 text')
}

/** The text of an address. */
export function checkUrl(value: unknown, at: string, report: Report): void {
  if (typeof value !== 'string' || !URL.canParse(value)) report('url', at, 'must be a whole URL')
  else checkAddress(value, at, report)
}

function checkBare(value: unknown, at: string, report: Report): void {
  if (value instanceof URL) checkAddress(value.href, at, report)
  else if (typeof value === 'string' && URL.canParse(value)) checkAddress(value, at, report)
  else checkInline(value, at, report)
}

function checkInline(value: unknown, at: string, report: Report): void {
  if (value instanceof Uint8Array || value instanceof ArrayBuffer) {
    if (value.byteLength === 0) report('empty-file', at, 'must not be empty')
  } else if (typeof value !== 'string') report('file-data', at, 'must be bytes or base64 text')
  else if (value === '') report('empty-file', at, 'must not be empty')
  else if (!isBase64(value)) report('base64', at, 'must be base64')
}

function checkAddress(url: string, at: string, report: Report): void {
  if (!url.startsWith('data:')) return
  const parts = splitDataUrl(url)
  if (parts === null) report('data-url', at, 'must name its media type and be base64')
  else checkInline(parts.data, at, report)
}

function checkReference(value: unknown, at: string, report: Report): void {
  if (!isPlain(value) || !Object.values(value).every((id) => typeof id === 'string'))
    report('file-data', at, 'must be an object of strings: ids by the names of providers')
}
