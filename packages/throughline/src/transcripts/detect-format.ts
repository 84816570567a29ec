/**
 * Which format a text is in, by the keys near its beginning. The name of a file is no
 * evidence: people rename files, and most of these are called `.json` or `.jsonl`.
 */
import { describe } from '../domain/describe.ts'
import { type Outline, outlineOf } from './document-outline.ts'
import type { TranscriptFormat } from './format.ts'
import { invalidArgument } from './read-options.ts'
import type { Layout } from './scan-source.ts'

/** How much of a text the format is looked for in. */
export const headLength = 65_536

/** How far the end of the first line is looked for, to know whether lines are documents. */
export const firstLineLength = 4_194_304

/** Lines that are tried: a file may begin with records that say nothing, or with a broken one. */
const linesTried = 50

/** In the order in which they are asked: a format that is a special case of another comes first. */
const signs: readonly (readonly [TranscriptFormat, (outline: Outline, head: string) => boolean])[] =
  [
    ['claude-code', isClaudeCode],
    ['pi', isPi],
    ['qmsum', has('meeting_transcripts', 'specific_query_list', 'general_query_list')],
    ['tau2-bench', isTau2Bench],
    ['longmemeval', anywhere('haystack_sessions', 'haystack_session_ids', 'haystack_dates')],
    ['locomo', anywhere('conversation.speaker_a', 'conversation.session_1', 'qa[].evidence')],
    ['tau-bench', isTauBench],
    ['mini-swe', isMiniSwe],
    ['openai', has('messages[].role', '[].role')],
    ['memorybank', isMemoryBank],
    ['memorybank-questions', isMemoryBankQuestions],
  ]

/** The format of a text that begins like this, or null if we do not know it. */
export function detectFormat(head: string): TranscriptFormat | null {
  if (typeof head !== 'string')
    throw invalidArgument(`detectFormat takes the beginning of a text, got ${describe(head)}`)
  const text = head.slice(0, headLength).replace(/^\uFEFF/, '')
  for (const candidate of candidates(text)) {
    const outline = outlineOf(candidate)
    const sign = signs.find(([, matches]) => matches(outline, candidate))
    if (sign !== undefined) return sign[0]
  }
  return null
}

/**
 * Whether each line is a document of its own. If the first is none, it is a broken line
 * of many or the beginning of a document that is spread over lines; the lines behind it
 * tell, because those of a spread document end or begin in the middle of something.
 */
export function detectLayout(head: string): Layout {
  const [first, ...others] = leadingLines(head)
  if (first === undefined || others.length === 0) return 'document'
  if (isDocument(first)) return 'lines'
  const spread = others.some((line) => /[,[{]$/.test(line) || /^[\]}"]/.test(line))
  return !spread && others.some(isDocument) ? 'lines' : 'document'
}

function isDocument(line: string): boolean {
  return outlineOf(line).complete
}

/** The first lines, each by itself, for JSONL; the whole head, for a document. */
function candidates(text: string): readonly string[] {
  return detectLayout(text) === 'lines' ? leadingLines(text) : [text]
}

function leadingLines(text: string): readonly string[] {
  const lines = text.split('\n').map((line) => line.trim())
  return lines.filter((line) => line !== '').slice(0, linesTried)
}

function has(...paths: readonly string[]): (outline: Outline) => boolean {
  return (outline) => paths.some((path) => outline.paths.has(path))
}

/** In the document, or in each element of a list of documents. */
function anywhere(...paths: readonly string[]): (outline: Outline) => boolean {
  return has(...paths, ...paths.map((path) => `[].${path}`))
}

function isClaudeCode(outline: Outline): boolean {
  if (outline.type === null) return false
  if (has('uuid', 'parentUuid', 'sessionId', 'leafUuid', 'isSidechain', 'snapshot')(outline))
    return true
  return outline.paths.has('message') && (outline.type === 'user' || outline.type === 'assistant')
}

function isPi(outline: Outline): boolean {
  switch (outline.type) {
    case 'session':
      return has('cwd', 'version', 'id')(outline)
    case 'message':
      return has('message.role', 'message.content')(outline)
    case 'compaction':
      return has('summary', 'tokensBefore')(outline)
    case 'model_change':
    case 'thinking_level_change':
      return true
    default:
      return false
  }
}

/** Results of tau2 itself may have tasks of any length before the simulations. */
function isTau2Bench({ paths }: Outline): boolean {
  if (paths.has('simulations')) return true
  if (paths.has('info.environment_info') || paths.has('info.agent_info')) return true
  if (paths.has('tasks[].user_scenario') || paths.has('tasks[].evaluation_criteria')) return true
  return paths.has('policy') && (paths.has('domain') || paths.has('agent'))
}

function isTauBench({ paths }: Outline): boolean {
  if (paths.has('[].traj') || paths.has('traj[].role')) return true
  return paths.has('[].task_id') && (paths.has('[].reward') || paths.has('[].info'))
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

function isMemoryBank({ entries }: Outline): boolean {
  const person = entries.find(({ path }) => path.length === 2 && path[1] === 'history')
  return typeof person?.path[0] === 'string' && person.opening === '{'
}

/** An object of nothing but lists of texts. */
function isMemoryBankQuestions({ entries }: Outline): boolean {
  const lists = entries.filter(({ path }) => path.length === 1)
  const texts = entries.filter(({ path }) => path.length === 2)
  if (entries[0]?.opening !== '{' || texts.length === 0) return false
  return (
    lists.every(({ opening }) => opening === '[') &&
    texts.every(({ opening }) => opening === '"') &&
    entries.every(({ path }) => path.length < 3)
  )
}
