/** Checks the budget: never exceeded, well used, and refused only if the fixed parts do not fit. */
import { type Context, type Deliverable, isThroughlineError, type MessageInput } from 'throughline'
import { checkListed } from './check-listed.ts'
import { checkContextPairs, checkPairs } from './check-pairs.ts'
import { checkSealedContext, checkSealedRequest, type Seals } from './check-sealed.ts'
import {
  checkContextUnicode,
  checkPins,
  checkSystem,
  checkUnicode,
  isObject,
  textsIn,
} from './check-text.ts'
import { availableIn, type Oracle } from './oracle.ts'
import { type Provider, providers } from './providers.ts'
import type { Case } from './random-case.ts'
import { type Tally, type Violation, violation } from './tally.ts'

interface Written {
  readonly provider: Provider
  readonly request: object
  readonly tokens: number
}

function checkBudget(
  context: Pick<Context, 'available' | 'tokens'>,
  windowTokens: number,
  written: readonly Written[],
): readonly Violation[] {
  const available = availableIn(windowTokens)
  const found: Violation[] = []
  if (context.available !== available)
    found.push(violation('budget', `available is ${context.available}, not ${available}`))
  if (context.tokens > context.available)
    found.push(violation('budget', `reports ${context.tokens} of ${context.available} tokens`))
  for (const { provider, tokens } of written)
    if (tokens > available)
      found.push(violation('budget', `${provider.format}: ${tokens} of ${available} tokens`))
  return found
}

/** What a request must contain in any case, as it would be sent to a provider. */
interface FixedTokens {
  readonly tokens: number
}

export function fixedTokens({ messages, asked }: Case, oracle: Oracle): FixedTokens {
  const { system = [], tools = [], pins = [] } = asked
  const bare: Deliverable = {
    system:
      typeof system === 'string'
        ? [{ type: 'text', text: system.toWellFormed(), metadata: null }]
        : system,
    tools,
    messages: [
      {
        role: 'user',
        author: null,
        parts: [{ type: 'text', text: '.', metadata: null }],
        meta: null,
        seq: null,
        slot: 'current',
      },
    ],
    files: new Map(),
    breakpoints: [],
  }
  const most = Math.max(
    ...providers.map((provider) => oracle.request(provider.format, provider.write(bare), bare)),
  )
  // A pin outside its position is rendered as text in a block, so its JSON is escaped once more.
  const pinned = pins.map((seq) => blockTokens + oracle.text(JSON.stringify(asText(messages[seq]))))
  // Extra fields of system and tools are kept as well, whatever the provider.
  const notes = [...bare.system, ...bare.tools].map(({ metadata = null }) =>
    metadata === null ? 0 : oracle.text(JSON.stringify(metadata)),
  )
  return { tokens: [...pinned, ...notes].reduce((sum, tokens) => sum + tokens, most) }
}

// The label and the marks of a block.
const blockTokens = 50

/** Bytes cost what pictures do; the size of a linked document is unknown. */
function asText(message: MessageInput | undefined): string {
  return JSON.stringify(message ?? null, (_, value: unknown) => {
    if (value instanceof Uint8Array) return pictureText
    // A text file is sent as text, at worst one token per byte.
    if (isObject(value) && value['data'] instanceof Uint8Array && isText(value['mediaType']))
      return { ...value, data: ' a'.repeat(value['data'].byteLength) }
    if (!isObject(value) || value['type'] !== 'file' || value['url'] === undefined) return value
    return String(value['mediaType']).startsWith('image')
      ? { ...value, type: pictureText }
      : documentText
  })
}

function isText(mediaType: unknown): boolean {
  return typeof mediaType === 'string' && /^text\/|json|csv|xml|yaml/.test(mediaType)
}

/** As many tokens as a picture costs on the card, and as a document of some pages does. */
const pictureText = ' a'.repeat(40)
const documentText = ' a'.repeat(50_000)

// Each request also has a frame, a note about omitted messages, and one shortened message.
const frameTokens = 100

function checkOverflow(windowTokens: number, held: FixedTokens): readonly Violation[] {
  const available = availableIn(windowTokens)
  if (held.tokens > available - frameTokens) return []
  return [
    violation('overflow', `refused although only ${held.tokens} of ${available} tokens are fixed`),
  ]
}

/** A history of at least this many times the budget can fill the target. */
const plenty = 3
// The least target, of a conversation whose turns are large: room for several of them comes first.
const targetShare = 0.27
// A batch of parallel calls is omitted as a whole, which may leave little in smaller rooms.
const roomTokens = 512

