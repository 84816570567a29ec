/** Random values of a JSON schema, and values that are near it. */
import fc from 'fast-check'

type Schema = Readonly<Record<string, unknown>>

/** Texts that break parsers, names and stores. */
const oddTexts = [
  ...[
    '',
    ' ',
    '\u0000',
    '\ud800',
    '\udfff\ud800',
    '\u202e',
    '__proto__',
    'constructor',
    '#0',
    '-1',
  ],
  ...["'; DROP TABLE messages; --", '{{x}}', '../../x', '\r\nX: 1', '💥'.repeat(40)],
  ...[
    'x'.repeat(5000),
    '1e999',
    'null',
    '<script>',
    'talk',
    'small',
    'user',
    '0',
    '3-5',
    '9'.repeat(30),
  ],
]
const oddNumbers = [0, -0, -1, 0.5, 1e308, -1e308, 2 ** 53, 2 ** 53 - 1, 2 ** 31, 5e-324]

export const anyText = fc.oneof(
  { weight: 2, arbitrary: fc.constantFrom(...oddTexts) },
  fc.string({ unit: 'grapheme', maxLength: 40 }),
  fc.string({ unit: 'binary', maxLength: 20 }),
)

const anyJson: fc.Arbitrary<unknown> = fc.oneof(
  fc.jsonValue({ maxDepth: 3 }),
  anyText,
  fc.constantFrom(...oddNumbers),
  fc.constantFrom([], {}, [[]], [null], { type: 'text' }, JSON.parse('{"__proto__":{"x":1}}')),
)

/** Mostly values of the schema, now and then one that is not. */
export function near(schema: Schema): fc.Arbitrary<unknown> {
  return fc.oneof({ weight: 14, arbitrary: exact(schema) }, { weight: 1, arbitrary: anyJson })
}

function exact(schema: Schema): fc.Arbitrary<unknown> {
  const any = (schema['anyOf'] ?? schema['oneOf']) as readonly Schema[] | undefined
  if (any !== undefined) return fc.oneof(...any.map(near))
  if (schema['enum'] !== undefined) return fc.constantFrom(...(schema['enum'] as unknown[]))
  if ('const' in schema) return fc.constant(schema['const'])
  switch (schema['type']) {
    case 'string':
      return textOf(schema)
    case 'number':
    case 'integer':
      return fc.oneof(
        { weight: 3, arbitrary: fc.integer({ min: Number(schema['minimum'] ?? -20), max: 20 }) },
        fc.constantFrom(...oddNumbers),
      )
    case 'boolean':
      return fc.boolean()
    case 'null':
      return fc.constant(null)
    case 'array':
      return fc.array(near((schema['items'] ?? {}) as Schema), { maxLength: 4 })
    case 'object':
      return objectOf(schema)
    default:
      return anyJson
  }
}

function textOf(schema: Schema): fc.Arbitrary<unknown> {
  const { pattern } = schema
  return typeof pattern === 'string'
    ? fc.oneof(fc.stringMatching(new RegExp(pattern)), {
        weight: 2,
        arbitrary: fc.nat({ max: 20 }).map(String),
      })
    : anyText
}

function objectOf(schema: Schema): fc.Arbitrary<unknown> {
  const properties = (schema['properties'] ?? {}) as Readonly<Record<string, Schema>>
  const names = Object.keys(properties)
  // Where the document says only that a part has a type, the engine knows more.
  if (names.length === 1 && properties['type']?.['type'] === 'string') return anyPart
  const required = (schema['required'] ?? []) as readonly string[]
  const known = fc.record(
    Object.fromEntries(
      names.map((name) => [name, name === 'model' ? anyModel : near(properties[name] ?? {})]),
    ),
    { requiredKeys: [...required] },
  )
  const isClosed = schema['additionalProperties'] === false
  const more = fc.dictionary(anyText, anyJson, { maxKeys: isClosed ? 1 : 3 })
  return fc
    .tuple(known, more, fc.nat({ max: isClosed ? 30 : 2 }))
    .map(([own, others, chance]) => (chance === 0 ? { ...others, ...own } : own))
}

const anyModel = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom('small', 'small-too', 'gpt-4o', 'no-such-model') },
  anyText,
)

const optional = { requiredKeys: ['type' as const] }
const anyPart = fc.oneof(
  fc.record({ type: fc.constant('text'), text: anyText, origin: anyText }, optional),
  fc.record({ type: fc.constant('reasoning'), text: anyText, signature: anyText }, optional),
  fc.record(
    { type: fc.constant('tool-call'), callId: anyText, name: anyText, input: anyJson },
    optional,
  ),
  fc.record(
    { type: fc.constant('tool-result'), callId: anyText, output: anyJson, isError: fc.boolean() },
    optional,
  ),
  fc.record(
    { type: fc.constant('file'), mediaType: anyText, data: anyText, url: anyText },
    optional,
  ),
  fc.record({ type: fc.constant('opaque'), kind: anyText, json: anyText }, optional),
  fc.record({ type: anyText, text: anyJson }, optional),
)
