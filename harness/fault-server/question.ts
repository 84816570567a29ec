/** Reads the parts of a request that all APIs share. */

import type { IncomingMessage } from 'node:http'
import type { JsonObject, MessageInput, Reading } from 'throughline'
import {
  fieldsOf,
  listOf,
  parsedJson,
} from '../../packages/throughline/src/adapters/unknown-json.ts'
import { apiAt, type Incoming } from './refusal.ts'
import type { ModelQuestion, SentHeaders } from './responder.ts'
import type { ServedRequest } from './settings.ts'

export function wordsOf({ system, messages }: Reading): Pick<ModelQuestion, 'system' | 'messages'> {
  const spoken = messages.map((message) => ({ role: message.role, text: textOf(message) }))
  const isAbove = ({ role }: { readonly role: string }) => role === 'system'
  return {
    system: [...system, ...spoken.filter(isAbove)].map(({ text }) => text).join('\n\n'),
    messages: spoken.filter((message) => !isAbove(message)),
  }
}

function textOf({ content }: MessageInput): string {
  if (typeof content === 'string') return content
  return content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n')
}

/** A JSON schema in the field, as it was parsed from JSON. */
export function schemaIn(value: unknown): JsonObject | null {
  return fieldsOf(value) as JsonObject | null
}

export function toolNamesIn(tools: unknown): readonly string[] {
  return listOf(tools).map((tool) => {
    const fields = fieldsOf(tool)
    const { name, type } = fieldsOf(fields?.['function']) ?? fields ?? {}
    return `${name ?? type ?? ''}`
  })
}

export function numberIn(...values: readonly unknown[]): number | null {
  return values.find((value) => typeof value === 'number') ?? null
}

/** Anthropic's limit, and more than any client intends to send. */
const bodyBytesMax = 32 * 1024 * 1024

/** Null if the client left before it had sent everything. */
export async function readIncoming(request: IncomingMessage): Promise<Incoming | null> {
  const text = await readText(request)
  if (text === null) return null
  const headers = Object.fromEntries(
    Object.entries(request.headers).map(([name, value]) => [name, `${value}`]),
  )
  return {
    method: request.method ?? '',
    path: (request.url ?? '').replace(/\?.*$/, ''),
    headers,
    text,
    body: text === undefined ? undefined : parsedJson(text),
  }
}

async function readText(request: IncomingMessage): Promise<string | undefined | null> {
  const chunks: Uint8Array[] = []
  let sizeBytes = 0
  try {
    for await (const chunk of request) {
      const bytes = chunk as Uint8Array
      sizeBytes += bytes.length
      // Reads and discards the rest: a client that still writes would not receive the answer.
      if (sizeBytes <= bodyBytesMax) chunks.push(bytes)
    }
  } catch {
    return null
  }
  return sizeBytes > bodyBytesMax ? undefined : Buffer.concat(chunks).toString()
}

/** A record that changes while its request is running. */
export type OpenRecord = { -readonly [Field in keyof ServedRequest]: ServedRequest[Field] }

export function newRecord(
  { method, path, headers, body = null }: Incoming,
  startedAtMs: number,
): OpenRecord {
  return {
    method,
    path,
    headers: withoutSecrets(headers),
    body,
    api: apiAt(path)?.name ?? null,
    question: null,
    problems: [],
    fault: null,
    status: null,
    answer: null,
    invented: [],
    startedAtMs,
    endedAtMs: null,
    ended: null,
  }
}

const secretHeader = /key|token|auth|cookie|secret/

function withoutSecrets(headers: SentHeaders): SentHeaders {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !secretHeader.test(name)))
}
