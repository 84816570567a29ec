/**
 * Recorded requests with the vendors' words taken out: the shape, the ids and our own words stay. Made from a folder
 * of `--keep`, replayed by `fixtures.test.ts`.
 */
import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ScriptedAnswer } from '../gateway/wire-answers.ts'

type Json = string | number | boolean | null | readonly Json[] | { readonly [name: string]: Json }
type JsonFields = { readonly [name: string]: Json }

export interface RecordedRequest {
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  /** Long values are places in `values`; of the messages, all are. */
  readonly body: JsonFields
  readonly answer: ScriptedAnswer | null
  /** The client left before its end. */
  readonly isCut: boolean
  /** What the gateway decided, and the conversation as a number. */
  readonly class: string
  readonly conversation: number | null
}

export interface Recording {
  readonly values: readonly Json[]
  readonly requests: readonly RecordedRequest[]
}

interface KeptCall {
  readonly number: number | null
  readonly headers: Readonly<Record<string, string>>
  readonly path: string
  readonly body: string
  readonly decision: string
  readonly conversation: string
  readonly scripted: ScriptedAnswer | null
}

/** Writes the first requests of a kept session as a fixture. */
export function writeFixture(folder: string, file: string, requests: number): void {
  const read = (name: string) =>
    readFileSync(join(folder, name), 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(withoutFolders(line)) as KeptCall)
  const tapped = new Map(read('client.jsonl').map((call) => [String(call.number), call]))
  const values = new Map<string, number>()
  const conversations = new Map<string, number>()
  const intern = (value: Json): number => {
    const text = JSON.stringify(value)
    const known = values.get(text) ?? values.size
    values.set(text, known)
    return known
  }
  const calls = read('upstream.jsonl')
    .filter(({ number }) => number !== null)
    .toSorted((left, right) => Number(left.number) - Number(right.number))
    .slice(0, requests)
  const recorded = calls.map(({ headers, scripted }): RecordedRequest => {
    const call = tapped.get(headers['x-tap-number'] ?? '')
    if (call === undefined) throw new Error('a request of the gateway is no request of the client')
    const { pauseMs, ...answer } = scripted ?? {}
    const { conversation } = call
    if (conversation !== '' && !conversations.has(conversation))
      conversations.set(conversation, conversations.size)
    return {
      path: call.path,
      headers: keptHeaders(call.headers),
      body: internedBody(JSON.parse(call.body) as JsonFields, intern),
      answer: scripted === null ? null : answer,
      isCut: pauseMs !== undefined,
      class: /class=([\w-]+)/.exec(call.decision)?.[1] ?? '',
      conversation: conversations.get(conversation) ?? null,
    }
  })
  const all = [...values.keys()].map((text) => JSON.parse(text) as Json)
  writeFileSync(
    file,
    `${JSON.stringify({ values: all, requests: recorded } satisfies Recording)}\n`,
  )
}

/** The body as it was recorded. */
export function bodyOf({ values }: Recording, { body }: RecordedRequest): JsonFields {
  const whole = (value: Json | undefined): Json => {
    if (Array.isArray(value)) return value.map(whole)
    const at = typeof value === 'object' && value !== null && '$' in value ? value['$'] : null
    return at === null ? (value ?? null) : (values[Number(at)] ?? null)
  }
  return Object.fromEntries(Object.entries(body).map(([name, value]) => [name, whole(value)]))
}

const lists: readonly string[] = ['messages', 'input', 'contents', 'tools', 'system']
const shortCharacters = 60

function internedBody(body: JsonFields, intern: (value: Json) => number): JsonFields {
  const entries = Object.entries(body).map(([name, value]): [string, Json] => {
    const isList = lists.includes(name) && Array.isArray(value)
    if (isList) return [name, value.map((item: Json) => ({ $: intern(scrubbed(item, name)) }))]
    const plain = scrubbed(value, name)
    return [name, JSON.stringify(plain).length > shortCharacters ? { $: intern(plain) } : plain]
  })
  return Object.fromEntries(entries)
}

