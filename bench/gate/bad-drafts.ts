/** Drafts that must not become a summary, by kind, made from true ones. */
import type { Draft } from 'throughline'
import type { Random } from '../../harness/kernel/chance.ts'
import type { DraftOrigin } from '../../packages/throughline/src/flow/gate/gate.ts'
import { type MadeSession, madeSession } from './sessions.ts'

export interface BadDraft {
  readonly draft: Draft
  readonly asked: DraftOrigin
  readonly limitTokens: number
  readonly replacedTokens: number
  /** What an accepted text must not contain; null if nothing may pass. */
  readonly lie: string | null
}

export const prompt =
  'Summarize the following conversation concisely. Focus on what files were read or modified, what operations succeeded or failed, key decisions or findings, and the current state of the task. Be factual and brief, and keep every name, number and path exactly as it is written.'

const asked: DraftOrigin = { prompt, finish: 'stop', unread: null }

type Make = (
  session: MadeSession,
  random: Random,
  seed: number,
) => Partial<BadDraft> & { readonly text: string }

export function badDraft(
  kind: BadKind,
  session: MadeSession,
  random: Random,
  seed: number,
): BadDraft {
  const { text, ...rest } = badKinds[kind](session, random, seed)
  return {
    draft: { text, keyPoints: [], facets: null },
    asked,
    limitTokens: 2_000,
    replacedTokens: 4_000,
    lie: null,
    ...rest,
  }
}

export type BadKind = keyof typeof badKinds

export const badKinds = {
  empty: () => ({ text: '' }),
  whitespace: (_, random) => ({
    text: pick([' ', '\n\n', ' \t \n', '\u200b\u00a0', '---\n', '…'], random).repeat(
      1 + random(20),
    ),
  }),
  refusal: (_, random) => ({
    text:
      pick(refusals, random) +
      pick(['', ' Is there anything else?', '\n\nPlease ask me something else.'], random),
  }),
  echo: ({ sources }, random) => {
    const messages = sources.filter(({ kind }) => kind === 'message').map(({ text }) => text)
    const from = random(messages.length - 3)
    return {
      text: pick(
        [
          messages.slice(from, from + 3).join('\n\n'),
          prompt,
          messages[from] ?? '',
          `${prompt}\n\n${messages[from]}`,
        ],
        random,
      ),
    }
  },
  'thinking only': ({ summary }, random) => ({
    text: pick(
      [
        `<think>${summary}</think>`,
        `<thinking>\nI should sum up. ${summary}`,
        `<reasoning>${summary}</reasoning>\n\n`,
        'Okay, so I need to summarize this conversation. Let me look at what the user said first.',
      ],
      random,
    ),
  }),
  'cut off': ({ summary }, random, seed) => cutOff(summary, random, seed),
  'wrong schema': ({ summary }) => ({
    text: JSON.stringify({ answer: summary }),
    asked: { ...asked, unread: 'wrong-schema' as const },
  }),
  'not JSON': ({ summary }) => ({
    text: `{"summary": "${summary}`,
    asked: { ...asked, unread: 'not-json' as const },
  }),
  'not smaller': ({ summary }) => ({
    text: summary,
    replacedTokens: Math.floor(summary.length / 8),
  }),
  'over its limit': ({ summary }, random) => ({ text: summary, limitTokens: 10 + random(40) }),
  'pins touched': ({ summary, pins }, random) => ({
    text: `${summary}\n\n${altered(pins[0] ?? '', random)}`,
  }),
  'invented value': ({ summary }, random) => invented(summary, random),
  'error text': (_, random) => ({ text: pick(errors, random) }),
  degenerate: ({ summary }, random) => ({ text: degenerate(summary, random) }),
  'wrong language': (_, random) => ({ text: pick(foreignTexts, random) }),
  'says nothing': (_, random) => ({
    text: Array.from({ length: 2 + random(3) }, () => pick(emptyPhrases, random)).join(' '),
  }),
  'other conversation': (_, _random, seed) => ({
    text: madeSession(seed * 7 + 100_001 + ((seed * 7 + 100_001 - seed) % 3 === 0 ? 1 : 0)).summary,
  }),
} as const satisfies Record<string, Make>

function pick<Item>(items: readonly Item[], random: Random): Item {
  return items[random(items.length)] as Item
}

/** Half of them are marked by the provider, half only end abruptly. */
function cutOff(
  summary: string,
  random: Random,
  seed: number,
): { readonly text: string; readonly asked: DraftOrigin } {
  const least = Math.floor(summary.length / 2)
  const text = summary.slice(0, least + random(least - 10))
  if (seed % 2 === 0) return { text, asked: { ...asked, finish: 'length' } }
  // In the middle of a sentence: a cut between two sentences cannot be noticed.
  return {
    text: text.replace(/[.\s]+$/, '').replace(/\s\S*$/, ' th'),
    asked: { ...asked, finish: 'other' },
  }
}

