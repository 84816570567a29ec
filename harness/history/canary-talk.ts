/** Messages that each hold a word of their own, which stands nowhere else: a canary. */
import type { MessageInput, PartInput } from 'throughline'
import type { Chance } from '../kernel/chance.ts'

export interface CanaryMessage {
  readonly input: MessageInput
  /** In lower case: what is derived may be. */
  readonly canary: string
}

export interface CanaryTalk {
  /** A turn, and sometimes a call without a result, or a result that comes late. */
  turn(): readonly CanaryMessage[]
  /** Another message of the same role, and for a tool of the same call or another. */
  instead(message: MessageInput): CanaryMessage
}

export function canaryTalk(chance: Chance, name: string): CanaryTalk {
  let number = 0
  let calls = 0
  const canary = () => {
    number += 1
    return `${name}canary${number}x${chance.below(1_000_000).toString(36)}`
  }
  const say = (role: 'user' | 'assistant', word: string): MessageInput => ({
    role,
    content: `${chance.pick(openings)} ${word}, ${chance.pick(middles)}. ${filling(chance)}`,
  })
  const call = (word: string, callId: string): MessageInput => ({
    role: 'assistant',
    content: [
      ...(chance.once(3) ? [{ type: 'text' as const, text: `I look at ${word}.` }] : []),
      {
        type: 'tool-call',
        callId,
        name: chance.pick(['read_file', 'shell']),
        input: { path: `src/${word}/main.ts`, command: `cat src/${word}/main.ts` },
      },
    ],
  })
  const result = (word: string, callId: string): MessageInput => ({
    role: 'tool',
    content: [
      {
        type: 'tool-result',
        callId,
        output: [
          `error: ${word} is not what it was`,
          ...chance.times(3, () => filling(chance)),
        ].join('\n'),
        isError: chance.once(4),
      },
    ],
  })
  const made = (make: (word: string) => MessageInput): CanaryMessage => {
    const word = canary()
    return { input: make(word), canary: word.toLowerCase() }
  }
  const nextCall = () => `call-${chance.once(5) ? chance.below(calls + 1) : calls++}`
  return {
    turn() {
      const asked = made((word) => (chance.once(8) ? withFile(word, chance) : say('user', word)))
      const callId = nextCall()
      const used = chance.once(2)
        ? [
            made((word) => call(word, callId)),
            ...(chance.once(6) ? [] : [made((word) => result(word, callId))]),
          ]
        : []
      const late = chance.once(8) ? [made((word) => result(word, nextCall()))] : []
      return [asked, ...used, made((word) => say('assistant', word)), ...late]
    },
    instead({ role, content }) {
      const callId = callIn(content) ?? nextCall()
      const other = chance.once(4) ? nextCall() : callId
      if (role === 'tool') return made((word) => result(word, other))
      const calls = role === 'assistant' && chance.once(callIn(content) === null ? 6 : 2)
      return made((word) => (calls ? call(word, other) : say(role as 'user' | 'assistant', word)))
    },
  }
}

function withFile(word: string, chance: Chance): MessageInput {
  const data = Uint8Array.from([...word].map((letter) => letter.charCodeAt(0)))
  return {
    role: 'user',
    content: [
      { type: 'text', text: `Here is ${word}. ${filling(chance)}` },
      { type: 'file', mediaType: 'image/png', name: `${word}.png`, data, width: 16, height: 16 },
    ],
  }
}

function callIn(content: MessageInput['content']): string | null {
  const parts: readonly PartInput[] = typeof content === 'string' ? [] : content
  for (const part of parts)
    if (part.type === 'tool-call' || part.type === 'tool-result') return part.callId
  return null
}

const openings = [
  'Never touch',
  'We decided on',
  'Please look at',
  'It depends on',
  'I prefer',
] as const
const middles = [
  'and write it down',
  'because the review wants it',
  'as the team has asked for',
  'before anything else is moved',
] as const
const sentences = [
  'The plan holds as far as anybody has read it.',
  'Somebody has to call the supplier and ask again.',
  'The retries are bounded, so nothing is sent too often.',
  'Everything else stays as it was decided last week.',
] as const

function filling(chance: Chance): string {
  return chance.times(1 + chance.below(4), () => chance.pick(sentences)).join(' ')
}