function withoutFolders(text: string): string {
  return text
    .replaceAll(/\/tmp\/throughline-home-\w+/g, '/home/user')
    .replaceAll(/\/tmp\/throughline-work-\w+/g, '/project')
}

const headerForm =
  /^(?:x-claude-code|anthropic-|session-id|thread-id|x-codex-|x-session|x-parent|content-type)/

function keptHeaders(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers)
      .filter(([name]) => headerForm.test(name))
      .map(([name, value]) => [name, value.startsWith('{') ? jsonText(value) : value]),
  )
}

/** Whose values are words of the API, names and ids. */
const plainNames: ReadonlySet<string> = new Set([
  ...['type', 'role', 'model', 'name', 'namespace', 'status', 'phase', 'ttl', 'media_type'],
  ...['mimeType', 'effort', 'display', 'detail', 'tool_choice', 'request_kind', 'required'],
  ...['id', 'call_id', 'tool_use_id', 'tool_call_id', 'signature', 'thoughtSignature', 'include'],
  ...['encrypted_content', 'data', 'image_url', 'url', 'arguments'],
])
function scrubbed(value: Json, name: string): Json {
  if (typeof value === 'string') {
    if (plainNames.has(name)) return value
    return value.startsWith('{"') ? jsonText(value) : scrubbedText(value)
  }
  if (Array.isArray(value)) return value.map((item: Json) => scrubbed(item, name))
  if (typeof value !== 'object' || value === null) return value
  const fields = value as JsonFields
  // Arguments of calls are those of the scripted model.
  const own = fields['type'] === 'tool_use' ? 'input' : 'args'
  const isCall = typeof fields['name'] === 'string'
  return Object.fromEntries(
    Object.entries(fields).map(([field, inner]) => {
      return [field, isCall && field === own ? inner : scrubbed(inner, field)]
    }),
  )
}

function jsonText(text: string): string {
  try {
    return JSON.stringify(scrubbed(JSON.parse(text) as Json, ''))
  } catch {
    return scrubbedText(text)
  }
}

const idForm = /^(?:[\w-]*[0-9a-f]{8}-[0-9a-f]{4}-[\w-]+|ses_\w+)(?::\d+)?$/
/** Words of the harness and of its scripted model. */
const ownForm =
  /"?Please go on with the work\. \[\[play[^\]]*\]\]"?|Look around and report\. \[\[play[^\]]*\]\]|probe says: |mark-[\w.-]+|line [123] of the report|Next, [^()]*\(\d+\)\.|Done with [\w.]+, answer \d+\.|Slowly, \d+: [\d, of]*|There is no tool for [\w*]+\.|Thought \d+ about the play [\w.]+\.|(?:aside|summary)-\d+: [a-z ]+\.?/g
/** By which the gateway and the log know what a client inserts; public words of ours. */
const markerForm =
  /^(?:<\/?[a-z_-]+(?: instructions)?>|This session is being continued from a previous conversation|CRITICAL: Respond with TEXT ONLY\. Do NOT call any tools\.|You are performing a CONTEXT CHECKPOINT COMPACTION|Another language model started to solve this problem|Attached media from tool result:|# AGENTS\.md instructions|You are a title generator|Generate a title for this conversation:|\[Request interrupted by user(?: for tool use)?\])/

/** Lines of others become one line that names them by a hash. */
function scrubbedText(text: string): string {
  if (text === '' || idForm.test(text)) return text
  const lines: string[] = []
  let others: string[] = []
  const flush = () => {
    const hash = createHash('sha256').update(others.join('\n')).digest('hex').slice(0, 8)
    if (others.some((line) => line.trim() !== '')) lines.push(`text ${hash} of the client`)
    others = []
  }
  for (const line of text.split('\n')) {
    const marker = markerForm.exec(line)?.[0]
    const own = (line.match(ownForm) ?? []).join(line.includes('mark-') ? ' ' : '')
    if (marker === undefined && own === '') {
      if (!/^line \d+ of the report$/.test(line)) others.push(line)
      continue
    }
    flush()
    lines.push(own === '' ? (marker ?? '') : own)
  }
  flush()
  return lines.join('\n')
}
