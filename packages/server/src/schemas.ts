/** Schemas that several routes share. Answers are loose: the engine may add fields. */
import * as v from 'valibot'

const wholeText = v.pipe(v.string(), v.regex(/^\d{1,15}$/), v.transform(Number))

/** In a query every value is a text. */
export const wholeNumber = v.optional(wholeText)
export const flag = v.optional(
  v.pipe(
    v.picklist(['true', 'false']),
    v.transform((text) => text === 'true'),
  ),
)
const upTo = (most: number) =>
  v.optional(
    v.pipe(v.string(), v.regex(/^\d{1,4}$/), v.transform(Number), v.minValue(1), v.maxValue(most)),
    '100',
  )
export const pageLimit = upTo(1000)
/** A ledger has at most 3,000 entries, so that a page can have it as it is at one time. */
export const ledgerLimit = upTo(3000)
export const cursor = v.optional(v.pipe(v.string(), v.minLength(1), v.maxLength(4096)))

export const natural = v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(2 ** 53 - 1))
/** A URL cannot name `.` and `..`. */
export const id = v.pipe(
  v.string(),
  v.minLength(1),
  v.maxLength(512),
  v.regex(/^(?:[^.]|\.[^.]|\.\.[\s\S])[\s\S]*$/),
)
export const modelName = v.pipe(v.string(), v.minLength(1), v.maxLength(512))
export const jsonObject = v.record(v.string(), v.unknown())

export function page<Item extends v.GenericSchema>(item: Item) {
  return v.strictObject({ items: v.array(item), next: v.nullable(v.string()) })
}

/** A page, given one item more than its limit where there are more. */
export function pageOf<Item>(
  found: readonly Item[],
  limit: number,
  cursorAfter: (last: Item) => string,
) {
  const items = found.slice(0, limit)
  const last = items.at(-1)
  return { items, next: found.length > limit && last !== undefined ? cursorAfter(last) : null }
}

const nullableText = v.nullable(v.string())
const nullableNumber = v.nullable(v.number())
const span = v.strictObject({ from: v.number(), to: v.number() })
const object = v.looseObject({})

export const conversation = v.looseObject({
  id: v.string(),
  tenant: v.string(),
  title: nullableText,
  titleFrom: nullableNumber,
  meta: v.nullable(jsonObject),
  head: v.number(),
  version: v.number(),
  rewrites: v.number(),
  pins: v.array(v.number()),
  compaction: v.looseObject({ mode: v.nullable(v.picklist(['on', 'off', 'shadow'])) }),
  parent: v.nullable(v.looseObject({ conversationId: v.string(), callId: nullableText })),
  forkedFrom: v.nullable(v.looseObject({ conversationId: v.string(), at: v.number() })),
  createdAt: v.number(),
})

const role = v.picklist(['system', 'user', 'assistant', 'tool'])
const part = v.looseObject({ type: v.string() })

export const origin = v.picklist([
  ...(['person', 'application', 'developer', 'model'] as const),
  ...(['agent', 'tool', 'summary'] as const),
])

export const message = v.looseObject({
  id: v.string(),
  conversationId: v.string(),
  seq: v.number(),
  role,
  origin: v.nullable(origin),
  author: nullableText,
  parts: v.array(part),
  status: v.picklist(['complete', 'incomplete']),
  createdAt: v.number(),
  meta: v.nullable(jsonObject),
  key: nullableText,
  hashes: v.looseObject({ content: v.string(), canonical: v.string(), chain: v.string() }),
  marks: v.array(v.looseObject({ kind: v.string() })),
})

/** The engine checks parts, and says which field is wrong. Bytes are base64. */
export const messageInput = v.strictObject({
  role,
  origin: v.optional(origin),
  content: v.union([v.string(), v.array(part)]),
  author: v.optional(v.string()),
  status: v.optional(v.picklist(['complete', 'incomplete'])),
  createdAt: v.optional(natural),
  meta: v.optional(jsonObject),
  key: v.optional(v.string()),
  raw: v.optional(v.string()),
})

/** Works where there is no conversation yet, as in the engine; otherwise the answer is 404. */
export const allowMissing = v.optional(v.boolean(), false)

/** What `context` takes, without what only a program in the same process can pass. */
export const contextFields = {
  model: modelName,
  system: v.optional(v.union([v.string(), v.array(v.looseObject({ type: v.literal('text') }))])),
  tools: v.optional(v.array(v.looseObject({ name: v.string() }))),
  next: v.optional(messageInput),
  profile: v.optional(v.string()),
  retrieved: v.optional(
    v.union([
      v.string(),
      v.array(
        v.strictObject({
          text: v.string(),
          id: v.optional(v.string()),
          title: v.optional(v.string()),
        }),
      ),
    ]),
  ),
  memory: v.optional(v.picklist(['condensed', 'full'])),
  replyTokens: v.optional(v.pipe(natural, v.minValue(1))),
}

export const decision = v.looseObject({ kind: v.string(), reason: v.string(), shadow: v.boolean() })

const section = v.looseObject({ kind: v.string(), messages: v.number(), tokens: v.number() })
const omission = v.looseObject({ span: v.nullable(span), why: v.string() })

export const context = v.looseObject({
  model: v.string(),
  system: v.array(part),
  tools: v.array(v.looseObject({ name: v.string() })),
  messages: v.array(
    v.looseObject({ role, seq: nullableNumber, slot: v.string(), parts: v.array(part) }),
  ),
  /** The bytes of files as base64, by their hash. */
  files: v.record(v.string(), v.string()),
  breakpoints: v.array(v.number()),
  budget: object,
  tokens: v.number(),
  available: v.number(),
  sections: v.array(section),
  omitted: v.array(omission),
  repairs: v.array(v.looseObject({ kind: v.string() })),
  epoch: v.number(),
  decision,
  fingerprint: v.string(),
  prefixOf: nullableText,
  brokenBy: nullableText,
  warnings: v.array(v.looseObject({ code: v.string(), text: v.string() })),
})

