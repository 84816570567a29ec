/** A session to sum up, and the gate before a summary of it. */
import { type DraftOrigin, type GateOptions, type GateOutcome, gate } from './gate.ts'
import type { GateSource } from './source-index.ts'

export const user = (text: string): GateSource => ({ kind: 'message', role: 'user', text })
export const assistant = (text: string): GateSource => ({
  kind: 'message',
  role: 'assistant',
  text,
})
export const tool = (text: string): GateSource => ({ kind: 'message', role: 'tool', text })

export const hash = '8c41f7e09b2d4a6f1e3c5b7a9d8e0f1a2b3c4d5e'
export const batch = '5e1c9a70-3f0b-4b52-9d27-6a1c0f4d8e21'

export const session: readonly GateSource[] = [
  {
    kind: 'system',
    role: null,
    text: 'You work on a program that reminds people of appointments.',
  },
  user(
    'Reminders reach people at the wrong hour. Find out why and fix it, the tests are in src/quiet.',
  ),
  tool('/home/dev/reminders/src/quiet/quiet-hours.ts:12:3 getHours() uses the zone of the server'),
  assistant(
    'The worker asks the clock of the server. I could migrate the whole schedule table to UTC.',
  ),
  tool(`[main ${hash}] quiet hours\nbatch ${batch} sent 1,204,331 messages in 81.538461 s`),
  tool(
    '{"ticket":"REM-4821","parser":"4.17.21","log":"C:\\\\logs\\\\send\\\\today.txt","id":"msg_01XyZab9Qr"}',
  ),
  assistant('The reminders use the zone of the recipient now; the tests of the worker pass.'),
]

export const asked: DraftOrigin = {
  prompt:
    'Summarize the following conversation concisely. Keep every name, number and path as it is written in the messages.',
  finish: 'stop',
  unread: null,
}

export const opening =
  'The reminders reached people at the wrong hour because the worker asked the clock of the server. They use the zone of the recipient now, and the tests of the worker pass.'

export function judged(text: string, options: Partial<GateOptions> = {}): GateOutcome {
  return gate(
    { text, keyPoints: [], facets: null },
    {
      sources: session,
      limits: { tokens: 1_000 },
      replacedTokens: 5_000,
      pins: [],
      asked,
      meter: { text: (counted) => Math.ceil(counted.length / 4) },
      ...options,
    },
  )
}

/** Why it is refused; null where it passes. */
export function whyNot(text: string, options: Partial<GateOptions> = {}): readonly string[] | null {
  const outcome = judged(text, options)
  return outcome.kind === 'passed' ? null : outcome.reasons.map(({ reason }) => reason)
}
