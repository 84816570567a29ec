/** Where a value stands in a JSON document, and how we write that down: `simulations[3].messages[7]`. */

export type JsonPath = readonly (string | number)[]

const plainKey = /^[\w$-]+$/

export function formatPath(path: JsonPath): string {
  let text = ''
  for (const step of path) {
    if (typeof step === 'number') text += `[${step}]`
    else if (!plainKey.test(step)) text += `[${JSON.stringify(step)}]`
    else text += text === '' ? step : `.${step}`
  }
  return text
}