export const viewVersion = v.looseObject({
  version: v.number(),
  model: v.string(),
  epoch: nullableNumber,
  cause: nullableText,
  line: v.number(),
  tokens: v.number(),
  of: nullableNumber,
  at: v.number(),
  current: v.boolean(),
})

const compactedFields = {
  model: v.string(),
  epoch: v.number(),
  decision,
  covered: span,
  line: v.number(),
  head: v.number(),
  keeps: v.array(v.number()),
  tokensBefore: nullableNumber,
  tokensAfter: v.number(),
}
export const compacted = v.looseObject(compactedFields)
export const receipt = v.looseObject({
  ...compactedFields,
  version: v.number(),
  at: v.number(),
  durationMs: v.number(),
  followUp: v.nullable(object),
})

export const summary = v.looseObject({
  content: v.string(),
  version: v.number(),
  messagesIncluded: v.number(),
  createdAt: v.number(),
  updatedAt: v.number(),
})
export const summaryRecord = v.looseObject({
  id: v.string(),
  text: v.string(),
  covers: span,
  version: v.number(),
})

export const requestUse = v.looseObject({
  fingerprint: v.string(),
  model: v.string(),
  tokens: v.number(),
})
export const status = v.looseObject({
  conversation: v.nullable(conversation),
  suspended: v.boolean(),
  last: v.nullable(requestUse),
  requests: v.array(requestUse),
  totals: v.looseObject({ requests: v.number(), compactions: v.number() }),
})

const rebuiltMessage = v.looseObject({
  role,
  seq: nullableNumber,
  slot: v.string(),
  parts: v.array(part),
  tokens: v.number(),
})
export const rebuiltRequest = v.looseObject({
  request: requestUse,
  difference: nullableText,
  system: v.nullable(v.array(part)),
  tools: v.nullable(v.array(v.looseObject({ name: v.string() }))),
  messages: v.array(rebuiltMessage),
  sections: v.array(section),
  omitted: v.array(omission),
  repairs: v.array(v.looseObject({ kind: v.string() })),
  suppliedTokens: v.number(),
})
export const keptVersion = v.strictObject({
  version: v.number(),
  model: v.string(),
  view: v.nullable(
    v.looseObject({
      epoch: v.number(),
      cause: v.string(),
      line: v.number(),
      keeps: v.array(v.number()),
      stubs: v.array(v.looseObject({ seq: v.number(), parts: v.array(part) })),
      history: v.nullable(v.looseObject({ summary: v.string(), ledger: v.string() })),
    }),
  ),
})

export const requestCost = v.looseObject({
  fingerprint: v.string(),
  at: v.number(),
  head: nullableNumber,
  tokens: v.number(),
  cachedTokens: v.number(),
  freshTokens: v.number(),
  brokenBy: nullableText,
  cost: v.number(),
})
export const methodCost = v.strictObject({
  cost: v.number(),
  sentTokens: v.number(),
  breaks: v.number(),
  tooLarge: v.number(),
})

export const ledgerEntry = v.looseObject({
  kind: v.string(),
  key: v.string(),
  label: v.string(),
  value: v.string(),
  status: v.picklist(['current', 'retracted']),
  trust: v.string(),
  sources: v.array(v.number()),
  lastSeq: v.number(),
})

export const recalled = v.looseObject({
  query: v.string(),
  pieces: v.array(
    v.looseObject({
      anchor: v.string(),
      span,
      text: v.string(),
      score: v.number(),
      kind: v.string(),
    }),
  ),
  unsearched: v.nullable(span),
})

export const expanded = v.looseObject({
  messages: v.array(message),
  pieces: v.array(v.looseObject({ seq: v.number(), text: v.string() })),
  text: v.string(),
  next: nullableText,
})

const step = v.looseObject({ span, calls: v.array(object), open: v.boolean() })
export const turn = v.looseObject({ span, steps: v.array(step), open: v.boolean() })

export const entity = v.looseObject({
  id: v.string(),
  type: v.string(),
  label: v.string(),
  state: v.picklist(['pending', 'active', 'inactive']),
})
const stepDigest = v.looseObject({ turn: v.number(), step: v.number(), description: v.string() })
export const stepRecord = v.looseObject({ ...stepDigest.entries, status: v.string() })
export const turnMemoryFields = v.looseObject({
  turn: v.number(),
  to: v.number(),
  theme: v.nullable(v.looseObject({ text: v.string() })),
  history: v.array(v.looseObject({ text: v.string(), from: v.number(), to: v.number() })),
  pending: v.nullable(v.looseObject({ kind: v.string() })),
  entities: v.array(entity),
  recentTurns: v.array(v.looseObject({ turn: v.number(), user: v.string() })),
  activeEntities: v.array(entity),
  steps: v.array(stepRecord),
  stepDigests: v.array(stepDigest),
})
export const turnRecord = v.looseObject({
  turn: v.number(),
  messages: span,
  user: v.string(),
  assistant: v.string(),
  at: v.number(),
})

export const purgeOutcome = v.looseObject({
  kind: v.picklist(['purged', 'already-purged']),
  erased: v.boolean(),
  remains: v.array(v.string()),
})
export const event = v.looseObject({ number: v.number(), kind: v.string(), at: v.number() })
