import { addSizes, type ContextMessage, type Rendered, type Size } from '../../domain/context.ts'
import { type Sha256, shortHash, spellingHash } from '../../domain/hash.ts'
import type { Seq } from '../../domain/ids.ts'
import type { Message, Part } from '../../domain/message.ts'
import type { ShownView, StubbedMessage, View } from '../../domain/view.ts'
import { type AssembleInput, assemble } from '../assemble/assemble.ts'
import { fillerSize, requestFrame, systemSize } from '../assemble/fixed-texts.ts'
import { pinBlock } from '../assemble/slots.ts'
import type { Meter } from '../measure/measure.ts'
import type { LogReader } from '../read/readers.ts'
import { getOrMake } from '../text/bounded-cache.ts'
import type {
  Candidates,
  ContextInputs,
  FixedParts,
  RenderedRequest,
  SelectedMessages,
} from './records.ts'

export function renderView(
  { request, policy, meter, inserts, sha256 }: ContextInputs,
  { supplied, offered, pinned, sizes, plan }: FixedParts,
  view: ShownView,
  messages: readonly Message[],
): RenderedRequest {
  const { system } = request
  const { tools } = sizes
  const fits = (size: Size) => plan.tokensAgainstLimit(size) + breakpointsTokens <= plan.limitTokens
  const shown = { ...supplied, view, messages, pinned, system, offered, inserts, policy }
  return renderRequest({ ...shown, tools, meter, fits, sha256 })
}

export function pinSizes({ meter }: ContextInputs, { pinned }: FixedParts): ReadonlyMap<Seq, Size> {
  return new Map(pinned.map((message) => [message.seq, meter.closeSize(pinBlock(message))]))
}

/** Renders the request that a selection would send. */
export function renderSelected(
  input: ContextInputs,
  fixed: FixedParts,
  candidates: Pick<Candidates, 'candidates' | 'task'>,
  selected: ShownView,
): RenderedRequest {
  return renderView(input, fixed, selected, wholeMessages(candidates, selected))
}

/** The messages that a selection shows whole. */
export function wholeMessages(
  { candidates, task }: Pick<Candidates, 'candidates' | 'task'>,
  { line, keeps, stubs }: Pick<View, 'line' | 'keeps' | 'stubs'>,
): readonly Message[] {
  const stubbed = new Set(stubs.map(({ seq }) => seq))
  const isShown = (seq: Seq) => seq >= line || keeps.includes(seq)
  return (task === null ? candidates : [task, ...candidates])
    .map(({ message }) => message)
    .filter(({ seq }) => isShown(seq) && !stubbed.has(seq))
}

/** The message that the caller passed as `next`, as a list. */
export function nextMessages({ next }: ContextInputs): readonly Message[] {
  return next === null ? [] : [next]
}

/**
 * The next message is not in the log yet, so a view stores its stub separately, with its hash.
 * `mergeNextMessage` uses the stub once the same message has been appended.
 */
export function splitNextMessage(
  { line, keeps, stubs }: SelectedMessages,
  { log, next }: ContextInputs,
): Pick<View, 'line' | 'keeps' | 'stubs' | 'next'> {
  const stub = stubs.find(({ seq }) => seq === log.head) ?? null
  const isShort = stub !== null || line > log.head
  return {
    line: Math.min(line, log.head),
    keeps: keeps.filter((seq) => seq < log.head),
    stubs: stubs.filter(({ seq }) => seq < log.head),
    next: next === null || !isShort ? null : { seq: log.head, hash: next.hashes.content, stub },
  }
}

/** Puts the stub of the next message among the view's stubs, if that message was appended. */
export function mergeNextMessage(
  { line, keeps, stubs, next, history }: View,
  messages: readonly Message[],
): { readonly selected: ShownView; readonly messages: readonly Message[] } {
  const isNext = ({ seq, hashes }: Message) =>
    next !== null && seq === next.seq && hashes.content === next.hash
  if (next === null || !messages.some(isNext))
    return { selected: { line, keeps, stubs, history }, messages }
  return {
    selected:
      next.stub === null
        ? { line: next.seq + 1, keeps, stubs, history }
        : { line, keeps, stubs: [...stubs, next.stub], history },
    messages: messages.filter((message) => !isNext(message)),
  }
}

/** The size of four breakpoints as JSON; a request without that much room gets none. */
export const breakpointsTokens = 75

