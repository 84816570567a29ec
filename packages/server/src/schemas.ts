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
export const pageLimit = v.optional(
  v.pipe(v.string(), v.regex(/^\d{1,4}$/), v.transform(Number), v.minValue(1), v.maxValue(1000)),
  '100',
)
export const cursor = v.optional(v.pipe(v.string(), v.minLength(1), v.maxLength(4096)))

export const natural = v.pipe(v.number(), v.integer(), v.minValue(0))
export const id = v.pipe(v.string(), v.minLength(1), v.maxLength(512))
export const modelName = v.pipe(v.string(), v.minLength(1), v.maxLength(512))
export const jsonObject = v.record(v.string(), v.unknown())

export function page<Item extends v.GenericSchema>(item: Item) {
  return v.strictObject({ items: v.array(item), next: v.nullable(v.string()) })
}

export const conversation = v.looseObject({
  id: v.string(),
  title: v.nullable(v.string()),
  head: v.number(),
  version: v.number(),
  pins: v.array(v.number()),
  createdAt: v.number(),
})

export const message = v.looseObject({
  id: v.string(),
  seq: v.number(),
  role: v.string(),
  parts: v.array(v.looseObject({ type: v.string() })),
  createdAt: v.number(),
})

export const messageInput = v.looseObject({
  role: v.picklist(['system', 'user', 'assistant', 'tool']),
  content: v.union([v.string(), v.array(v.looseObject({ type: v.string() }))]),
  author: v.optional(v.string()),
  key: v.optional(v.string()),
  meta: v.optional(jsonObject),
})

/** What `context` takes, without what only a program in the same process can pass. */
export const contextFields = {
  model: modelName,
  system: v.optional(v.union([v.string(), v.array(v.looseObject({ type: v.literal('text') }))])),
  tools: v.optional(v.array(v.looseObject({ name: v.string() }))),
  next: v.optional(messageInput),
  profile: v.optional(v.string()),
  memory: v.optional(v.picklist(['condensed', 'full'])),
  retrieved: v.optional(v.union([v.string(), v.array(v.looseObject({ text: v.string() }))])),
  replyTokens: v.optional(natural),
}

export const context = v.looseObject({
  model: v.string(),
  messages: v.array(v.looseObject({ role: v.string() })),
  tokens: v.number(),
  available: v.number(),
  fingerprint: v.string(),
})

export const viewVersion = v.looseObject({ version: v.number() })
export const receipt = v.looseObject({ model: v.string(), tokensAfter: v.number() })
export const loose = v.looseObject({})
