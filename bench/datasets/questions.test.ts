/** Formats with questions: spans of evidence count messages, not records. */
import { expect, it } from 'vitest'
import { goldenOf } from '../../packages/throughline/src/transcripts/items.test-support.ts'
import {
  jsonLines,
  samples,
} from '../../packages/throughline/src/transcripts/samples.test-support.ts'

it('reads a QMSum meeting: people by name, questions with evidence', async () => {
  expect(await goldenOf(samples.qmsum)).toBe(`
conversation meeting-1
meeting-1 meeting_transcripts[0] user (Ana): Ich zähle, ja.
meeting-1 meeting_transcripts[1] user (Bo): Fine.
question meeting-1: Who? -> Ana [0..2)
`)
})

it('counts evidence past an unreadable turn, and ignores missing turns', async () => {
  const turn = (content: unknown) => ({ speaker: 'Ana', content })
  const text = jsonLines({
    meeting_transcripts: [turn('a'), turn(7), turn('b'), turn('c')],
    specific_query_list: [
      {
        query: 'q',
        relevant_text_span: [
          ['1', '2'],
          ['3', '900'],
          ['x', 'y'],
          ['0', '0'],
        ],
      },
    ],
  })
  expect((await goldenOf(text)).split('\n').slice(2)).toEqual([
    'meeting-1 meeting_transcripts[0] user (Ana): a',
    'problem 1: meeting_transcripts[1] is not a known kind of message',
    'meeting-1 meeting_transcripts[2] user (Ana): b',
    'meeting-1 meeting_transcripts[3] user (Ana): c',
    'question meeting-1: q -> null [0..3)',
    '',
  ])
})

it('accepts texts and numbers for the turns of QMSum evidence, and nothing else', async () => {
  const hostile = { toString: 1, valueOf: 1 }
  const turns = Array.from({ length: 6 }, () => ({ speaker: 'Ana', content: 'a' }))
  const spans = [[hostile, 1], [1, hostile], [[2], [2]], [true, true], ['', ' '], null, [-9, -8]]
  const text = jsonLines({
    meeting_transcripts: turns,
    specific_query_list: [
      { query: 'q', relevant_text_span: [...spans, [4, '3'], [5]] },
      { query: 'r', relevant_text_span: spans },
    ],
  })
  expect((await goldenOf(text)).split('\n').slice(-3)).toEqual([
    'question meeting-1: q -> null [3..6)',
    'question meeting-1: r -> null',
    '',
  ])
})

it('reads a LongMemEval haystack', async () => {
  expect(await goldenOf(samples.longmemeval)).toBe(`
conversation q1
q1 haystack_sessions[0][0] user: Hello // {"session":"h1","date":"2023/05/20 (Sat) 02:21"}
q1 haystack_sessions[1][0] user: The barn is blå. // {"session":"h2","date":"2023/05/21 (Sun) 10:00"}
q1 haystack_sessions[1][1] assistant: Noted. // {"session":"h2","date":"2023/05/21 (Sun) 10:00"}
question q1: Which colour? -> blå [1..2)
`)
})

it('reads several questions about one haystack, and unmarked sessions as a whole', async () => {
  const userMessage = (content: string) => ({ role: 'user', content })
  const text = JSON.stringify([
    {
      question_id: 'q',
      questions: ['one?', 'two?'],
      answers: ['1', 2],
      answer_session_ids: [['h1'], ['h2', 'h3']],
      haystack_session_ids: ['h1', 'h2', 'h3'],
      haystack_dates: [],
      haystack_sessions: [
        [userMessage('a')],
        [userMessage('b'), userMessage('c')],
        [userMessage('d')],
      ],
    },
  ])
  expect((await goldenOf(text)).split('\n').filter((line) => line.startsWith('question'))).toEqual([
    'question q: one? -> 1 [0..1)',
    'question q: two? -> 2 [1..4)',
  ])
})

it('reads a LoCoMo talk', async () => {
  expect(await goldenOf(samples.locomo)).toBe(`
conversation conv-1 {"speakerA":"Ana","speakerB":"Bo"}
conv-1 D1:1 user (Ana): Ça va? // {"session":1,"date":"1:56 pm on 8 May, 2023"}
conv-1 D1:2 user (Bo): I bought a goat. // {"session":1,"date":"1:56 pm on 8 May, 2023"}
question conv-1: What did Bo buy? -> a goat [1..2)
`)
})

it('sorts LoCoMo sessions and tolerates malformed evidence', async () => {
  const turn = (dia_id: string, more: object) => ({ speaker: 'Ana', dia_id, ...more })
  const text = JSON.stringify({
    sample_id: 9,
    conversation: {
      speaker_a: 'Ana',
      session_10: [turn('D10:1', { text: 'ten' })],
      session_2: [turn('D2:1', { text: 'two' }), turn('D2:2', { blip_caption: 'a goat' })],
    },
    qa: [
      { question: 'a', answer: 3, evidence: ['D2:1; D10:01'] },
      { question: 'b', adversarial_answer: 'no', evidence: ['D:2:2', 'D7:7', 'D'] },
      { question: 'c' },
    ],
  })
  expect(await goldenOf(text)).toBe(`
conversation 9 {"speakerA":"Ana"}
9 D2:1 user (Ana): two // {"session":2}
9 D2:2 user (Ana): [shares a picture: a goat] // {"session":2}
9 D10:1 user (Ana): ten // {"session":10}
question 9: a -> 3 [0..1) [2..3)
question 9: b -> no [1..2)
question 9: c -> null
`)
})

it('reads each LoCoMo session once, however its number is written', async () => {
  const session = (text: string) => [{ speaker: 'Ana', text }]
  const conversation = { session_1: session('a'), session_01: session('b') }
  expect(await goldenOf(JSON.stringify({ sample_id: { toString: 1 }, conversation }))).toBe(`
conversation conversation
conversation conversation.session_1[0] user (Ana): a // {"session":1}
conversation conversation.session_01[0] user (Ana): b // {"session":1}
`)
})

it('reads the people of MemoryBank, and the questions about them', async () => {
  expect(await goldenOf(samples.memorybank)).toBe(`
conversation 李雷 {"person":{"hobbies":"goats"}}
李雷 history.2023-04-27[0].query user: 你好 // {"date":"2023-04-27"}
李雷 history.2023-04-27[0].response assistant: 你好，李雷 // {"date":"2023-04-27"}
`)
  expect(await goldenOf(samples['memorybank-questions'])).toBe(`
question 李雷: 我的羊叫什么？ -> null
question 李雷: And the goat? -> null
`)
})
