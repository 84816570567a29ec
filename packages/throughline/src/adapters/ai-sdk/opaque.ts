/**
 * Parts of the AI SDK that have no counterpart in a message: approvals, custom parts,
 * references to uploaded files, files of reasoning, and kinds that are not known yet.
 */
import type { JsonValue } from '../../domain/json.ts'
import type { FileSource, OpaquePart } from '../../domain/message.ts'
import type { OpaqueInput } from '../../domain/message-input.ts'
import { base64Of, bytesOfBase64, isBase64 } from '../media.ts'
import { type Fields, isPlain, jsonTextOf, parsedJson } from '../unknown-json.ts'
import { type FileReading, readFileData, writeFileData } from './file-data.ts'
import { metadataFor, notesOf } from './notes.ts'

const prefix = 'ai-sdk/'

export function readOpaque(part: unknown): OpaqueInput {
  const type = isPlain(part) ? part['type'] : null
  const kind = `${prefix}${typeof type === 'string' && type !== '' ? type : 'unknown'}`
  return { type: 'opaque', kind, json: jsonTextOf(part) }
}

/** Its bytes stand in the JSON as base64, and a note tells how they were spelled. */
export function readReasoningFile(part: Fields): OpaqueInput {
  const reading = readFileData(part['data'])
  if (reading === null) return readOpaque(part)
  return {
    ...readOpaque({ ...part, data: plainSource(reading) }),
    metadata: metadataFor({}, [], { data: reading.form }),
  }
}

function plainSource({ source }: FileReading): JsonValue {
  if ('url' in source) return source
  return { base64: typeof source.data === 'string' ? source.data : base64Of(source.data) }
}

/** The part as it was read; null for a part of somebody else. */
export function writeOpaque({ kind, json, metadata }: OpaquePart): Fields | null {
  if (!kind.startsWith(prefix)) return null
  const part = parsedJson(json)
  if (!isPlain(part)) return null
  if (part['type'] !== 'reasoning-file') return part
  const data = writeSource(part['data'], notesOf(metadata)['data'])
  return data === null ? null : { ...part, data }
}

function writeSource(source: unknown, form: JsonValue | undefined): unknown {
  if (!isPlain(source)) return typeof source === 'string' ? source : null
  const { url, base64 } = source
  if (typeof url === 'string') return writeFileData({ kind: 'url', url }, form, new Map())
  if (typeof base64 !== 'string' || !isBase64(base64)) return null
  const bytes = bytesOfBase64(base64)
  const file: FileSource = { kind: 'stored', sha256: '', sizeBytes: bytes.length }
  return writeFileData(file, form, new Map([['', bytes]]))
}
