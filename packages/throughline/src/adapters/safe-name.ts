/**
 * Replaces an invalid id or name by its allowed characters and a hash. The result is always the same, so a
 * call and its result still match.
 */
export interface NameRule {
  readonly allowed: RegExp
  readonly lengthMax: number
}

export function safeName(name: string, { allowed, lengthMax }: NameRule): string {
  if (name.length <= lengthMax && allowed.test(name)) return name
  const kept = name.replace(/[^a-zA-Z0-9_-]/g, '_').slice(0, lengthMax - hashLength - 2)
  return `t${kept}_${hash(name)}`
}

const hashLength = 8

function hash(text: string): string {
  let value = 0x811c9dc5
  for (let index = 0; index < text.length; index += 1)
    value = Math.imul(value ^ text.charCodeAt(index), 0x01000193)
  return (value >>> 0).toString(16).padStart(hashLength, '0')
}

/** Keeps the first tool of each name, because services refuse a second one. Tools without a name stay. */
export function firstOfName<Tool>(tools: readonly Tool[], nameOf: (tool: Tool) => unknown) {
  const seen = new Set<unknown>()
  return tools.filter((tool) => {
    const name = nameOf(tool)
    const first = name === undefined || !seen.has(name)
    seen.add(name)
    return first
  })
}
