/** Ids and names that a provider accepts. */
export interface NameRule {
  readonly pattern: RegExp
  readonly maxLength: number
}

/**
 * Replaces an invalid id or name by its letters and digits and a hash. The result is always the same, so a
 * call and its result still match.
 */
export function safeName(name: string, { pattern, maxLength }: NameRule): string {
  if (name.length <= maxLength && pattern.test(name)) return name
  // Two of the characters are the first letter and the underscore.
  const readablePart = name.replace(/[^a-zA-Z0-9_-]/g, '_').slice(0, maxLength - hashLength - 2)
  return `t${readablePart}_${hash(name)}`
}

const hashLength = 8

/** FNV-1a: short, and the same on every platform. */
function hash(text: string): string {
  let value = 0x811c9dc5
  for (let index = 0; index < text.length; index += 1)
    value = Math.imul(value ^ text.charCodeAt(index), 0x01000193)
  return (value >>> 0).toString(16).padStart(hashLength, '0')
}

/** Keeps the first tool of each name, because services refuse a second one. Tools without a name stay. */
export function withoutDuplicateNames<Tool>(
  tools: readonly Tool[],
  nameOf: (tool: Tool) => unknown,
) {
  const names = new Set<unknown>()
  return tools.filter((tool) => {
    const name = nameOf(tool)
    const isNew = name === undefined || !names.has(name)
    names.add(name)
    return isNew
  })
}
