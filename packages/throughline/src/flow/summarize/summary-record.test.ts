import { expect, it } from 'vitest'
import { sampleView } from '../../derived/samples.test-support.ts'
import { summaryMessage, summaryOf } from './summary-record.ts'

const history = {
  requests: '',
  requestsCut: false,
  described: null,
  entries: 1,
  summary: '--- Summarized Context (1 items) ---',
  ledger: '',
  files: '',
  ledgerTo: 0,
  entriesShown: 0,
  digest: {
    to: 7,
    digest: { version: 2, items: 1, messages: 9, tokensUsed: 30, updates: [], condensed: [] },
  },
  written: null,
  createdAt: 100,
  updatedAt: 200,
}

it('S2-041 is the record of the history block', () => {
  expect(summaryOf(sampleView({ history }))).toEqual({
    createdAt: 100,
    updatedAt: 200,
    content: history.summary,
    tokensUsed: 30,
    messagesIncluded: 9,
    version: 2,
    withoutTools: false,
  })
})

it('S2-046 counts epochs and messages for a chronicle', () => {
  const view = sampleView({ epoch: 4, line: 12, history: { ...history, digest: null } })
  expect(summaryOf(view)).toMatchObject({ version: 4, messagesIncluded: 12, tokensUsed: 0 })
})

it('S2-047 S2-048 INV-15 is a message under its heading, of the system if no tool is its source', () => {
  const content = `[Previous Conversation Summary]\n${history.summary}`
  const summary = summaryOf(sampleView({ history }))
  expect(summaryMessage(summary)).toEqual({ role: 'user', content })
  const spoken = summary && { ...summary, withoutTools: true }
  expect(summaryMessage(spoken)).toEqual({ role: 'system', content })
  expect(summaryOf(null)).toBeNull()
  expect(summaryOf(sampleView({ history: null }))).toBeNull()
  expect(summaryMessage(null)).toBeNull()
})
