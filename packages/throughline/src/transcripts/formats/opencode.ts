/**
 * Sessions of opencode, as `opencode export` writes them: one document with the session, then its messages
 * and their parts. A tool part has both the call and its result, so a step of the assistant becomes a
 * message with its calls and one with their results. Text that opencode adds to a user message has a flag.
 */
import type { PartInput } from '../../index.ts'
import { fileAt, textPart, unknownPart } from '../content-parts.ts'
import { metaOf } from '../json/json-access.ts'
import { formatPath, type JsonElement } from '../json/json-elements.ts'
import { choosePatterns, type JsonNode, noNode, parseRaw } from '../json/raw-json.ts'
import { type ReaderInput, readElements } from '../json/scan-source.ts'
import { UniqueNames } from '../names.ts'
import { timeOf } from '../times.ts'
import {
  conversationItem,
  messageItem,
  problemItem,
  type TranscriptItem,
  usageIn,
} from '../transcript.ts'

interface Session {
  readonly root: number
  info: JsonNode
  conversationId: string | null
  /** How the compaction was started whose summary the next answer is; null for none. */
  compactedBy: string | null
}

export function readOpencode(input: ReaderInput): AsyncGenerator<TranscriptItem> {
  const ids = new UniqueNames()
  let session: Session | null = null
  const choose = choosePatterns(['info'], ['messages', '*'])
  return readElements(input, choose, function* (element): Generator<TranscriptItem> {
    const { root, path } = element
    const current: Session =
      session?.root === root
        ? session
        : { root, info: noNode, conversationId: null, compactedBy: null }
    session = current
    const value = parseRaw(element)
    if (path[0] === 'info') {
      current.info = value ?? noNode
      return
    }
    const named = current.info.filled('id') ?? value?.field('info').filled('sessionID')
    if (current.conversationId === null) {
      const item = conversationOf(current.info, ids.take(named || input.name || 'session'))
      current.conversationId = item.id
      yield item
    }
    yield* messageItems(element, value ?? noNode, current, current.conversationId)
  })
}

function conversationOf(info: JsonNode, id: string) {
  const parentId = info.filled('parentID')
  return conversationItem(id, {
    title: info.filled('title'),
    // The session does not say which call of the parent began it.
    parent: parentId === null ? null : { conversationId: parentId, callId: null },
    meta: metaOf({ cwd: info.filled('directory'), version: info.filled('version') }) ?? null,
  })
}

function* messageItems(
  { path, line, text }: JsonElement,
  value: JsonNode,
  session: Session,
  conversationId: string,
): Generator<TranscriptItem> {
  const info = value.field('info')
  const role = info.text('role')
  const key = info.filled('id') ?? formatPath(path)
  const createdAt = timeOf(info.field('time').get('created'))
  const parts = value.list('parts')
  if (role === 'user') {
    const compaction = parts.find((part) => part.text('type') === 'compaction')
    if (compaction !== undefined)
      session.compactedBy = compaction.get('auto') === true ? 'auto' : 'manual'
    const content = parts.flatMap(userPart)
    if (content.length === 0) return
    // The user messages of an agent's session are from the agent that started it.
    const origin = session.info.filled('parentID') === null ? undefined : 'agent'
    const message = { role, origin, content, createdAt, key, raw: text } as const
    yield messageItem(message, { conversationId, line })
    return
  }
  if (role !== 'assistant') {
    yield problemItem(line, `${formatPath(path)} is not a known kind of message`)
    return
  }
  const isSummary = info.get('summary') === true
  if (isSummary) {
    const summary = parts.flatMap((part) => part.text('text') ?? []).join('\n')
    const trigger = session.compactedBy
    const compaction = { conversationId, summary, tokensBefore: null, trigger, line }
    session.compactedBy = null
    yield { kind: 'compaction', ...compaction }
  }
  const status = info.field('error').isObject ? 'incomplete' : undefined
  for (const [index, step] of stepsOf(parts).entries()) {
    const stepKey = index === 0 ? key : `${key}.${index}`
    yield messageItem(
      {
        ...{ role, content: step.flatMap(assistantPart), createdAt, key: stepKey, status },
        origin: isSummary ? 'summary' : undefined,
        raw: index === 0 ? text : undefined,
      },
      {
        ...{ conversationId, line, model: modelOf(info) },
        usage: index === 0 ? usageIn(info.field('tokens'), 'opencode') : null,
      },
    )
    const results = step.flatMap(resultPart)
    if (results.length > 0)
      yield messageItem(
        { role: 'tool', content: results, createdAt, key: `${stepKey}.results` },
        { conversationId, line },
      )
  }
}

