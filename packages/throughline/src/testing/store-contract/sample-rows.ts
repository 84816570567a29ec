/** Rows of every kind, of a conversation with eight messages; half depend on the last four. */
import type { DerivedKind, DerivedRow } from '../../domain/derived-row.ts'

/** A lone surrogate, NUL, a Unicode line separator, and a name that all objects have. */
export const hardText = '\ud83d \u0000 \u2028 __proto__ "'

export const row = (changes: Partial<DerivedRow> = {}): DerivedRow => ({
  kind: 'asking',
  position: 0,
  key: '',
  bound: null,
  label: null,
  body: JSON.stringify(hardText),
  ...changes,
})

function sample(kind: DerivedKind, body: unknown, changes: Partial<DerivedRow>) {
  return row({ kind, ...changes, body: JSON.stringify(body) })
}

const view = (line: number) => ({ epoch: line, line, keeps: [], stubs: [], history: null })

const summary = (head: number) => ({
  ...{ id: `${head}`, text: hardText, covers: { from: 0, to: head - 1 }, head },
  ...{ keyPoints: [], madeBy: { summarizer: 's' }, depth: 0, version: 1, trust: 'user' },
})

const receipt = (head: number) => ({
  receipt: {
    ...{ model: 'm', epoch: head, line: head - 1, head, keeps: [], at: 5 },
    ...{ decision: { reason: 'manual' }, covered: { from: 0, to: 1 }, tokensByKind: {} },
    summarization: { attempts: [], repairs: [], marks: [{ kind: 'unknown-name', text: hardText }] },
  },
  followUp: null,
  waiting: { left: { text: hardText, stubs: [] }, expanded: [] },
})

/** A turn of two messages; its history describes the turn two before it. */
export function sampleTurn(turn: number, by = 'c'): readonly DerivedRow[] {
  const words = `${by} ${turn} ${hardText}`
  const history =
    turn > 2 ? [{ from: turn - 2, to: turn - 1, text: `summary ${words}`, by: 'm' }] : []
  const entity = { id: words, turnCreated: turn, turnUpdated: turn }
  const body = {
    ...{ turn, key: `key ${words}`, messages: { from: turn * 2 - 2, to: turn * 2 }, at: 5 },
    ...{ user: words, assistant: words, digest: null, routing: null, decision: 'propose' },
    ...{ entitiesMentioned: [words], steps: [], compressed: null, forgotten: false },
    audit: { created: [words], updated: [], deleted: [], errors: [] },
    knows: { theme: { text: words, by: 'm', turn }, history, pending: null, entities: [entity] },
  }
  const step = { turn, step: 0, description: words, outcome: words, result: words }
  return [
    sample('turn', body, { position: turn, bound: turn * 2 }),
    sample('step', step, { position: turn, key: '0', bound: turn * 2 }),
  ]
}

const turns = [1, 2, 3, 4].flatMap((turn) => sampleTurn(turn))

export const sampleRows: Readonly<Record<DerivedKind, readonly DerivedRow[]>> = {
  facts: [0, 1, 2, 3, 4, 5, 6, 7].map((position) => row({ kind: 'facts', position })),
  digest: [2, 4].map((position) => row({ kind: 'digest', position })),
  ledger: [row({ kind: 'ledger' })],
  summary: [3, 6].map((head) =>
    sample('summary', summary(head), { position: head, key: `${head}`, bound: head - 1 }),
  ),
  view: [3, 6].map((line) => sample('view', view(line), { position: line, key: `${line}` })),
  version: [
    ...[3, 6].map((line) => sample('version', view(line), { position: line })),
    sample('version', null, { position: 7 }),
  ],
  receipt: [3, 6].map((head) => sample('receipt', receipt(head), { position: head, bound: 31 })),
  request: [row({ kind: 'request', position: 1 })],
  system: [row({ kind: 'system' })],
  tools: [row({ kind: 'tools' })],
  calibration: [row({ kind: 'calibration' })],
  insert: [2, 4].map((from) => {
    const insert = { epoch: 1, before: 7, of: 'hash', text: hardText }
    return sample('insert', { ...insert, sources: [{ from, to: from + 1 }] }, { position: from })
  }),
  turn: turns.filter(({ kind }) => kind === 'turn'),
  step: turns.filter(({ kind }) => kind === 'step'),
  asking: [row()],
}
