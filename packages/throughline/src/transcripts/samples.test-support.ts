/** A small invented text in each format. Each holds multi-byte characters. */
import { type DatasetFormat, datasetFormats } from '../../../../bench/datasets/read-dataset.ts'
import type { TranscriptFormat } from './format-signs.ts'

/** Formats of transcripts and of datasets, which share the same reader core. */
export const allFormats = Object.keys(datasetFormats.readers) as (
  | DatasetFormat
  | TranscriptFormat
)[]

export function jsonLines(...records: readonly unknown[]): string {
  return records.map((record) => `${JSON.stringify(record)}\n`).join('')
}

/** Formats in JSON. Plain text is left out: after damage it is still valid text. */
export const jsonFormats = allFormats.filter((format) => format !== 'text')

export const samples: Readonly<Record<DatasetFormat | TranscriptFormat, string>> = {
  throughline: jsonLines(
    { throughline: 1, id: 'fence', title: 'Ein Zaun – 柵', meta: null },
    {
      seq: 0,
      role: 'user',
      content: [{ type: 'text', text: 'Mend the fence – 柵を直す' }],
      createdAt: 1_700_000_000_000,
      key: 'k1',
    },
  ),
  'claude-code': jsonLines(
    { type: 'file-history-snapshot', messageId: 'x', snapshot: {} },
    {
      type: 'user',
      uuid: 'u1',
      parentUuid: null,
      sessionId: 's1',
      isSidechain: false,
      message: { role: 'user', content: 'Mend the fence – 柵を直す' },
    },
    {
      type: 'assistant',
      uuid: 'u2',
      parentUuid: 'u1',
      sessionId: 's1',
      isSidechain: false,
      message: {
        role: 'assistant',
        id: 'r1',
        model: 'claude-x',
        content: [{ type: 'tool_use', id: 'c1', name: 'Read', input: { path: 'fence.txt' } }],
        usage: { input_tokens: 5, cache_read_input_tokens: 10, output_tokens: 7 },
      },
    },
  ),
  pi: jsonLines(
    { type: 'session', id: 'p1', cwd: '/farm', timestamp: '2026-01-02T03:04:05.000Z' },
    {
      type: 'message',
      timestamp: '2026-01-02T03:04:06.000Z',
      message: { role: 'user', content: [{ type: 'text', text: 'Count the sheep 🐑' }] },
    },
  ),
  openai: JSON.stringify({
    model: 'gpt-x',
    messages: [
      { role: 'system', content: 'You herd 羊.' },
      { role: 'user', content: 'How many?' },
    ],
  }),
  codex: jsonLines(
    {
      timestamp: '2026-01-02T03:04:05.000Z',
      type: 'session_meta',
      payload: { id: 'x1', timestamp: '2026-01-02T03:04:05.000Z', cwd: '/farm', cli_version: '1' },
    },
    {
      timestamp: '2026-01-02T03:04:06.000Z',
      type: 'response_item',
      payload: {
        type: 'message',
        role: 'user',
        content: [{ type: 'input_text', text: 'Paint the gate – 門を塗る' }],
      },
    },
  ),
  chatgpt: JSON.stringify([
    {
      title: 'Das Tor',
      create_time: 1767323045.25,
      mapping: {
        root: { id: 'root', message: null, parent: null, children: ['m1'] },
        m1: {
          id: 'm1',
          message: {
            id: 'm1',
            author: { role: 'user' },
            create_time: 1767323046.5,
            content: { content_type: 'text', parts: ['Wie hoch ist das Tor? 🐑'] },
            recipient: 'all',
          },
          parent: 'root',
          children: [],
        },
      },
      current_node: 'm1',
      conversation_id: 'g1',
    },
  ]),
  anthropic: JSON.stringify({
    model: 'claude-x',
    system: 'You herd 羊.',
    messages: [
      { role: 'user', content: 'How many?' },
      { role: 'assistant', content: [{ type: 'text', text: 'Sieben – 七' }] },
    ],
  }),
  'ai-sdk': JSON.stringify([
    { id: 'a1', role: 'user', parts: [{ type: 'text', text: 'Feed them – 餌' }] },
    { id: 'a2', role: 'assistant', parts: [{ type: 'text', text: 'Done ✓' }] },
  ]),
  messages: jsonLines(
    { role: 'user', content: 'How many – 羊?', timestamp: '2026-01-02T03:04:05Z' },
    { role: 'assistant', content: [{ type: 'text', text: 'Seven 🐑' }] },
  ),
  text: 'User: How many sheep – 羊?\n\nAssistant: Seven.\nAll of them are well 🐑\n',
  'tau-bench': JSON.stringify([
    { task_id: 4, reward: 1, info: {}, traj: [{ role: 'user', content: 'Ein Maß' }], trial: 2 },
  ]),
  'tau2-bench': JSON.stringify({
    agent: 'gpt-x',
    domain: 'farm',
    policy: 'Be kind.',
    simulations: [
      { id: 'a-1', task_id: '7', reward: 0.5, messages: [{ role: 'user', content: 'Grüße' }] },
    ],
  }),
  opencode: JSON.stringify({
    info: { id: 'ses_1', directory: '/farm', title: 'Sheep', time: { created: 1 } },
    messages: [
      {
        info: { id: 'msg_1', role: 'user', sessionID: 'ses_1', time: { created: 1767323046000 } },
        parts: [{ id: 'prt_1', type: 'text', text: 'Count the sheep 🐑' }],
      },
    ],
  }),
  'mini-swe': JSON.stringify({
    instance_id: 'farm-1',
    model: 'gemini-x',
    messages: [
      { role: 'user', content: 'Count the rows – alle' },
      { role: 'assistant', content: 'I look.\n```bash\nwc -l rows\n```' },
      { role: 'user', content: '<returncode>0</returncode>\n<output>7 rows</output>' },
    ],
  }),
  qmsum: jsonLines({
    topic_list: [],
    general_query_list: [{ query: 'All of it?', answer: 'Yes.' }],
    specific_query_list: [{ query: 'Who?', answer: 'Ana', relevant_text_span: [['0', '1']] }],
    meeting_transcripts: [
      { speaker: 'Ana', content: 'Ich zähle, ja.' },
      { speaker: 'Bo', content: 'Fine.' },
    ],
  }),
  longmemeval: JSON.stringify([
    {
      question_id: 'q1',
      question: 'Which colour?',
      answer: 'blå',
      answer_session_ids: ['h2'],
      haystack_dates: ['2023/05/20 (Sat) 02:21', '2023/05/21 (Sun) 10:00'],
      haystack_session_ids: ['h1', 'h2'],
      haystack_sessions: [
        [{ role: 'user', content: 'Hello' }],
        [
          { role: 'user', content: 'The barn is blå.', has_answer: true },
          { role: 'assistant', content: 'Noted.' },
        ],
      ],
    },
  ]),
  locomo: JSON.stringify([
    {
      qa: [{ question: 'What did Bo buy?', answer: 'a goat', evidence: ['D1:2'], category: 1 }],
      conversation: {
        speaker_a: 'Ana',
        speaker_b: 'Bo',
        session_1_date_time: '1:56 pm on 8 May, 2023',
        session_1: [
          { speaker: 'Ana', dia_id: 'D1:1', text: 'Ça va?' },
          { speaker: 'Bo', dia_id: 'D1:2', text: 'I bought a goat.' },
        ],
      },
      sample_id: 'conv-1',
    },
  ]),
  memorybank: JSON.stringify({
    李雷: {
      name: '李雷',
      summary: {},
      history: { '2023-04-27': [{ query: '你好', response: '你好，李雷' }] },
      meta_information: { hobbies: 'goats' },
    },
  }),
  'memorybank-questions': jsonLines({ 李雷: ['我的羊叫什么？', 'And the goat?'] }),
}
