/** Freezes a value of JSON's kinds, however deep, and gives its characters. */
export function freezeAndMeasure(root: object): number {
  let characters = 0
  const open: object[] = [root]
  for (let value = open.pop(); value !== undefined; value = open.pop()) {
    Object.freeze(value)
    for (const inner of Object.values(value)) {
      if (typeof inner === 'string') characters += inner.length
      else if (typeof inner === 'object' && inner !== null) open.push(inner)
    }
  }
  return characters
}
