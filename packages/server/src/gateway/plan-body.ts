/** Decides what is sent in place of a request: its own bytes, or a compacted body. */
import type { Context, Seq, Throughline } from 'throughline'
import { fieldsOf } from './answer.ts'
import { bodyWithoutRepeats, type ModelRequest } from './model-request.ts'
import type { RecordedRequest } from './record-request.ts'
import { isDelta } from './record-request.ts'
import { isCompacted, renderBody } from './render-body.ts'

export interface PlannedBody {
  /** Null: the bytes of the client. */
  readonly text: string | null
  /** Null where no context was needed to see that everything fits. */
  readonly context: Context | null
}

export type Rendered = Pick<RecordedRequest, 'chat' | 'placed' | 'dropped'>

export interface Planning {
  readonly throughline: Throughline
  readonly signal: AbortSignal
}

export async function planBody(
  request: ModelRequest,
  recorded: RecordedRequest,
  planning: Planning,
): Promise<PlannedBody> {
  if (isDelta(request) || (await fitsSurely(request, recorded.isWhole, planning)))
    return { text: null, context: null }
  const planned = await compactedBody(request, recorded, planning)
  if (planned.text !== null || request.unrepeated.size === 0) return planned
  const { contextWindowTokens } = (await planning.throughline.meter(request.model)).card
  const isLarge = Buffer.byteLength(request.text) / bytesPerToken > contextWindowTokens / 2
  return isLarge ? { ...planned, text: bodyWithoutRepeats(request) } : planned
}

/** The context of the conversation now, and the body that shows it. */
export async function compactedBody(
  request: ModelRequest,
  recorded: Rendered,
  { throughline, signal }: Planning,
): Promise<PlannedBody> {
  const context = await contextOf(request, { chat: recorded.chat, throughline }, signal)
  return { text: await bodyOf(request, recorded, context, []), context }
}

/** Null where the context leaves nothing out. */
export async function bodyOf(
  request: ModelRequest,
  { chat, placed, dropped }: Rendered,
  context: Context,
  next: readonly number[],
): Promise<string | null> {
  if (!isCompacted(context)) return null
  const original = (seq: Seq) => chat.original(seq)
  return renderBody({ request, context, placed, dropped, original, next })
}

async function contextOf(
  { model, reading, wire, body }: ModelRequest,
  { chat, throughline }: Pick<Planning, 'throughline'> & Pick<Rendered, 'chat'>,
  signal: AbortSignal,
): Promise<Context> {
  const { system, tools } = reading
  const { contextWindowTokens } = (await throughline.meter(model)).card
  const asked = replyTokensOf(wire.replyTokens(body), contextWindowTokens)
  return chat.context({
    model,
    system,
    tools,
    signal,
    ...(asked !== null && { replyTokens: asked }),
  })
}

/** A client that does not know the window asks for most of it; half is then for the answer. */
function replyTokensOf(asked: number | null, windowTokens: number): number | null {
  return asked === null ? null : Math.min(asked, Math.floor(windowTokens / 2))
}

/**
 * A token has at least one byte, so a body with fewer bytes than half of the window has fewer tokens than every
 * trigger. A client that compacts itself sends less than the log has, so there its own size counts.
 */
async function fitsSurely(
  request: ModelRequest,
  isWhole: boolean,
  { throughline }: Planning,
): Promise<boolean> {
  const { contextWindowTokens } = (await throughline.meter(request.model)).card
  const bytes = Buffer.byteLength(request.text)
  const reply = replyTokensOf(request.wire.replyTokens(request.body), contextWindowTokens) ?? 0
  const free = Math.max(contextWindowTokens / 4, contextWindowTokens - reply)
  if (isWhole) return bytes < Math.min(contextWindowTokens / 2, free / 2) && !hasFiles(request)
  return bytes / bytesPerToken < free / 2
}

/** Fewer than nearly all texts have. */
const bytesPerToken = 3

/** The size of a file in a request says nothing about its tokens. */
function hasFiles({ reading }: ModelRequest): boolean {
  return reading.messages.some(
    ({ content }) =>
      Array.isArray(content) &&
      content.some(
        (part) =>
          ['file', 'tool-result'].includes(fieldsOf(part)?.['type'] as string) && isFile(part),
      ),
  )
}

function isFile(part: unknown): boolean {
  const { type, output } = fieldsOf(part) ?? {}
  if (type === 'file') return true
  const parts = fieldsOf(output)?.['parts']
  return Array.isArray(parts) && parts.some((each) => fieldsOf(each)?.['type'] === 'file')
}
