/** Checks the content of a message and collects the bytes of its files. */
import type { Sha256 } from '../../domain/hash.ts'
import {
  type FilePart,
  type Origin,
  origins,
  type Part,
  statedOrigin,
  type ToolOutput,
} from '../../domain/message.ts'
import type { FileContent } from '../../domain/sealed-message.ts'
import { describe } from '../../domain/text.ts'
import { ThroughlineError } from '../../errors.ts'
import {
  arrayItems,
  checkBoolean,
  checkFieldNames,
  checkJsonObjectOrNull,
  checkName,
  checkObject,
  checkString,
  checkStringOrNull,
  checkWholeNumberOrNull,
  type Fields,
  invalid,
  toJsonText,
} from './check-fields.ts'

interface FileSink {
  readonly sha256: Sha256
  readonly files: FileContent[]
  readonly bytesMax: number
}

type PartType = Part['type']

type Check = (value: unknown, where: string, sink: FileSink) => unknown

/** The checks of the fields that a caller may set, by part type; `checkFile` checks a file. */
const checksOf: Readonly<Record<Exclude<PartType, 'file'>, Readonly<Record<string, Check>>>> = {
  text: { text: checkString, origin: checkOrigin },
  reasoning: { text: checkString, signature: checkStringOrNull },
  'tool-call': { callId: checkName, name: checkName, input: toJsonText },
  'tool-result': {
    callId: checkName,
    name: checkStringOrNull,
    output: checkOutput,
    isError: checkBoolean,
    origin: checkOrigin,
  },
  'resource-excerpt': { resourceId: checkName, title: checkStringOrNull, text: checkString },
  'attachment-ref': { attachmentId: checkName, title: checkStringOrNull },
  opaque: { kind: checkName, json: checkString },
}
const fileFields = ['mediaType', 'name', 'data', 'url', 'width', 'height']
const partTypes: readonly PartType[] = [
  ...(['text', 'reasoning', 'tool-call', 'tool-result', 'file', 'resource-excerpt'] as const),
  ...(['attachment-ref', 'opaque'] as const),
]

export function checkContent(value: unknown, where: string, sink: FileSink): readonly Part[] {
  if (typeof value === 'string') return [{ type: 'text', text: value, metadata: null }]
  if (!Array.isArray(value)) throw invalid(where, 'must be text or an array of parts')
  return arrayItems(value).map((part, index) => checkPart(part, `${where}[${index}]`, sink))
}

function checkPart(value: unknown, where: string, sink: FileSink): Part {
  const part = checkObject(value, where)
  const type = partTypes.find((known) => known === part['type'])
  if (type === undefined) throw invalid(`${where}.type`, `must be one of ${partTypes.join(', ')}`)
  const fields = type === 'file' ? fileFields : Object.keys(checksOf[type])
  checkFieldNames(part, ['type', 'metadata', ...fields], where)
  const metadata = checkJsonObjectOrNull(part['metadata'], `${where}.metadata`)
  if (type === 'file') return { type, metadata, ...checkFile(part, where, sink) }
  const checked = Object.entries(checksOf[type])
    .map(([field, check]) => [field, check(part[field], `${where}.${field}`, sink)] as const)
    .filter(([, checkedValue]) => checkedValue !== undefined)
  // The table lists all fields of each type, and each check returns the type of its field.
  return { type, metadata, ...Object.fromEntries(checked) } as Part
}

export function checkOrigin(value: unknown, where: string): Origin | undefined {
  const origin = origins.find((known) => known === value)
  if (origin === undefined && value !== undefined)
    throw invalid(where, `must be one of ${origins.join(', ')}, got ${describe(value)}`)
  return origin
}

function checkOutput(value: unknown, where: string, sink: FileSink): ToolOutput {
  if (typeof value === 'string') return { kind: 'text', text: value }
  const output = checkObject(value, where)
  const { kind } = output
  if (kind !== 'text' && kind !== 'json' && kind !== 'parts')
    throw invalid(where, 'must be text, or an object whose kind is text, json or parts')
  checkFieldNames(output, ['kind', kind], where)
  const content = output[kind]
  const contentWhere = `${where}.${kind}`
  if (kind === 'text') return { kind, text: checkString(content, contentWhere) }
  if (kind === 'json') return { kind, json: checkString(content, contentWhere) }
  if (!Array.isArray(content)) throw invalid(contentWhere, 'must be an array of parts')
  const parts = arrayItems(content).map((item, index) => {
    const partWhere = `${contentWhere}[${index}]`
    const part = checkPart(item, partWhere, sink)
    if (statedOrigin(part) !== null)
      throw invalid(`${partWhere}.origin`, 'must be stated for the whole result')
    if (part.type === 'text' || part.type === 'file' || part.type === 'opaque') return part
    throw invalid(partWhere, `of a tool result is text, file or opaque, not ${part.type}`)
  })
  return { kind, parts }
}

function checkFile(part: Fields, where: string, sink: FileSink) {
  const { data, url } = part
  if ((data === undefined) === (url === undefined))
    throw invalid(where, 'needs either data or url, and not both')
  return {
    mediaType: checkName(part['mediaType'], `${where}.mediaType`),
    name: checkStringOrNull(part['name'], `${where}.name`),
    width: checkWholeNumberOrNull(part['width'], `${where}.width`),
    height: checkWholeNumberOrNull(part['height'], `${where}.height`),
    source:
      url === undefined
        ? storeFile(data, `${where}.data`, sink)
        : { kind: 'url' as const, url: checkName(url, `${where}.url`) },
  }
}

function storeFile(data: unknown, where: string, sink: FileSink): FilePart['source'] {
  const bytes = fileBytes(data, where, sink.bytesMax)
  const sha256 = sink.sha256(bytes)
  sink.files.push({ sha256, bytes })
  return { kind: 'stored', sha256, sizeBytes: bytes.byteLength }
}

function fileBytes(data: unknown, where: string, bytesMax: number): Uint8Array {
  if (data instanceof Uint8Array) return copyBytes(data)
  const base64 = checkString(data, where)
  // A lower bound for the decoded size, so that huge texts are refused before decoding.
  checkSize(Math.floor((base64.length * 3) / 4) - 2, where, bytesMax)
  let binary: string
  try {
    binary = atob(base64)
  } catch (cause) {
    throw Object.assign(invalid(where, 'must be bytes or base64 text'), { cause })
  }
  const bytes = new Uint8Array(binary.length)
  for (let index = 0; index < binary.length; index += 1) bytes[index] = binary.charCodeAt(index)
  return bytes
}

/** Copies, because the caller may reuse its buffer; `slice` of a Node Buffer does not copy. */
export function copyBytes(bytes: Uint8Array): Uint8Array {
  return new Uint8Array(bytes)
}

export function checkSize(sizeBytes: number, where: string, bytesMax: number): void {
  if (sizeBytes <= bytesMax) return
  const problem = `${where} has ${sizeBytes} bytes; the limit is ${bytesMax}`
  throw new ThroughlineError('MESSAGE_TOO_LARGE', problem)
}