function degenerate(summary: string, random: Random): string {
  const sentence = summary.split('. ')[0] ?? summary
  const letters = (count: number) =>
    Array.from({ length: count }, () => 'asdfghjklqwertyuiopzxcvbnm'[random(26)]).join('')
  return pick(
    [
      () => pick(['A', 'x', '0', '字'], random).repeat(100 + random(400)),
      () => `${sentence}. `.repeat(3 + random(40)),
      () => `${summary} ${`${sentence}. `.repeat(60)}`,
      () => Array.from({ length: 8 + random(60) }, () => letters(4 + random(8))).join(' '),
      () => pick(placeholders, random),
      () => 'Lorem ipsum dolor sit amet, consectetur adipiscing elit, sed do eiusmod tempor.',
      () => `${pick(['the', 'and', 'user', '...', 'na'], random)} `.repeat(20 + random(200)),
    ],
    random,
  )()
}

const placeholders = [
  'Summary: [insert summary here]',
  '[Your summary goes here]',
  '<summary>',
  '{{summary}}',
  'Summary: <insert the summary of the conversation here>',
  '## Summary\n[Write summary]\n\n## Decisions\n[Add decisions here]\n\n## Next steps\n- [insert]',
]

const foreignTexts = [
  'Der Benutzer wollte wissen, warum die Lieferung nicht angekommen ist, und der Assistent hat die Adresse geprüft. Die Rechnung wird mit dem nächsten Versand noch einmal geschickt.',
  'El usuario quería saber por qué los pedidos no llegan, pero el asistente no encontró la causa. Para mañana está previsto revisar las facturas con el equipo.',
  "L'utilisateur voulait savoir pourquoi les commandes ne sont pas arrivées dans les délais. Cette question est encore ouverte, mais une réponse est prévue pour demain avec les collègues.",
  'Пользователь хотел узнать, почему заказ ещё не пришёл, и помощник уже проверил адрес. Это для него важно, и счёт был отправлен ещё раз.',
  '用户想知道为什么订单还没有到，助手检查了地址，并答应明天再寄一次发票。',
  'ユーザーは注文がまだ届かない理由を知りたがり、アシスタントは住所を確認して請求書をもう一度送ると約束した。',
  '사용자는 주문이 왜 아직 오지 않았는지 알고 싶어 했고 도우미는 주소를 확인했다.',
]

const emptyPhrases = [
  'The user and the assistant had a good conversation.',
  'Several things were discussed and some progress was made.',
  'The user asked questions and the assistant answered all of them.',
  'Various important points were raised, and the next steps are clear.',
  'Everything went well and there is more to do.',
]

function altered(pin: string, random: Random): string {
  if (/\d/.test(pin))
    return pin.replace(/\d+/, (number) => String(Number(number) + 1 + random(500)))
  return pin.replace(/^Never change/, pick(['You may change', 'Always change', 'Change'], random))
}

function invented(
  summary: string,
  random: Random,
): { readonly text: string; readonly lie: string } {
  const hex = (length: number) =>
    Array.from({ length }, (_, at) =>
      at === 0 ? random(10) : at === 1 ? 'abcdef'[random(6)] : '0123456789abcdef'[random(16)],
    ).join('')
  const lie = pick(
    [
      () => hex(7 + random(34)),
      () => [8, 4, 4, 4, 12].map(hex).join('-'),
      () => String(10_000_000_000 + random(1_000_000_000)),
      () =>
        `src/${pick(['billing', 'search', 'auth'], random)}/${pick(['worker', 'handler', 'model'], random)}-${random(1_000)}.ts`,
      () => `https://docs.example/${hex(10)}`,
      () => `req_${hex(6)}Qz${hex(6)}`,
      () => `${20 + random(50)}.${random(90)}.${100 + random(900)}`,
    ],
    random,
  )()
  return { text: `${summary}\n\nThe result is kept as ${lie}.`, lie }
}

const refusals = [
  "I'm sorry, but I can't help with that.",
  'I cannot assist with this request.',
  'I’m unable to summarize this conversation because it may contain sensitive content.',
  'As an AI language model, I am not able to do this.',
  'Sorry, I cannot provide a summary of this conversation.',
  'Es tut mir leid, aber dabei kann ich nicht helfen.',
  'Ich kann diese Unterhaltung leider nicht zusammenfassen.',
  'Je suis désolé, mais je ne peux pas vous aider.',
  'Je ne peux pas résumer cette conversation.',
  'Lo siento, no puedo ayudar con eso.',
  'Desculpe, não posso ajudar com isso.',
  'Mi dispiace, non posso aiutarti.',
  'Het spijt me, daar kan ik niet bij helpen.',
  'Извините, я не могу помочь с этим.',
  '抱歉，我无法协助完成这个请求。',
  '申し訳ありませんが、お手伝いできません。',
  '죄송합니다. 요청을 도와드릴 수 없습니다.',
]

const errors = [
  'Error generating summary: 429 Too Many Requests',
  'Error: Request timed out.',
  '{"error":{"message":"The server had an error","type":"server_error","code":null}}',
  '{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}',
  'Rate limit reached for requests per minute. Try again in 20s.',
  '503 Service Unavailable',
  'Internal server error',
  '<html><head><title>502 Bad Gateway</title></head><body><h1>502 Bad Gateway</h1></body></html>',
  'APIConnectionError: Connection error.',
  'HTTP 500: upstream connect error or disconnect/reset before headers',
  'fetch failed',
  "This model's maximum context length is 128000 tokens. However, your messages resulted in 140000 tokens.",
  'data: {"error":{"message":"stream failed"}}',
  'AI_APICallError: Invalid request body',
  'An error occurred while processing your request.',
  'You exceeded your current quota, please check your plan and billing details.',
]