/** Older versions have several steps in a message. Always one at least. */
function stepsOf(parts: readonly JsonNode[]): readonly (readonly JsonNode[])[] {
  const steps: JsonNode[][] = [[]]
  for (const part of parts) {
    const isStart = part.text('type') === 'step-start'
    if (isStart && steps.at(-1)?.length !== 0) steps.push([])
    if (!isStart) steps.at(-1)?.push(part)
  }
  const [first = [], ...others] = steps
  return [first, ...others.filter((step) => step.some((part) => assistantPart(part).length > 0))]
}

function userPart(part: JsonNode): readonly PartInput[] {
  const type = part.text('type')
  if (type === 'text') {
    const isAdded = part.get('synthetic') === true || part.get('ignored') === true
    const words = textPart(part.text('text') ?? '')
    return words.text === '' ? [] : [isAdded ? { ...words, origin: 'application' } : words]
  }
  // A command of the user that a sub-agent runs.
  if (type === 'subtask') return [textPart(part.text('prompt') ?? '')]
  if (type === 'file') return [filePart(part)]
  // The text names the agent already, and a compaction is an item of its own.
  return type === 'agent' || type === 'compaction' ? [] : [unknownPart('opencode', part)]
}

/** Files that opencode read have their text beside them; others are data. */
function filePart(part: JsonNode): PartInput {
  const url = part.filled('url') ?? ''
  const file = url.startsWith('file:')
    ? null
    : fileAt(url, part.filled('mime') ?? 'application/octet-stream')
  const title = part.filled('filename') ?? undefined
  return file ?? { type: 'attachment-ref', attachmentId: url || 'unknown', title }
}

/** Snapshots, patches and steps are for opencode itself. */
const ownParts = ['step-start', 'step-finish', 'snapshot', 'patch', 'retry', 'agent', 'compaction']

function assistantPart(part: JsonNode): readonly PartInput[] {
  const type = part.text('type') ?? 'unknown'
  const text = part.text('text')
  if (ownParts.includes(type)) return []
  if (type === 'text' && text !== null) return text === '' ? [] : [textPart(text)]
  if (type === 'reasoning' && text !== null) return [{ type: 'reasoning', text }]
  if (type === 'file') return [filePart(part)]
  const callId = part.filled('callID')
  const name = part.filled('tool')
  if (type !== 'tool' || callId === null || name === null) return [unknownPart('opencode', part)]
  return [
    { type: 'tool-call', callId, name, input: part.field('state').field('input').exact('{}') },
  ]
}

/** A call that still runs has no result. */
function resultPart(part: JsonNode): readonly PartInput[] {
  const callId = part.text('type') === 'tool' ? part.filled('callID') : null
  const state = part.field('state')
  const status = state.text('status')
  if (callId === null || (status !== 'completed' && status !== 'error')) return []
  const isError = status === 'error'
  const output = state.text(isError ? 'error' : 'output') ?? ''
  return [{ type: 'tool-result', callId, name: part.filled('tool') ?? undefined, output, isError }]
}

function modelOf(info: JsonNode): string | null {
  const [provider, model] = [info.filled('providerID'), info.filled('modelID')]
  return provider === null || model === null ? model : `${provider}/${model}`
}
