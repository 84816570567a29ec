/** The signs by which formats are detected: mostly keys near the top of their documents. */
import {
  codexRecords,
  conversationFields,
  piFields,
  type transcriptFormats,
} from './formats-data.ts'
import { type JsonPath, scanText } from './json/json-elements.ts'
import type { ReaderInput } from './json/scan-source.ts'
import { limits } from './limits-data.ts'

/** In order: a special case comes before the general format. */
export const formatSigns: FormatSet<TranscriptFormat, unknown>['signs'] = [
  ['throughline', has('throughline')],
  ['claude-code', isClaudeCode],
  ['codex', isCodex],
  ['pi', isPi],
  ['opencode', isOpencode],
  ['chatgpt', isChatgpt],
  ['mini-swe', isMiniSwe],
  ['ai-sdk', isAiSdk],
  ['messages', isListOfSeveral],
  ['anthropic', isAnthropic],
  ['openai', isOpenai],
]

export function has(...paths: readonly string[]): (outline: Outline) => boolean {
  return (outline) => paths.some((path) => outline.paths.has(path))
}

/** In the document, or in each element of a list of documents. */
export function anywhere(...paths: readonly string[]): (outline: Outline) => boolean {
  return has(...paths, ...paths.map((path) => `[].${path}`))
}

function isClaudeCode(outline: Outline): boolean {
  // Claude Code has the role inside `message`.
  if (outline.type === null || outline.paths.has('role')) return false
  if (has('uuid', 'parentUuid', 'sessionId', 'leafUuid', 'isSidechain', 'snapshot')(outline))
    return true
  return outline.paths.has('message') && (outline.type === 'user' || outline.type === 'assistant')
}

function isCodex({ paths, type }: Outline, head: string): boolean {
  if (type === null) {
    if (!paths.has('id') || !paths.has('timestamp') || paths.has('messages')) return false
    return paths.has('instructions') || paths.has('git')
  }
  if (type === 'message') return paths.has('role') && /"(?:input|output)_text"/.test(head)
  if (['function_call', 'function_call_output'].includes(type)) return paths.has('call_id')
  return codexRecords.includes(type) && paths.has('payload')
}

function isChatgpt(outline: Outline): boolean {
  if (!anywhere('mapping')(outline)) return false
  return anywhere('title', 'create_time', 'current_node', 'conversation_id')(outline)
}

function isAiSdk({ paths }: Outline): boolean {
  // The last two occur in version 4, whose messages may lack parts.
  const sdkFields = ['parts', 'toolInvocations', 'experimental_attachments']
  return ['', '[].', 'messages[].'].some(
    (where) => paths.has(`${where}role`) && sdkFields.some((key) => paths.has(`${where}${key}`)),
  )
}

function isListOfSeveral(outline: Outline): boolean {
  if (!outline.paths.has('[].role') || !outline.paths.has('[].content')) return false
  return has(...conversationFields.map((field) => `[].${field}`))(outline)
}

const knownRole = /"role"\s*:\s*"(?:user|assistant|system|developer|tool|function)"/

/** One message on each line, as people log them. */
export function isLooseMessage(outline: Outline, head: string): boolean {
  if (!outline.paths.has('role') || !knownRole.test(head)) return false
  // A Throughline export without its first line has other parts.
  if (outline.paths.has('seq') && outline.paths.has('createdAt')) return false
  return has('content', 'tool_calls', 'function_call')(outline)
}

/** Blocks of this API only. In a text that quotes them, the quotes are escaped. */
const anthropicBlock =
  /"type"\s*:\s*"(?:tool_use|tool_result|thinking|redacted_thinking|image|document)"/

function isAnthropic(outline: Outline, head: string): boolean {
  const { paths, type } = outline
  if (type === 'message' && paths.has('role') && paths.has('content'))
    return has('stop_reason', 'usage', 'model')(outline)
  if (has('choices', 'response.choices')(outline)) return false
  const isRequest = has('messages[].role', '[].role', 'request.messages', 'params.messages')
  if (!isRequest(outline)) return false
  if (has('system', 'request.system', 'params.system', 'anthropic_version')(outline)) return true
  if (has('response.content', 'response.stop_reason')(outline)) return true
  return anthropicBlock.test(head)
}

function isOpenai(outline: Outline, head: string): boolean {
  if (has('messages[].role', '[].role', 'input[].role')(outline)) return true
  if (isShortRequest(outline) || isCompletion(outline, head)) return true
  return has('input[].type', 'output[].type')(outline) && has('model', 'object')(outline)
}

/** An answer of the chat API, alone, in a batch, or after its request, which may be long. */
function isCompletion(outline: Outline, head: string): boolean {
  const { paths } = outline
  if (paths.has('choices[].message') || paths.has('response.choices[]')) return true
  if (paths.has('response.body.choices')) return true
  return paths.has('request.messages') && !paths.has('response') && !claudeModel.test(head)
}

const claudeModel = /"model"\s*:\s*"[^"]*claude/

/** The Responses API also takes a bare text. */
function isShortRequest({ paths, entries }: Outline): boolean {
  const input = entries.find(({ path }) => path.length === 1 && path[0] === 'input')
  return input?.opening === '"' && paths.has('model')
}

function isPi(outline: Outline): boolean {
  return has(...(piFields.get(outline.type) ?? []))(outline)
}

function isOpencode({ paths }: Outline, head: string): boolean {
  if (paths.has('messages[].info') && paths.has('messages[].parts')) return true
  // A session with many changed files has a long description before its messages.
  return paths.has('info.directory') && paths.has('info.time') && /"id"\s*:\s*"ses_/.test(head)
}

function isMiniSwe({ paths }: Outline, head: string): boolean {
  if (paths.has('trajectory_format')) return head.includes('mini-swe-agent')
  if (paths.has('info.mini_version') || paths.has('info.model_stats')) return true
  if (paths.has('instance_id') && (paths.has('messages') || paths.has('exit_status'))) return true
  if (!paths.has('messages[].role')) return false
  return (
    paths.has('messages[].extra') || paths.has('messages[].usage') || head.includes('<returncode>')
  )
}

/** The name of a transcript format that we read. */
export type TranscriptFormat = (typeof transcriptFormats)[number]

/** `signs` are tried in order, special cases first. */
export interface FormatSet<Name extends string, Item> {
  readonly signs: readonly (readonly [Name, (outline: Outline, head: string) => boolean])[]
  readonly readers: Readonly<Record<Name, (input: ReaderInput) => AsyncIterable<Item>>>
}

interface OutlineEntry {
  readonly path: JsonPath
  readonly opening: string
}

export interface Outline {
  readonly entries: readonly OutlineEntry[]
  /** Indexes are written as `[]`: `messages[].role`. */
  readonly paths: ReadonlySet<string>
  readonly type: string | null
  readonly complete: boolean
}

export function outlineOf(text: string): Outline {
  const entries: OutlineEntry[] = []
  const events = scanText(text, (path, opening) => {
    entries.push({ path, opening })
    if (path.length === 1 && path[0] === 'type') return 'take'
    return path.length < limits.outlineDepth ? 'enter' : 'skip'
  })
  const type = events.find((event) => event.kind === 'element')
  return {
    entries,
    paths: new Set(entries.map((entry) => generalPath(entry.path))),
    type: /^"([\w-]+)"$/.exec(type?.text ?? '')?.[1] ?? null,
    complete: entries.length > 0 && events.every((event) => event.kind === 'element'),
  }
}

function generalPath(path: JsonPath): string {
  const steps = path.map((step) => (typeof step === 'number' ? '[]' : `.${step}`))
  return steps.join('').replace(/^\./, '')
}
