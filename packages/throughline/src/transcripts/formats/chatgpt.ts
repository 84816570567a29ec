/**
 * ChatGPT's export, `conversations.json`: a list of conversations, each a tree of messages. We read the
 * path to the message shown last (`current_node`), and count the messages of other branches.
 * `current_node` comes after the messages, so one conversation at a time is read as a whole.
 */
import { metaOf, plainText } from '../json/json-access.ts'
import { type JsonElement, scanText } from '../json/json-elements.ts'
import {
  fieldsOf,
  type JsonNode,
  parseRaw,
  type RawFields,
  type RawJson,
  valueIn,
} from '../json/raw-json.ts'
import { chooseRecords, type ReaderInput, readElements } from '../json/scan-source.ts'
import { UniqueNames } from '../names.ts'
import { secondsOf } from '../times.ts'
import {
  conversationItem,
  messageItem,
  problemItem,
  type TranscriptConversation,
  type TranscriptItem,
} from '../transcript.ts'
import { OpenToolCall, parseChatgptMessage } from './chatgpt-message.ts'

export function readChatgpt(input: ReaderInput): AsyncGenerator<TranscriptItem> {
  const ids = new UniqueNames()
  return readElements(input, chooseRecords, (element) =>
    conversationItems(element, ids, input.name ?? 'conversation'),
  )
}

function* conversationItems(
  element: JsonElement,
  ids: UniqueNames,
  name: string,
): Generator<TranscriptItem> {
  const { fields, problems } = fieldsOf(element)
  yield* problems
  const mapping = fields.get('mapping')
  if (mapping === undefined || !mapping.text.startsWith('{')) {
    if (problems.length === 0)
      yield problemItem(element.line, 'the record holds no messages under "mapping"')
    return
  }
  const conversation = conversationOf(fields, ids, name)
  yield conversation
  const nodes = fieldsOf(mapping)
  yield* nodes.problems
  const end = plainText(valueIn(fields, 'current_node'))
  const { path, branches } = pathTo(end, treeOf(mapping))
  const openCall = new OpenToolCall()
  for (const id of path) {
    const item = nodeItem(id, nodes.fields.get(id), { id: conversation.id, openCall })
    if (item !== null) yield item
  }
  for (const messages of branches)
    yield { kind: 'branch', conversationId: conversation.id, messages, line: element.line }
}

function conversationOf(
  fields: RawFields['fields'],
  ids: UniqueNames,
  name: string,
): TranscriptConversation {
  const namedId =
    plainText(valueIn(fields, 'conversation_id')) || plainText(valueIn(fields, 'id')) || name
  const title = valueIn(fields, 'title')
  const meta = metaOf({
    createdAt: secondsOf(valueIn(fields, 'create_time')),
    model: plainText(valueIn(fields, 'default_model_slug')),
    gizmoId: plainText(valueIn(fields, 'gizmo_id')),
  })
  return conversationItem(ids.take(namedId), {
    title: typeof title === 'string' && title !== '' ? title : null,
    meta,
  })
}

function treeOf(mapping: RawJson) {
  /** The parent of every message; null at the root. */
  const parentOf = new Map<string, string | null>()
  /** Nodes that hold a message. */
  const withMessage = new Set<string>()
  const events = scanText(mapping.text, (path, opening) => {
    const [id, field] = path
    if (path.length === 1) parentOf.set(String(id), null)
    if (path.length < 2) return 'enter'
    if (field === 'message' && opening === '{') withMessage.add(String(id))
    return field === 'parent' ? 'take' : 'skip'
  })
  for (const event of events)
    if (event.kind === 'element')
      parentOf.set(String(event.path[0]), plainText(parseRaw(event)?.value) || null)
  return { parentOf, withMessage }
}

function nodeItem(
  key: string,
  node: RawJson | undefined,
  conversation: { readonly id: string; readonly openCall: OpenToolCall },
): TranscriptItem | null {
  const line = node?.line ?? null
  const parsed = parseRaw(node)
  if (parsed === null) return problemItem(line, `${key} is not valid JSON`)
  const message = parsed.field('message')
  // The root of a tree has no message.
  if (!message.isObject) return null
  const result = parseChatgptMessage(message, key, conversation.openCall)
  if (result === 'unknown') return problemItem(line, `${key} is not a known kind of message`)
  if (result === 'empty') return null
  const createdAt = secondsOf(message.get('create_time'))
  const slug = message.field('metadata').filled('model_slug')
  return messageItem(
    { ...result, createdAt, key, raw: message.exact(), status: statusOf(message) },
    { conversationId: conversation.id, line, model: result.role === 'assistant' ? slug : null },
  )
}

function statusOf(message: JsonNode): 'incomplete' | undefined {
  const status = message.text('status')
  return status === 'in_progress' || status === 'finished_partial_completion'
    ? 'incomplete'
    : undefined
}

type MessageTree = ReturnType<typeof treeOf>

function pathTo(end: string | null, tree: MessageTree) {
  const last = end !== null && tree.parentOf.has(end) ? end : lastLeaf(tree)
  const path: string[] = []
  const onPath = new Set<string>()
  // A broken file may have a cycle.
  for (let at = last; at !== null && tree.parentOf.has(at) && !onPath.has(at); ) {
    onPath.add(at)
    path.push(at)
    at = tree.parentOf.get(at) ?? null
  }
  return { path: path.reverse(), branches: branchesOf(onPath, tree) }
}

/** Without `current_node`: the newest leaf. */
function lastLeaf({ parentOf }: MessageTree): string | null {
  const followed = new Set(parentOf.values())
  return [...parentOf.keys()].findLast((id) => !followed.has(id)) ?? null
}

function branchesOf(onPath: ReadonlySet<string>, tree: MessageTree): readonly number[] {
  const headOf = new Map<string, string>()
  const counts = new Map<string, number>()
  for (const id of tree.parentOf.keys()) {
    if (onPath.has(id)) continue
    const head = branchHead(id, onPath, tree, headOf)
    counts.set(head, (counts.get(head) ?? 0) + (tree.withMessage.has(id) ? 1 : 0))
  }
  return [...counts.values()].filter((count) => count > 0)
}

/** The first message of a branch; no node is visited twice. */
function branchHead(
  id: string,
  onPath: ReadonlySet<string>,
  { parentOf }: MessageTree,
  headOf: Map<string, string>,
): string {
  const walked: string[] = []
  const seen = new Set<string>()
  let head = id
  for (let at: string | null = id; at !== null && !onPath.has(at) && parentOf.has(at); ) {
    const known = headOf.get(at)
    head = known ?? at
    if (known !== undefined || seen.has(at)) break
    seen.add(at)
    walked.push(at)
    at = parentOf.get(at) ?? null
  }
  for (const step of walked) headOf.set(step, head)
  return head
}
