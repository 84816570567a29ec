/** Random valid requests of generateContent, with every kind of part. */
import fc from 'fast-check'

type Part = Readonly<Record<string, unknown>>

const words = fc.oneof(
  fc.constantFrom(' ', 'hello', 'größer 😀', '{"output":"x"}'),
  fc.string({ minLength: 1, maxLength: 12, unit: 'grapheme' }),
)
const json = fc
  .dictionary(fc.string({ maxLength: 6 }), fc.jsonValue({ maxDepth: 3 }), { maxKeys: 3 })
  .map((value) => JSON.parse(JSON.stringify(value)) as Part)
const base64 = fc
  .uint8Array({ minLength: 1, maxLength: 9 })
  .chain((bytes) =>
    fc.constantFrom(
      Buffer.from(bytes).toString('base64'),
      Buffer.from(bytes).toString('base64url'),
    ),
  )
const seal = fc.constantFrom<Part>(
  {},
  {},
  { thoughtSignature: 'EvQBCg+/' },
  { thoughtSignature: 'a_-A' },
)
const withSeal = (part: fc.Arbitrary<Part>) =>
  fc.tuple(part, seal).map(([fields, more]) => ({ ...fields, ...more }))

const media: fc.Arbitrary<Part> = fc
  .tuple(
    fc.oneof(
      fc
        .tuple(base64, fc.constantFrom('image/png', 'image/gif', 'audio/wav', 'application/zip'))
        .map(([data, mimeType]) => ({ inlineData: { mimeType, data } })),
      base64.map((data) => ({ inlineData: { mimeType: 'image/png', data, displayName: 'a' } })),
      fc.constantFrom<Part>(
        { fileData: { fileUri: 'gs://bucket/a.mp4', mimeType: 'video/mp4' } },
        { fileData: { fileUri: 'https://a.example/watch?v=1' } },
        { fileData: { fileUri: 'https://a.example/a.pdf', mimeType: 'application/pdf' } },
      ),
    ),
    fc.constantFrom<Part>({}, { videoMetadata: { fps: 1 } }, { mediaResolution: { level: 'LOW' } }),
  )
  .map(([part, more]) => ({ ...part, ...more }))
const plain: fc.Arbitrary<Part> = fc.oneof(
  withSeal(words.map((text) => ({ text }))),
  words.map((text) => ({ text, thought: false })),
)
const userPart = fc.oneof(plain, media, fc.constant<Part>({ partOfTomorrow: { a: 1 } }))
const modelPieces: fc.Arbitrary<readonly Part[]> = fc.oneof(
  plain.map((part) => [part]),
  withSeal(media).map((part) => [part]),
  withSeal(words.map((text) => ({ text, thought: true }))).map((part) => [part]),
  fc.constantFrom<readonly Part[]>(
    [{ text: '', thoughtSignature: 'EvQB' }],
    [{ text: '', thought: true, thoughtSignature: 'EvQB' }],
    [{ inlineData: { mimeType: 'image/png', data: 'AAAA' }, thought: true }],
    [
      { executableCode: { language: 'PYTHON', code: '1' } },
      { codeExecutionResult: { outcome: 'OUTCOME_OK', output: '1' }, thoughtSignature: 'EvQB' },
    ],
  ),
)
const response: fc.Arbitrary<Part> = fc.oneof(
  json,
  words.map((output) => ({ output })),
  words.map((error) => ({ error })),
  fc.constantFrom<Part>({ output: '' }, { output: 1 }, { error: '', more: 1 }),
)
const shown = fc.constantFrom<Part>(
  {},
  { parts: [] },
  { parts: [{ inlineData: { mimeType: 'image/png', data: 'AAAA' } }] },
  { parts: [{ fileData: { fileUri: 'gs://a' } }], willContinue: false },
  { scheduling: 'SILENT' },
)

interface Call {
  readonly name: string
  readonly args: Part
  readonly response: Part
  readonly shown: Part
  readonly ids: 'both' | 'call' | 'none'
  readonly seal: Part
}
const call: fc.Arbitrary<Call> = fc.record({
  name: fc.constantFrom('lookup', 'get.weather:v-2', '_x'),
  args: fc.oneof(
    json.map((args) => ({ args })),
    fc.constant({}),
  ),
  response,
  shown,
  ids: fc.constantFrom('both', 'none'),
  seal,
})

interface Exchange {
  readonly modelParts: readonly (readonly Part[])[]
  readonly calls: readonly Call[]
  readonly ids: 'own' | 'both' | 'call' | 'none'
  readonly turned: boolean
  readonly asked: readonly Part[]
}
const exchange: fc.Arbitrary<Exchange> = fc.record({
  modelParts: fc.array(modelPieces, { maxLength: 3 }),
  calls: fc.array(call, { maxLength: 3 }),
  ids: fc.constantFrom('own', 'both', 'call', 'none'),
  turned: fc.boolean(),
  asked: fc.array(userPart, { maxLength: 2 }),
})

export const geminiRequest = fc
  .record(
    {
      systemInstruction: fc.oneof(
        words.map((text) => ({ parts: [{ text }] })),
        words.map((text) => ({ role: 'user', parts: [{ text }, { text: 'b' }] })),
      ),
      asked: fc.array(userPart, { minLength: 1, maxLength: 3 }),
      exchanges: fc.array(exchange, { maxLength: 4 }),
      roleless: fc.boolean(),
      tools: fc.constantFrom<readonly Part[]>(
        [{ functionDeclarations: [{ name: 'lookup', parameters: { type: 'OBJECT' } }] }],
        [
          {
            functionDeclarations: [
              { name: 'a', description: 'd', parametersJsonSchema: { type: 'object' } },
              { name: 'b', behavior: 'BLOCKING', response: { type: 'STRING' } },
            ],
            googleSearch: {},
          },
          { codeExecution: {} },
          { functionDeclarations: [{ name: 'c' }] },
        ],
      ),
    },
    { requiredKeys: ['asked', 'exchanges', 'roleless'] },
  )
  .map(({ systemInstruction, asked, exchanges, roleless, tools }) => ({
    ...(systemInstruction === undefined ? {} : { systemInstruction }),
    contents:
      roleless && exchanges.length === 0
        ? [{ parts: asked }]
        : [{ role: 'user', parts: asked }, ...exchanges.flatMap(contentsOf)],
    ...(tools === undefined ? {} : { tools }),
  }))

function contentsOf({ modelParts, calls, ids, turned, asked }: Exchange, index: number) {
  const idOf = (own: Call, at: number) => {
    const kind = ids === 'own' ? own.ids : ids
    const id = { id: `fc_${index}_${at}` }
    return { call: kind === 'none' ? {} : id, response: kind === 'both' ? id : {} }
  }
  const called = calls.map((own, at) => ({
    functionCall: { name: own.name, ...own.args, ...idOf(own, at).call },
    ...own.seal,
  }))
  const responses = calls.map((own, at) => ({
    functionResponse: {
      name: own.name,
      response: own.response,
      ...own.shown,
      ...idOf(own, at).response,
    },
  }))
  const spoken = [...modelParts.flat(), ...called]
  const next = [...(turned && ids === 'both' ? responses.toReversed() : responses), ...asked]
  return [
    { role: 'model', parts: spoken.length === 0 ? [{ text: 'Well.' }] : spoken },
    { role: 'user', parts: next.length === 0 ? [{ text: 'Go on.' }] : next },
  ]
}
