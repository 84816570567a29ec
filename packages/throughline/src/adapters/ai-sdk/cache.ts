/**
 * Cache breakpoints: Anthropic's `cacheControl`, as an option of messages. Where ours
 * are set, those that were read are left out, since a request takes four; options of
 * other providers stay. Without breakpoints everything stays as it was read.
 */
import { type Fields, isPlain } from '../unknown-json.ts'
import type { Draft } from './draft.ts'

interface Prompt {
  readonly system: readonly Fields[]
  readonly drafts: readonly Draft[]
}

const breakpointsMax = 4

export function withBreakpoints(prompt: Prompt, breakpoints: readonly number[]): Prompt {
  if (breakpoints.length === 0) return prompt
  const system = prompt.system.map(withoutHint)
  const last = system.length - 1
  const room = breakpointsMax - (last < 0 ? 0 : 1)
  const marked = new Set(
    breakpoints
      .map((index) => prompt.drafts.findLastIndex(({ source }) => source <= index))
      .filter((index) => index >= 0),
  )
  const kept = new Set([...marked].sort((one, other) => one - other).slice(-room))
  return {
    system: system.map((message, index) => (index === last ? withHint(message) : message)),
    drafts: prompt.drafts.map((draft, index) => {
      const fields = withoutHint(draft.fields)
      const content = draft.content.map(partWithoutHint)
      return { ...draft, content, fields: kept.has(index) ? withHint(fields) : fields }
    }),
  }
}

function withHint(fields: Fields): Fields {
  const options = record(fields['providerOptions'])
  const anthropic = { ...record(options['anthropic']), cacheControl: { type: 'ephemeral' } }
  return { ...fields, providerOptions: { ...options, anthropic } }
}

function record(value: unknown): Fields {
  return isPlain(value) ? value : {}
}

/** In a part, in the output of a tool and in the items of one. */
function partWithoutHint(part: Fields): Fields {
  const { output } = part
  if (!isPlain(output)) return withoutHint(part)
  const { value } = output
  const items = Array.isArray(value) && output['type'] === 'content'
  return withoutHint({
    ...part,
    output: withoutHint({
      ...output,
      ...(items ? { value: value.map((item) => (isPlain(item) ? withoutHint(item) : item)) } : {}),
    }),
  })
}

function withoutHint(fields: Fields): Fields {
  const { providerOptions, ...others } = fields
  if (!isPlain(providerOptions) || !isPlain(providerOptions['anthropic'])) return fields
  // The SDK takes both spellings.
  const { cacheControl, cache_control, ...anthropic } = providerOptions['anthropic']
  if (cacheControl === undefined && cache_control === undefined) return fields
  const { anthropic: _, ...rest } = providerOptions
  const options = Object.keys(anthropic).length === 0 ? rest : { ...providerOptions, anthropic }
  return Object.keys(options).length === 0 ? others : { ...others, providerOptions: options }
}