/** How full the request is, as a share of its target; null if the history is too short to judge. */
export function fillOf(
  { messages }: Case,
  windowTokens: number,
  held: FixedTokens,
  written: readonly Written[],
): number | null {
  const available = availableIn(windowTokens)
  if (shortenableTokens(messages) < available * plenty || available - held.tokens < roomTokens)
    return null
  const target = held.tokens + targetShare * (available - held.tokens)
  return Math.max(...written.map(({ tokens }) => tokens)) / target
}

export function checkFill(fill: number | null): readonly Violation[] {
  if (fill === null || fill >= 1) return []
  return [violation('fill', `${Math.round(fill * 100)} % of the target`)]
}

const shortenableCache = new WeakMap<readonly MessageInput[], number>()
const charactersPerToken = 8

/** A lower bound of tokens that can be shortened: neither files nor sealed blocks. */
function shortenableTokens(messages: readonly MessageInput[]): number {
  const known = shortenableCache.get(messages)
  if (known !== undefined) return known
  let characters = 0
  for (const { content } of messages) {
    if (typeof content === 'string') characters += content.trim().length
    else
      for (const part of content)
        if (part.type === 'text') characters += part.text.trim().length
        else if (part.type === 'tool-result')
          for (const text of textsIn(part.output)) characters += text.trim().length
  }
  const tokens = Math.floor(characters / charactersPerToken)
  shortenableCache.set(messages, tokens)
  return tokens
}

/** A requested context, or why there is none. */
export type Attempt<Made extends Context> =
  | { readonly context: Made }
  | { readonly context: null; readonly overflow: boolean; readonly why: string }

export async function attempt<Made extends Context>(
  make: () => Promise<Made>,
): Promise<Attempt<Made>> {
  try {
    return { context: await make() }
  } catch (cause) {
    const overflow = isThroughlineError(cause) && cause.code === 'CONTEXT_OVERFLOW'
    const why = cause instanceof Error ? (cause.stack ?? cause.message) : String(cause)
    return { context: null, overflow, why: why.split('\n').slice(0, 5).join(' | ') }
  }
}

/** A refusal is correct if the fixed parts do not fit; every other error is wrong. */
export function noteRefusal(
  { overflow, why }: Extract<Attempt<Context>, { readonly context: null }>,
  made: Case,
  windowTokens: number,
  { tally, oracle }: { readonly tally: Tally; readonly oracle: Oracle },
): void {
  if (!overflow) {
    tally.note(windowTokens, [violation('error', why)])
    return
  }
  const held = fixedTokens(made, oracle)
  tally.refused(windowTokens, held.tokens)
  tally.note(windowTokens, checkOverflow(windowTokens, held))
}

/** One context, written for every provider and checked against every rule. */
interface Checked {
  readonly violations: readonly Violation[]
  readonly written: readonly Written[]
}

export function checkContext(
  context: Context,
  made: Pick<Case, 'messages' | 'asked'>,
  windowTokens: number,
  tools: { readonly oracle: Oracle; readonly seals: Seals },
): Checked {
  const violations: Violation[] = []
  const written: Written[] = []
  for (const provider of providers) {
    try {
      const request = provider.write(context)
      const tokens = tools.oracle.request(provider.format, request, context)
      written.push({ provider, request, tokens })
    } catch (cause) {
      violations.push(violation('accepted', `${provider.format}: ${String(cause)}`))
    }
  }
  const { messages, asked } = made
  const pins = asked.pins ?? []
  violations.push(
    ...checkBudget(context, windowTokens, written),
    ...checkContextPairs(context),
    ...checkContextUnicode(context),
    ...checkSealedContext(context, tools.seals),
    ...checkListed(context, messages, pins),
  )
  for (const { provider, request } of written) {
    const named = ({ rule, detail }: Violation) => violation(rule, `${provider.format}: ${detail}`)
    violations.push(
      ...provider.problems(request).map((problem) => violation('accepted', problem)),
      ...checkPairs(provider.format, request),
      ...[
        ...checkUnicode(request),
        ...checkSealedRequest(request, tools.seals),
        ...checkSystem(context, request, asked),
        ...checkPins(request, messages, pins),
      ].map(named),
    )
  }
  return { violations, written }
}

/** The requests in all five formats, byte for byte. */
export function bytesOf(context: Context): string {
  return JSON.stringify(providers.map((provider) => provider.write(context)))
}