/** Counts the whole request, because repairs add to what was selected. */
export function renderRequest({
  tools,
  meter,
  fits,
  sha256,
  ...input
}: AssembleInput & {
  readonly tools: Size
  readonly meter: Meter
  readonly sha256: Sha256
  readonly fits: (size: Size) => boolean
}): RenderedRequest {
  const { messages, ...assembled } = assemble(input)
  const render = messageRenderer(input.messages, input.view.stubs, sha256)
  // `meter.size` gives an upper bound of the size as JSON, `closeSize` the exact one.
  const bounded = messages.map((message) => render(message, meter.size))
  const system = systemSize(assembled.system, meter)
  const fixed = [requestFrame(meter), fillerSize(messages), system, tools]
  let size = addSizes([...fixed, ...bounded.map((each) => each.size)])
  // Exact sizes cost time: they replace the upper bounds only until the request is known to fit.
  // The oldest messages come first, because earlier requests have cached their sizes.
  const rendered = bounded.map((each) => {
    if (each.size.wire === each.size.tokens || fits(size)) return each
    const exact = render(each.message, meter.closeSize)
    size = { tokens: size.tokens, wire: size.wire - each.size.wire + exact.size.wire }
    return exact
  })
  return { ...assembled, rendered, size }
}

/** The messages that a view shows whole. Stubbed messages are not read, because they may be large. */
export async function readViewMessages(
  log: LogReader,
  { line, keeps, stubs }: Pick<View, 'line' | 'keeps' | 'stubs'>,
): Promise<readonly Message[]> {
  const stubbed = stubs.map(({ seq }) => seq)
  const wholeKeeps = keeps.filter((seq) => !stubbed.includes(seq))
  const kept = await Promise.all(wholeKeeps.map((seq) => log.read({ from: seq, to: seq + 1 }, [])))
  const stubsAfterLine = stubbed.filter((seq) => seq >= line)
  return [...kept.flat(), ...(await log.read({ from: line, to: log.head }, stubsAfterLine))]
}

/** Sizes of unchanged messages are cached by hash, so a request measures only new messages. */
function messageRenderer(
  messages: readonly Message[],
  stubs: readonly StubbedMessage[],
  sha256: Sha256,
): (message: ContextMessage, sizeOf: Meter['size']) => Rendered {
  const wholes = new Map<Seq | null, Message>(messages.map((message) => [message.seq, message]))
  const stubbed = new Map<Seq | null, StubbedMessage>(stubs.map((stub) => [stub.seq, stub]))
  return (message, sizeOf) => {
    const whole = wholes.get(message.seq)
    if (whole !== undefined) return renderWholeMessage(message, whole, { sizeOf, sha256 })
    const stub = stubbed.get(message.seq)
    if (stub !== undefined && message.parts === stub.parts)
      return { message, size: stub.size, key: `${stub.seq} ${stub.hash}` }
    return { ...renderDerivedMessage(message, sizeOf), message }
  }
}

/** Cached because the history block may be long and stays the same for a whole epoch. */
function renderDerivedMessage(message: ContextMessage, sizeOf: Meter['size']): Rendered {
  const { seq, role, author, parts } = message
  return getOrMake(
    getOrMake(derivedSizes, sizeOf, () => new WeakMap<readonly Part[], Rendered>()),
    parts,
    () => ({ message, size: sizeOf(message), key: JSON.stringify([seq, role, author, parts]) }),
    ({ message: one }) => one.seq === seq && one.role === role && one.author === author,
  )
}

const derivedSizes = new WeakMap<Meter['size'], WeakMap<readonly Part[], Rendered>>()

/** A repair may have changed the message of the log; then its key says how. */
function renderWholeMessage(
  message: ContextMessage,
  whole: Message,
  { sizeOf, sha256 }: { readonly sizeOf: Meter['size']; readonly sha256: Sha256 },
) {
  if (message.parts === whole.parts && message.author === whole.author) {
    const cache = getOrMake(wholeSizes, sizeOf, () => new WeakMap<Message, SizeAndKey>())
    const measure = () => ({ size: sizeOf(whole), key: messageKey(whole, sha256) })
    return { message, ...getOrMake(cache, whole, measure) }
  }
  const { content, canonical } = whole.hashes
  const repaired = JSON.stringify([message.role, message.parts.map(repairedFields)])
  const hashes = { content, canonical: `${canonical}${repaired}` }
  const size = sizeOf({ ...message, hashes })
  return { message, size, key: `${messageKey(whole, sha256)}${repaired}` }
}

type SizeAndKey = Pick<Rendered, 'size' | 'key'>

// Most whole messages are in every request; their size differs only between `size` and `closeSize`.
const wholeSizes = new WeakMap<Meter['size'], WeakMap<Message, SizeAndKey>>()

/** Of the meaning, which another spelling does not change, and of reasoning, which is sent as well. */
function messageKey(message: Message, sha256: Sha256): string {
  const meaning = spellingHash(message, sha256).slice(0, hashCharacters)
  const reasoning = message.parts.filter(({ type }) => type === 'reasoning')
  const sealed = reasoning.length === 0 ? '' : ` ${shortHash(JSON.stringify(reasoning))}`
  return `${message.seq} ${meaning}${sealed}`
}

const hashCharacters = 24

/** The fields of a part that a repair may change. */
function repairedFields(part: Part): readonly (string | null)[] {
  const isToolUse = part.type === 'tool-call' || part.type === 'tool-result'
  return isToolUse ? [part.type, part.callId, part.name] : [part.type]
}
