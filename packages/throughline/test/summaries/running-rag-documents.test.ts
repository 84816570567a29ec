/** Documents in `running-rag`: retrieved for each question, named but not quoted in summaries. */
import type { Context, MessageInput } from 'throughline'
import { describe, expect, it } from 'vitest'
import type { ModelQuestion } from '../../../../harness/fault-server.ts'
import { truthfulSummary } from '../../src/testing/truthful-summary.test-support.ts'
import { slotsOf, talkSlowly, written } from './background-summaries.ts'
import {
  askedIn,
  blockIn,
  exchange,
  giant,
  lastOf,
  model,
  placesIn,
  setUp,
  slotText,
} from './set-up.ts'

const file = { id: '123', title: 'grammar.pdf' } as const

/** Pieces of the file, each with words that no question or answer has. */
const pieces = {
  markers: 'Wa sets the frame of a sentence, which the panther-lily paragraph calls its stage.',
  verbs: 'Verbs stand last, and the quartz-heron table lists nine endings of theirs.',
} as const
const secretWords = /panther-lily|quartz-heron/

/** The retrieval layer: searches by the words of each question. */
function found(question: string) {
  const text = /marker/i.test(question)
    ? pieces.markers
    : /verb/i.test(question)
      ? pieces.verbs
      : ''
  // Real pieces include a page of text around the match.
  return text === ''
    ? []
    : [{ ...file, text: `${text} ${'And so it goes on there. '.repeat(150)}` }]
}

/** A message with the file, and with the piece that some programs add to the message. */
const uploads: MessageInput = {
  role: 'user',
  content: [
    { type: 'text', text: 'What are topic markers? It is in the file that I have uploaded.' },
    { type: 'attachment-ref', attachmentId: file.id, title: file.title },
    { type: 'resource-excerpt', resourceId: file.id, title: file.title, text: pieces.markers },
  ],
}
const firstAnswer = { role: 'assistant', content: "They are 'Wa' and 'Ga'." } as const
const asksAgain = 'Back to my file: where do verbs stand?'

/** A summary that names documents, as the prompt asks. */
function answers(question: ModelQuestion): string {
  const asked = question.messages.map(({ text }) => text).join('\n')
  const named = asked.includes('grammar.pdf (ID: 123)')
    ? 'User uploaded `grammar.pdf` (ID: 123) and asked about topic markers. '
    : ''
  return `${named}${truthfulSummary(question, { words: 60, remembers: false })}`
}

/** A question about the file, then this many turns on other topics. */
async function talkAboutOthers(turns: number, answering = answers) {
  const up = await setUp({ policy: 'running-rag', windowTokens: 16_000, answers: answering })
  const { chat, tl } = up
  const contexts: Context[] = []
  const ask = async (content: MessageInput, words: string, answer: MessageInput) => {
    await chat.append(content)
    const context = await chat.context({ model, system: 'Be brief.', retrieved: found(words) })
    contexts.push(context)
    await tl.settled()
    await chat.append(answer)
    await tl.settled()
  }
  await ask(uploads, 'What are topic markers?', firstAnswer)
  for (let index = 1; index <= turns; index += 1) {
    const [question, answer] = giant(60)(index)
    await ask(question, String(question.content), answer)
  }
  return { ...up, contexts, ask }
}

describe('documents', () => {
  it('S4-021 S4-023 S4-034: are found again word for word after 20 turns on other topics', async () => {
    const { chat, contexts, ask } = await talkAboutOthers(20)
    expect(piecesIn(contexts[0])).toContain(pieces.markers)
    const before = lastOf(contexts)
    expect(slotsOf(before)).not.toContain('retrieved')
    // The first question is no longer shown.
    expect((await written(chat)).length).toBeGreaterThan(0)
    expect(placesIn(before)).not.toContain(0)
    await ask({ role: 'user', content: asksAgain }, asksAgain, firstAnswer)
    const context = lastOf(contexts)
    expect(piecesIn(context)).toContain(pieces.verbs)
    expect(piecesIn(context)).not.toContain(pieces.markers)
    expect(slotsOf(context)).toEqual(['system', 'retrieved', 'summary', 'recent', 'current'])
    expect(slotText(context, 'summary')).toContain('`grammar.pdf` (ID: 123)')
  })

  it('S4-022 S4-024 S4-025 H-002 X4-11: reach the summarizer as name and id, never as text', async () => {
    const { server } = await talkAboutOthers(20)
    const [first] = server.requests
    expect(blockIn(first, 'transcript')).toMatch(
      /^User: What are topic markers\? .*\n\[Document: grammar\.pdf \(ID: 123\)\]/,
    )
    expect(askedIn(first).system).toContain('User uploaded `grammar.pdf` (ID: 123)')
    expect(server.requests.length).toBeGreaterThan(1)
    for (const request of server.requests)
      expect(JSON.stringify(request.body)).not.toMatch(secretWords)
  })

  it('S4-022 S4-025: stay beside the summary even if the model does not name them', async () => {
    const { chat, contexts } = await talkAboutOthers(30, (question) =>
      truthfulSummary(question, { words: 60, remembers: false }),
    )
    expect((await chat.summaries()).length).toBeGreaterThan(1)
    const [newest] = await chat.summaries()
    expect(newest?.text).not.toContain('grammar.pdf')
    expect(slotText(lastOf(contexts), 'summary')).toContain('References: grammar.pdf (ID: 123)')
    expect(slotText(lastOf(contexts), 'summary')).not.toMatch(secretWords)
  })

  it('S4-011 S4-023: do not count as conversation length, however much is found', async () => {
    const long = Array.from({ length: 12 }, (_, at) => ({
      id: `r-${at}`,
      title: `Lesson ${at}`,
      text: 'And so it goes on there. '.repeat(40),
    }))
    const summariesWith = async (retrieved: typeof long) => {
      const up = await setUp({ policy: 'running-rag', windowTokens: 32_000 })
      const ask = () => up.chat.context({ model, retrieved })
      const contexts = await talkSlowly(up, { from: 0, to: 30, turn: exchange, ask })
      const decided = contexts.map(({ decision }) => decision.reason)
      return { rows: await written(up.chat), shown: contexts.map(placesIn), decided }
    }
    expect(await summariesWith(long)).toEqual(await summariesWith([]))
  })
})

/** The pieces in a context. */
function piecesIn(context: Context | undefined): string {
  return (context?.messages ?? [])
    .filter(({ slot }) => slot === 'retrieved')
    .flatMap(({ parts }) =>
      parts.map((part) => (part.type === 'resource-excerpt' ? part.text : '')),
    )
    .join('\n')
}
