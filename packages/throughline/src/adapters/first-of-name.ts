/** Of several tools with one name the first: services refuse a second. Those without a name stay. */
export function firstOfName<Tool>(
  tools: readonly Tool[],
  nameOf: (tool: Tool) => unknown,
): readonly Tool[] {
  const seen = new Set<unknown>()
  return tools.filter((tool) => {
    const name = nameOf(tool)
    const first = name === undefined || !seen.has(name)
    seen.add(name)
    return first
  })
}
